//! Numbers as people read them.

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

/// A part of a whole in percent; neither 0 nor 100 unless it is nothing or all.
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
