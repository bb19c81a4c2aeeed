//! Small helpers for drawing.

use std::fmt::Display;

/// Text that stands in a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// `19,600`.
pub(crate) fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `52.0`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// A signed number with a real minus.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    format!("{value:+.digits$}").replace('-', "−")
}

pub(crate) fn text(x: f64, y: f64, class: &str, said: impl Display) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(&said.to_string()))
}

pub(crate) fn rect(x: f64, y: f64, w: f64, h: f64, class: &str) -> String {
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{h:.1}\" class=\"{class}\"/>",
        w.max(0.0)
    )
}

pub(crate) fn line(x1: f64, y1: f64, x2: f64, y2: f64, class: &str) -> String {
    format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>")
}

pub(crate) fn circle(x: f64, y: f64, r: f64, class: &str) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" class=\"{class}\"/>")
}

pub(crate) fn diamond(x: f64, y: f64, r: f64, class: &str) -> String {
    let (l, t, e, b) = (x - r, y - r, x + r, y + r);
    format!("<path d=\"M{x:.1} {t:.1}L{e:.1} {y:.1}L{x:.1} {b:.1}L{l:.1} {y:.1}Z\" class=\"{class}\"/>")
}

/// An interval: a line with two ends.
pub(crate) fn whisker(x1: f64, x2: f64, y: f64) -> String {
    line(x1, y, x2, y, "ink")
        + &line(x1, y - 4.0, x1, y + 4.0, "ink")
        + &line(x2, y - 4.0, x2, y + 4.0, "ink")
}

/// A chart of this size, which says in words what it shows.
pub(crate) fn chart(width: f64, height: f64, says: &str, inside: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\"><defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" style=\"fill:var(--second)\"/><rect width=\"1.2\" height=\"6\" fill=\"#0003\"/></pattern></defs>{inside}</svg>",
        escape(says)
    )
}

/// A step for an axis: 1, 2 or 5 times a power of ten, so that about `parts` of them fill `span`.
pub(crate) fn step(span: f64, parts: f64) -> f64 {
    let rough = (span / parts).max(1e-9);
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            (number(7), number(19_600), number(1_234_567)),
            ("7".into(), "19,600".into(), "1,234,567".into())
        );
        assert_eq!((signed(-2.14, 1), signed(4.9, 1)), ("−2.1".into(), "+4.9".into()));
        assert_eq!((step(60.0, 5.0), step(7.0, 5.0), step(0.9, 5.0)), (20.0, 2.0, 0.2));
        assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
