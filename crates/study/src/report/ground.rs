//! Where they fought: the ground, and on it the share of all losses by place.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use game::board::{Ground, HexGround, TableGround};
use serde_json::Value;

use super::words::{escape, number, percent};
use super::{Chapter, Panel};

/// Ground in the report's own units, x east and y south.
struct Field {
    /// West, north, width, height of what is shown.
    window: [f64; 4],
    art: String,
    /// How large a place is drawn.
    size: f64,
    hexes: bool,
    /// Places with their middle and, where they have one, their name.
    places: BTreeMap<String, ([f64; 2], Option<String>)>,
}

/// The heat map.
pub(super) fn fighting(chapter: &Chapter<'_>) -> String {
    let (index, cell) = chapter.first;
    let all: u64 = cell.falls.values().sum();
    let mut worst: Vec<(&String, f64)> =
        cell.falls.iter().map(|(place, lost)| (place, *lost as f64 / all.max(1) as f64)).collect();
    worst.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let field = match chapter.study.cells[index].scenario.board().ground {
        Ground::Hexes(ground) => Field::of_hexes(&ground, &worst),
        Ground::Table(ground) => Field::of_table(&ground, &worst),
    };
    let rows = worst.iter().take(40).map(|(place, share)| {
        let name = field.places.get(*place).and_then(|(_, name)| name.clone()).unwrap_or_default();
        vec![(*place).clone(), name, percent(*share)]
    });
    Panel {
        class: "wide",
        title: "Where they fought",
        aside: format!("{} games", number(cell.games)),
        chart: field.draw(&worst),
        note: "Larger and darker: a larger share of all strength lost, where the units stood before the decision that cost it.".into(),
        columns: &["place", "name", "% of losses"],
        rows: rows.collect(),
        counted: "Each loss is counted where the unit stood when the decision was taken. On a table places are squares of two inches.",
    }
    .html()
}

impl Field {
    fn draw(&self, worst: &[(&String, f64)]) -> String {
        let [west, north, width, height] = self.window;
        let scale = width / 560.0;
        let most = worst.first().map_or(0.01, |(_, share)| *share).max(1e-9);
        let mut heat = String::new();
        for (place, share) in worst.iter().rev() {
            let Some(([x, y], _)) = self.places.get(*place) else { continue };
            let part = share / most;
            let radius = self.size * (0.30 + 0.66 * part.sqrt());
            let opacity = 0.22 + 0.66 * part;
            let shape = if self.hexes { hexagon(*x, *y, radius) } else { square(*x, *y, radius) };
            let _ = write!(
                heat,
                "<path d=\"{shape}\" style=\"fill:var(--heat);fill-opacity:{opacity:.2};stroke:var(--halo);stroke-width:{:.1}\"/>",
                1.4 * scale
            );
        }
        let mut tags = String::new();
        let mut taken: Vec<[f64; 2]> = Vec::new();
        for (place, share) in worst.iter().take(6) {
            let Some(([x, y], name)) = self.places.get(*place) else { continue };
            let near = |[tx, ty]: &[f64; 2]| (tx - x).abs() < 150.0 * scale && (ty - y).abs() < 30.0 * scale;
            if taken.iter().any(near) || taken.len() == 4 {
                continue;
            }
            taken.push([*x, *y]);
            let said = format!("{} {:.0} %", name.as_deref().unwrap_or(place), share * 100.0);
            let wide = (said.chars().count() as f64 * 7.6 + 14.0) * scale;
            let right = *x + self.size + wide + 10.0 * scale > west + width;
            let left = if right { x - self.size * 1.1 - wide } else { x + self.size * 1.1 };
            let _ = write!(
                tags,
                "<g class=\"tag\"><rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" rx=\"{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" style=\"font-size:{:.1}px\">{}</text></g>",
                y - 10.0 * scale,
                20.0 * scale,
                3.0 * scale,
                left + 7.0 * scale,
                y + 4.4 * scale,
                12.0 * scale,
                escape(&said)
            );
        }
        format!(
            "<svg class=\"map-frame\" viewBox=\"{west:.0} {north:.0} {width:.0} {height:.0}\" role=\"img\" aria-label=\"A map of where strength was lost\" style=\"border-radius:6px;background:var(--ground)\"><g class=\"map\">{}</g>{heat}{tags}</svg>",
            self.art
        )
    }

