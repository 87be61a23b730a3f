//! Counts with their nouns, for messages.

use std::fmt::Display;

/// Formats a whole number with its noun: `1 vertex`, `3 vertices`.
pub fn counted(count: impl Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    let noun = if count == "1" { one } else { many };
    format!("{count} {noun}")
}

/// Formats a whole number with its noun as a clause: `there is 1 bone`, `there are 3 bones`.
pub fn there_are(count: impl Display, one: &str, many: &str) -> String {
    let counted = counted(count, one, many);
    let verb = if counted.starts_with("1 ") {
        "is"
    } else {
        "are"
    };
    format!("there {verb} {counted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_and_verbs_agree_with_the_count() {
        assert_eq!(counted(1_u8, "index", "indices"), "1 index");
        assert_eq!(counted(11, "index", "indices"), "11 indices");
        assert_eq!(there_are(0, "bone", "bones"), "there are 0 bones");
        assert_eq!(there_are(1_u64, "bone", "bones"), "there is 1 bone");
        assert_eq!(there_are(21, "bone", "bones"), "there are 21 bones");
    }
}
