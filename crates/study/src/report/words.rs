//! Numbers and text as the page writes them.

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

/// A signed number with a real minus; nothing has no sign.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let said = format!("{value:+.digits$}");
    match said.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        true => said.replace('-', "−"),
        false => said[1..].to_owned(),
    }
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
        assert_eq!((signed(0.0, 0), signed(-0.04, 1)), ("0".into(), "0.0".into()));
        assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
