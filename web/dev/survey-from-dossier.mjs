// Makes a survey for the gallery out of a battle dossier: node dev/survey-from-dossier.mjs dossier.md > out.json
import { readFileSync } from "node:fs";

const text = readFileSync(process.argv[2], "utf8");
const points = (s) => [...s.matchAll(/\((-?\d+),(-?\d+)\)/g)].map((m) => [Number(m[1]), Number(m[2])]);
const section = (title) => text.split(new RegExp(`^#+ ${title}.*$`, "m"))[1]?.split(/^#/m)[0] ?? "";
const items = (title) => section(title).split("\n").filter((l) => l.startsWith("- ") && points(l).length > 2);
const survey = { title: "Gettysburg", subtitle: "the first day, July 1st, 1863", size: [7361, 6450] };
survey.high = items("High ground").map((l) => ({ name: l.match(/level \d, (.*?):/)[1].replace(/ \(.*/, ""), level: Number(l.match(/level (\d)/)[1]), outline: points(l) }));
survey.woods = items("Woods").map((l) => ({ name: l.match(/^- (.*?): \(/)[1], outline: points(l) }));
survey.town = items("Town").map((l) => ({ name: l.match(/^- (.*?):/)[1], outline: points(l) }));
survey.water = items("Water").map((l) => ({ name: l.match(/\*\*(.*?)\*\*/)[1].replace(/ \(.*/, ""), kind: l.match(/\((creek|stream)\)/)[1], line: points(l) }));
survey.road = items("Roads and railroad").map((l) => {
  const name = l.match(/\*\*(.*?)\*\*/)[1];
  const kind = l.includes("(road)") ? "road" : l.includes("(minor road)") ? "lane" : name.startsWith("unfinished") ? "unfinished" : "railroad";
  return { name: name.replace(/ \(.*|,.*/, "").replace(/^u/, "U").replace(/ road$/, " Road").replace("railroad", "Railroad"), kind, line: points(l) };
});
const chief = /Seminary|College|Almshouse|Herr Tavern|Thompson|McPherson|Diamond|Cemetery gate|depot|Toll|Harmon|Hagy/;
const rows = [...section("Points").matchAll(/^\| (.*?) \| (\d+),(\d+) \|/gm)];
survey.place = rows.filter((r) => !/bridge|cut|falls|summit|Grove|Diamond/i.test(r[1])).map((r) => ({
  name: r[1].replace(/ \(.*/, ""), kind: /Hill|Knoll/.test(r[1]) ? "knoll" : /College|Seminary|Almshouse|depot|gatehouse/.test(r[1]) ? "building" : "farm",
  at: [Number(r[2]), Number(r[3])], chief: chief.test(r[1]),
}));
survey.bridge = rows.filter((r) => /bridge/i.test(r[1])).map((r) => ({ name: r[1], at: [Number(r[2]), Number(r[3])], burnt: /burnt/.test(r[1]) }));
survey.cut = [{ name: "west cut", line: [[2480, 4262], [2640, 4172]] }, { name: "middle cut", line: [[2750, 4105], [2900, 4000]] }, { name: "east cut", line: [[3110, 3835], [3290, 3722]] }];
survey.escarpment = [{ name: "Culp's Hill", falls: "north-east", line: [[5080, 2030], [5230, 2130], [5420, 2160], [5580, 2090], [5650, 1960], [5680, 1780]] }];
process.stdout.write(JSON.stringify(survey));
