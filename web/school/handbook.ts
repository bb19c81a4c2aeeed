/** A handbook's Markdown as chapters for the board: its rule numbers are links, its diagrams are places for one. */
import { Marked, type Token, type Tokens } from "marked";

export interface DiagramPart {
  /** The situation drawn. */
  show: string;
  /** After this step of it; 0 is the position at its start. */
  step: number;
  caption: string;
}
export type Part = { html: string } | DiagramPart;

export interface Chapter {
  /** In the address: `marching`. */
  id: string;
  title: string;
  /** How long it takes to read. */
  minutes: number;
  heads: { id: string; title: string }[];
  rules: string[];
  parts: Part[];
  /** As plain text, one paragraph a line, to be searched. */
  text: string[];
}

export interface Word {
  /** What players say: `zone of control`, `ZOC`. */
  words: string[];
  html: string;
  text: string;
  rules: string[];
}

export interface Handbook {
  title: string;
  lead: string;
  chapters: Chapter[];
  glossary: Word[];
}

/** `<!-- show 05-movement/5.3.a-stop 2: Archer steps into Meredith's zone -->` */
const SHOW = /^<!--\s*show\s+(\S+)\s+(\d+):\s*(.*?)\s*-->\s*$/;
const RULE = /^[a-z0-9]+(?:[.-][a-z0-9-]+)+$/i;
const WORDS_A_MINUTE = 210;

export const idOf = (title: string) => title.toLowerCase().replace(/^\d+\.\s*/, "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
const escape = (s: string) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

export function handbook(markdown: string, system: string): Handbook {
  const known: string[] = [];
  let tables = 0;
  const marked = new Marked({
    extensions: [
      {
        name: "rules",
        level: "inline",
        start: (src: string) => src.indexOf("["),
        tokenizer(src: string) {
          const found = /^\[([^\]\n]+)\](?!\()/.exec(src);
          if (!found) return undefined;
          const ids = found[1].split(",").map((id) => id.trim());
          return ids.every((id) => RULE.test(id) || /^\d+$/.test(id)) ? { type: "rules", raw: found[0], ids } : undefined;
        },
        renderer: (token) => {
          const { ids } = token as unknown as { ids: string[] };
          known.push(...ids);
          return `<span class="ids">${ids.map((id) => `<a class="rule" data-rule="${escape(id)}" href="#/rules/${system}/${encodeURIComponent(id)}">${escape(id)}</a>`).join(" ")}</span>`;
        },
      },
    ],
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        return `<h${depth} id="s-${idOf(words)}">${words}</h${depth}>`;
      },
      // Links lead to pages of the manual, which the board does not carry; links between handbooks stay here.
      link({ tokens, href }) {
        const words = this.parser.parseInline(tokens);
        const other = /^(?:\.\/)?([a-z-]+)\.md(#.*)?$/.exec(href);
        return other ? `<a href="#/handbook/${other[1]}">${words}</a>` : words;
      },
      table(token: Tokens.Table) {
        const cell = (c: Tokens.TableCell, tag: string, scope: string) => `<${tag}${scope}>${this.parser.parseInline(c.tokens)}</${tag}>`;
        const head = token.header.map((c) => cell(c, c.text === "" ? "td" : "th", c.text === "" ? "" : ' scope="col"')).join("");
        const rows = token.rows.map((r) => `<tr>${r.map((c, i) => cell(c, i === 0 ? "th" : "td", i === 0 ? ' scope="row"' : "")).join("")}</tr>`).join("");
        return `<div class="wide" role="region" aria-label="Table ${(tables += 1)}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const title = (tokens.find((t) => t.type === "heading" && (t as Tokens.Heading).depth === 1) as Tokens.Heading).text;
  const begins = tokens.flatMap((t, i) => (t.type === "heading" && (t as Tokens.Heading).depth === 2 ? [i] : []));
  const html = (list: Token[]) => marked.parser(list);
  const book: Handbook = { title: title.replace(/: the handbook$/, ""), lead: html(tokens.slice(tokens.findIndex((t) => t.type === "heading") + 1, begins[0])), chapters: [], glossary: [] };
  begins.forEach((begin, n) => {
    const head = tokens[begin] as Tokens.Heading;
    const body = tokens.slice(begin + 1, begins[n + 1]);
    known.length = 0;
    if (/glossary/i.test(head.text)) {
      book.glossary = glossary(body, html, known);
      return;
    }
    const parts: Part[] = [];
    let run: Token[] = [];
    const end = () => {
      if (run.some((t) => t.type !== "space")) parts.push({ html: html(run) });
      run = [];
    };
    for (const token of body) {
      const found = token.type === "html" ? SHOW.exec(token.raw.trim()) : null;
      if (!found) {
        run.push(token);
        continue;
      }
      end();
      parts.push({ show: found[1], step: Number(found[2]), caption: found[3] });
    }
    end();
    const text = body.filter((t) => t.type !== "space" && t.type !== "html").flatMap(lines);
    const heads = body.filter((t): t is Tokens.Heading => t.type === "heading").map((t) => ({ id: idOf(t.text), title: t.text }));
    const words = text.join(" ").split(/\s+/).length;
    book.chapters.push({ id: idOf(head.text), title: head.text.replace(/^\d+\.\s*/, ""), minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)), heads, rules: [...new Set(known)], parts, text });
  });
  return book;
}

/** A block as lines of plain text, an item or a row each. */
function lines(token: Token): string[] {
  if (token.type === "list") return (token as Tokens.List).items.map((i) => plain(i.text));
  if (token.type === "table") return (token as Tokens.Table).rows.map((r) => plain(r.map((c) => c.text).join(", ")));
  return [plain((token as Tokens.Paragraph).text ?? token.raw)];
}

const plain = (text: string) => text.replace(/\*+/g, "").replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ").trim();

/** `- **zone of control, ZOC**: the six hexes around a unit [5.3.a].` */
function glossary(body: Token[], html: (list: Token[]) => string, known: string[]): Word[] {
  const items = body.filter((t): t is Tokens.List => t.type === "list").flatMap((l) => l.items);
  return items.map((item) => {
    const found = /^\*\*(.+?)\*\*:\s*([\s\S]*)$/.exec(item.text);
    if (!found) throw new Error(`The glossary has an entry without its words: ${item.text}`);
    known.length = 0;
    const written = html(item.tokens).replace(/^<p>|<\/p>\s*$/g, "").replace(/^<strong>.*?<\/strong>:\s*/, "");
    return { words: found[1].split(",").map((w) => w.trim()), html: written, text: plain(found[2]), rules: [...new Set(known)] };
  });
}
