// The charts of a study's report: Vega-Lite specs that stand in the page as data are drawn as SVG. Vega's expressions are
// interpreted, so the page needs no `eval`. Colours are the page's own custom properties: day, night and paper restyle what is drawn.

import { parse, View, Error as Faults } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type Config, type TopLevelSpec } from "vega-lite";

const TEXT = '"Archivo Variable", Archivo, "Helvetica Neue", Arial, system-ui, sans-serif';

const config: Config = {
  background: undefined,
  font: TEXT,
  view: { stroke: null },
  axis: {
    domain: false,
    ticks: false,
    grid: true,
    gridColor: "var(--line)",
    gridDash: [2, 4],
    labelColor: "var(--ink-2)",
    labelFontSize: 11,
    labelPadding: 8,
    labelFlush: false,
    title: null,
  },
  text: { color: "var(--ink)", fontSize: 12 },
  rule: { color: "var(--ink)", strokeWidth: 2 },
  tick: { color: "var(--ink)", thickness: 2 },
  line: { color: "var(--ink)", strokeWidth: 2 },
};

async function draw(place: HTMLElement): Promise<void> {
  const data = place.querySelector("script[type='application/json']");
  const spec = JSON.parse(data?.textContent ?? "") as TopLevelSpec;
  const figure = document.createElement("div");
  place.append(figure);
  const runtime = parse(compile(spec, { config }).spec, undefined, { ast: true });
  const view = new View(runtime, { container: figure, renderer: "svg", expr: expressionInterpreter, hover: true, logLevel: Faults });
  await view.runAsync();
  // As wide as its panel; text, lines and gaps grow alike.
  const drawing = figure.querySelector("svg");
  drawing?.removeAttribute("width");
  drawing?.removeAttribute("height");
  place.classList.add("drawn");
}

export async function drawAll(): Promise<void> {
  for (const place of document.querySelectorAll<HTMLElement>(".chart")) await draw(place);
}

void drawAll();