    fn of_hexes(ground: &HexGround, worst: &[(&String, f64)]) -> Field {
        let across = f64::from(ground.hex_yards);
        let side = across / 3_f64.sqrt();
        let surveyed = ground.survey.get("size").is_some();
        let inset = if surveyed { ground.inset.map(f64::from) } else { [0.0, 0.0] };
        let middle = |hex: &str| -> Option<[f64; 2]> {
            let (column, row) = (hex.get(..2)?.parse::<u32>().ok()?, hex.get(2..)?.parse::<u32>().ok()?);
            let low = (column % 2 == 0) == ground.even_low;
            let down = if low { across } else { across / 2.0 };
            let x = inset[0] + side + 1.5 * side * (f64::from(column) - 1.0);
            Some([x, inset[1] + down + across * (f64::from(row) - 1.0)])
        };
        let places: BTreeMap<String, ([f64; 2], Option<String>)> = ground
            .hexes
            .iter()
            .filter_map(|face| Some((face.hex.clone(), (middle(&face.hex)?, face.name.clone()))))
            .collect();
        let shown =
            worst.iter().filter(|(_, share)| *share > 0.002).filter_map(|(place, _)| places.get(*place));
        let window = around(shown.map(|(at, _)| *at), across * 1.6, 1.62).unwrap_or([
            0.0,
            0.0,
            across * f64::from(ground.cols),
            across * f64::from(ground.rows),
        ]);
        let inside = |[x, y]: [f64; 2]| {
            x > window[0] - across
                && x < window[0] + window[2] + across
                && y > window[1] - across
                && y < window[1] + window[3] + across
        };
        let mut art = String::new();
        if surveyed {
            art += &survey(&ground.survey, window[2] / 560.0);
        } else {
            for face in &ground.hexes {
                let Some((at, _)) = places.get(&face.hex).filter(|(at, _)| inside(*at)) else { continue };
                let tint = match (face.terrain.as_str(), face.level) {
                    (terrain, _) if terrain.contains("wood") || terrain.contains("orchard") => "var(--wood)",
                    (terrain, _) if terrain.contains("town") || terrain.contains("village") => "var(--town)",
                    (terrain, _) if terrain.contains("field") => "var(--tilth)",
                    (_, 1) => "var(--lv1)",
                    (_, 2..) => "var(--lv2)",
                    _ => continue,
                };
                let _ = write!(art, "<path d=\"{}\" style=\"fill:{tint}\"/>", hexagon(at[0], at[1], side));
            }
        }
        let grid: String = places
            .values()
            .filter(|(at, _)| inside(*at))
            .map(|(at, _)| hexagon(at[0], at[1], side))
            .collect();
        let _ = write!(
            art,
            "<path d=\"{grid}\" style=\"fill:none;stroke:var(--grid);stroke-opacity:.22;stroke-width:{:.1}\"/>",
            0.9 * window[2] / 560.0
        );
        Field { window, art, size: side, hexes: true, places }
    }

