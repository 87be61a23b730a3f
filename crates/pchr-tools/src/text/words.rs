//! Numbers as people read and type them.

use std::fmt::Display;

use indicatif::HumanCount;

/// `1,200`.
pub(crate) fn number(number: impl TryInto<u64>) -> String {
    HumanCount(number.try_into().unwrap_or(u64::MAX)).to_string()
}

/// `1 bone`, `1,200 bones`.
pub(crate) fn count(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{} {many}", HumanCount(count)),
    }
}

/// Names and the like that are listed.
const LISTED: usize = 10;

/// The first few of `total`, and the number of the others: `a; b; and 3 more`.
pub(crate) fn listed<T: Display>(
    items: impl Iterator<Item = T>,
    total: impl TryInto<u64>,
) -> String {
    let first: Vec<String> = items.take(LISTED).map(|item| item.to_string()).collect();
    let total = total.try_into().unwrap_or(u64::MAX);
    let more = match total.saturating_sub(first.len() as u64) {
        0 => String::new(),
        more => format!("; and {} more", HumanCount(more)),
    };
    first.join("; ") + &more
}

/// A line for each of the first few, and one for the others: that before it, and how many more.
pub(crate) fn each<T>(items: &[T], line: impl Fn(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = items.iter().take(LISTED).map(line).collect();
    if let more @ 1.. = items.len().saturating_sub(LISTED)
        && let Some(last) = lines.last_mut()
    {
        *last += &format!("; and {} more", number(more));
    }
    lines
}

/// Formats a share in percent. It is 0 or 100 only if the part is nothing or everything.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if part == 0 {
        return "0%".into();
    }
    if part >= whole {
        return "100%".into();
    }
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let percent = part as f64 / whole as f64 * 100.0;
    if percent < 0.1 {
        "<0.1%".into()
    } else if percent > 99.9 {
        ">99.9%".into()
    } else {
        format!("{percent:.1}%")
    }
}

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
