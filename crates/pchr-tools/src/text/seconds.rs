//! Times as they are typed.

/// Reads a time in seconds; it may be negative.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok();
    let value = value.filter(|value| value.is_finite());
    value.ok_or_else(|| format!("invalid time {text:?}: expected seconds, like 0.5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_finite() {
        assert_eq!([seconds("-0.5"), seconds(" 2e3")], [Ok(-0.5), Ok(2000.0)]);
        for text in ["nan", "inf", "", "1s", "0,5"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