    fn of_table(ground: &TableGround, worst: &[(&String, f64)]) -> Field {
        let inch = 1000.0;
        let deep = f64::from(ground.depth);
        let places: BTreeMap<String, ([f64; 2], Option<String>)> = worst
            .iter()
            .filter_map(|(place, _)| {
                let (x, y) = place.split_once(',')?;
                let (x, y): (f64, f64) = (x.parse().ok()?, y.parse().ok()?);
                let said = format!("{x:.0} in east, {y:.0} in north");
                Some(((*place).clone(), ([(x + 1.0) * inch, deep - (y + 1.0) * inch], Some(said))))
            })
            .collect();
        let window = [0.0, 0.0, f64::from(ground.width), deep];
        let mut art = String::new();
        for piece in &ground.terrain {
            let points: Vec<[f64; 2]> =
                piece.points.iter().map(|[x, y]| [f64::from(*x), deep - f64::from(*y)]).collect();
            let kind = piece.kind.as_str();
            let (fill, stroke, width) = match kind {
                _ if kind.contains("wood") || kind.contains("orchard") => {
                    ("var(--wood)", "var(--woodedge)", 160.0)
                }
                _ if kind.contains("hill") || kind.contains("rise") || kind.contains("ridge") => {
                    ("var(--lv1)", "var(--lv2)", 160.0)
                }
                _ if kind.contains("stream") || kind.contains("river") || kind.contains("water") => {
                    ("none", "var(--water)", f64::from(piece.width).max(200.0))
                }
                _ if kind.contains("road") || kind.contains("lane") || kind.contains("pike") => {
                    ("none", "var(--road)", f64::from(piece.width).max(300.0))
                }
                _ if kind.contains("field") => ("var(--tilth)", "var(--line)", 100.0),
                _ if kind.contains("building") || kind.contains("town") || kind.contains("house") => {
                    ("var(--town)", "var(--roadcase)", 120.0)
                }
                _ => ("none", "var(--roadcase)", f64::from(piece.width).clamp(120.0, 260.0)),
            };
            let fill = if piece.closed { fill } else { "none" };
            let _ = write!(
                art,
                "<path d=\"{}{}\" style=\"fill:{fill};stroke:{stroke};stroke-width:{width:.0};stroke-linejoin:round\"/>",
                path(&points),
                if piece.closed { "Z" } else { "" }
            );
        }
        Field { window, art, size: inch, hexes: false, places }
    }
}

/// The ground of a survey: heights, woods, waters, roads, towns and names.
fn survey(survey: &Value, scale: f64) -> String {
    let high = survey["size"][1].as_f64().unwrap_or(0.0);
    let point = |value: &Value| Some([value[0].as_f64()?, high - value[1].as_f64()?]);
    let points = |value: &Value| -> Vec<[f64; 2]> {
        value.as_array().into_iter().flatten().filter_map(point).collect()
    };
    let features = |kind: &str| survey[kind].as_array().cloned().unwrap_or_default();
    let mut art = String::new();
    let mut area = |kind: &str, style: &dyn Fn(&Value) -> String| {
        for feature in features(kind) {
            let ring = points(&feature["outline"]);
            if ring.len() > 2 {
                let _ = write!(art, "<path d=\"{}\" style=\"{}\"/>", smooth(&ring, true), style(&feature));
            }
        }
    };
    area("high", &|feature| match feature["level"].as_i64() {
        Some(2..) => {
            format!("fill:var(--lv2);fill-opacity:.75;stroke:var(--lv2);stroke-width:{:.1}", 2.0 * scale)
        }
        _ => format!("fill:var(--lv1);fill-opacity:.85;stroke:var(--lv2);stroke-width:{:.1}", 1.5 * scale),
    });
    area("woods", &|_| format!("fill:var(--wood);stroke:var(--woodedge);stroke-width:{:.1}", 1.4 * scale));
    for kind in ["field", "orchard"] {
        area(kind, &|_| {
            format!("fill:var(--tilth);stroke:var(--woodedge);stroke-opacity:.4;stroke-width:{scale:.1}")
        });
    }
    area("town", &|_| "fill:var(--town)".to_owned());
    area("water", &|_| "fill:var(--water);fill-opacity:.5".to_owned());
    let mut course = |kind: &str, style: &dyn Fn(&Value) -> String| {
        for feature in features(kind) {
            let line = points(&feature["line"]);
            if line.len() > 1 {
                let _ = write!(
                    art,
                    "<path d=\"{}\" style=\"fill:none;{}\"/>",
                    smooth(&line, false),
                    style(&feature)
                );
            }
        }
    };
    course("water", &|feature| {
        let width = match feature["kind"].as_str() {
            Some("stream") => 2.0,
            _ => 4.0,
        };
        format!("stroke:var(--water);stroke-width:{:.1}", width * scale)
    });
    let road = |casing: bool| {
        move |feature: &Value| {
            let (wide, narrow) = match feature["kind"].as_str() {
                Some("lane") => (3.0, 1.6),
                Some("railroad" | "unfinished") => (3.2, 0.0),
                _ => (4.4, 2.6),
            };
            match casing {
                true => format!("stroke:var(--roadcase);stroke-width:{:.1}", wide * scale),
                false => format!("stroke:var(--road);stroke-width:{:.1}", narrow * scale),
            }
        }
    };
    course("road", &road(true));
    course("road", &road(false));
    course("wall", &|_| {
        format!(
            "stroke:var(--roadcase);stroke-width:{:.1};stroke-dasharray:{:.0} {:.0}",
            1.6 * scale,
            5.0 * scale,
            3.0 * scale
        )
    });
    for feature in features("high") {
        let ring = points(&feature["outline"]);
        let name = feature["label"].as_str().or(feature["name"].as_str()).unwrap_or_default();
        if ring.is_empty() || name.is_empty() {
            continue;
        }
        let n = ring.len() as f64;
        let [x, y] = ring.iter().fold([0.0, 0.0], |sum, p| [sum[0] + p[0] / n, sum[1] + p[1] / n]);
        let _ = write!(
            art,
            "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"middle\" style=\"font-size:{:.0}px;opacity:.8;stroke-width:{:.1}px\">{}</text>",
            11.0 * scale,
            3.0 * scale,
            escape(&name.to_uppercase())
        );
    }
    art
}

