//! Charts as Vega-Lite: specs with their data inline, and the script that draws them.

use base64::prelude::{BASE64_STANDARD as BASE64, Engine as _};
use rust_embed::RustEmbed;
use serde_json::{Value, json};

use super::words::escape;

/// What `npm run build` in `web/` packs of Vega (`web/report`).
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist/report"]
#[allow_missing = true]
struct Packed;

const NO_CHARTS: &str = "<p class=\"note\">This program was built without its charts (<code>npm run build</code> in <code>web/</code> makes them); the numbers are in the tables.</p>";

/// Unpacks the script and runs it. Browsers unpack by themselves, so the page stays small.
const UNPACK: &str = "(async()=>{const packed=document.getElementById('packed').textContent;\
const bytes=Uint8Array.from(atob(packed),letter=>letter.charCodeAt(0));\
const stream=new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));\
const script=document.createElement('script');script.textContent=await new Response(stream).text();\
document.head.append(script)})()";

/// The script for the end of a page with charts.
pub(super) fn script() -> String {
    match Packed::get("charts.js.gz") {
        Some(file) => format!(
            "<script type=\"text/plain\" id=\"packed\">{}</script><script>{UNPACK}</script>",
            BASE64.encode(file.data)
        ),
        None => NO_CHARTS.to_owned(),
    }
}

/// A chart: how large its plot is, and what is left around it.
pub(super) struct Chart {
    /// What it shows, for those who do not see it.
    pub says: String,
    /// Width and height of the plot.
    pub plot: [f64; 2],
    /// Left, top, right, bottom.
    pub around: [f64; 4],
    /// What is drawn, from the back to the front.
    pub layers: Vec<Value>,
}

impl Chart {
    /// The place in the page where it is drawn.
    pub(super) fn html(self) -> String {
        let [left, top, right, bottom] = self.around;
        let spec = json!({
            "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
            "description": self.says,
            "width": self.plot[0],
            "height": self.plot[1],
            "padding": { "left": left, "top": top, "right": right, "bottom": bottom },
            "autosize": "none",
            "layer": self.layers,
        });
        // The page's own markup cannot begin inside.
        let spec = spec.to_string().replace('<', "\\u003c");
        format!(
            "<div class=\"chart\" style=\"--shape:{:.0}/{:.0}\"><noscript><p class=\"note\">{} The chart needs JavaScript; its numbers are in the table below.</p></noscript><script type=\"application/json\">{spec}</script></div>",
            left + self.plot[0] + right,
            top + self.plot[1] + bottom,
            escape(&self.says),
        )
    }
}

/// One layer with its own data.
pub(super) fn layer(values: &[Value], mark: Value, encoding: Value) -> Value {
    json!({ "data": { "values": values }, "mark": mark, "encoding": encoding })
}

/// A layer that stands for nothing but itself, and that screen readers pass over.
pub(super) fn ornament(values: &[Value], mut mark: Value, encoding: Value) -> Value {
    mark["aria"] = false.into();
    mark["tooltip"] = Value::Null;
    layer(values, mark, encoding)
}

/// An interval from the field `low` to `high`: a line with two ends.
pub(super) fn interval(values: &[Value], y: &Value, down: f64) -> [Value; 3] {
    let end = |field: &str| {
        let mark = json!({ "type": "tick", "orient": "vertical", "height": 8, "yOffset": down });
        ornament(values, mark, json!({ "x": { "field": field, "type": "quantitative" }, "y": y }))
    };
    let line = ornament(
        values,
        json!({ "type": "rule", "yOffset": down, "y2Offset": down }),
        json!({ "x": { "field": "low", "type": "quantitative" }, "x2": { "field": "high" }, "y": y }),
    );
    [line, end("low"), end("high")]
}

/// Words at a place of the plot that has nothing to do with the data.
pub(super) fn words(said: &str, [x, y]: [f64; 2], mut mark: Value) -> Value {
    mark["type"] = "text".into();
    mark["align"] = mark.get("align").cloned().unwrap_or_else(|| "left".into());
    mark["text"] = said.into();
    ornament(&[json!({})], mark, json!({ "x": { "value": x }, "y": { "value": y } }))
}

/// Rows in the order of their number, one band each, without an axis.
pub(super) fn rows() -> Value {
    json!({ "field": "row", "type": "ordinal", "axis": null, "scale": { "padding": 0 } })
}

/// How an axis writes its numbers: expressions of Vega.
pub(super) const SIGNED: &str = "datum.value === 0 ? '0' : format(datum.value, '+.1~f')";
pub(super) const PLAIN: &str = "format(datum.value, 'd')";
pub(super) const SHARE: &str = "format(datum.value * 100, '.1~f') + ' %'";

/// An axis of numbers whose line at nothing is drawn through.
pub(super) fn axis(labels: &str, ticks: u32) -> Value {
    let at_nothing = |then: Value, other: Value| {
        let here = json!({ "test": "datum.value === 0", "value": then });
        json!({ "condition": here, "value": other })
    };
    json!({
        "labelExpr": labels,
        "tickCount": ticks,
        "gridColor": at_nothing("var(--ink-3)".into(), "var(--line)".into()),
        "gridDash": at_nothing(json!([]), json!([2, 4])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_the_spec() {
        let said = "</script><script>alert(1)</script>";
        let chart = Chart {
            says: said.to_owned(),
            plot: [100.0, 50.0],
            around: [1.0, 2.0, 3.0, 4.0],
            layers: vec![words(said, [0.0, 0.0], json!({}))],
        };
        let html = chart.html();
        assert_eq!(html.matches("</script>").count(), 1, "{html}");
        assert!(html.contains("--shape:104/56"), "{html}");
        let spec = html.split("json\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
        let spec: Value = serde_json::from_str(spec).unwrap();
        assert_eq!(spec["description"], said);
        assert_eq!(spec["layer"][0]["mark"]["text"], said);
    }
}