/// A box around points, grown by `margin`, and made this much wider than high.
fn around(points: impl Iterator<Item = [f64; 2]>, margin: f64, shape: f64) -> Option<[f64; 4]> {
    let mut ends: Option<[f64; 4]> = None;
    for [x, y] in points {
        let [w, n, e, s] = ends.unwrap_or([x, y, x, y]);
        ends = Some([w.min(x), n.min(y), e.max(x), s.max(y)]);
    }
    let [w, n, e, s] = ends?;
    let (mut width, mut height) = (e - w + 2.0 * margin, s - n + 2.0 * margin);
    let (x, y) = ((w + e) / 2.0, (n + s) / 2.0);
    if width / height < shape {
        width = height * shape;
    } else {
        height = width / shape;
    }
    Some([x - width / 2.0, y - height / 2.0, width, height])
}

fn hexagon(x: f64, y: f64, side: f64) -> String {
    let (half, tall) = (side / 2.0, side * 3_f64.sqrt() / 2.0);
    let corners = [[side, 0.0], [half, tall], [-half, tall], [-side, 0.0], [-half, -tall], [half, -tall]];
    let corners: Vec<[f64; 2]> = corners.iter().map(|[dx, dy]| [x + dx, y + dy]).collect();
    path(&corners) + "Z"
}

fn square(x: f64, y: f64, half: f64) -> String {
    path(&[[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]) + "Z"
}

fn path(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.0} {y:.0}")).collect();
    format!("M{}", points.join("L"))
}

/// A curve through the points (Catmull and Rom's).
fn smooth(points: &[[f64; 2]], closed: bool) -> String {
    let n = points.len();
    let at = |index: isize| match closed {
        true => points[index.rem_euclid(n as isize) as usize],
        false => points[index.clamp(0, n as isize - 1) as usize],
    };
    let mut out = format!("M{:.0} {:.0}", points[0][0], points[0][1]);
    for index in 0..(if closed { n } else { n - 1 }) as isize {
        let [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
        let lead = |axis: usize| from[axis] + (to[axis] - before[axis]) / 6.0;
        let tail = |axis: usize| to[axis] - (after[axis] - from[axis]) / 6.0;
        let _ = write!(
            out,
            "C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}",
            lead(0),
            lead(1),
            tail(0),
            tail(1),
            to[0],
            to[1]
        );
    }
    if closed {
        out.push('Z');
    }
    out
}
