//! Names to suggest in a message about an unknown name.

/// Maximum number of names that are listed in full; from longer lists, only the closest are offered.
const LISTED: usize = 8;
/// Names that are offered.
const OFFERED: usize = 3;
/// Names that are looked at, and characters of each: files may hold many long ones.
const LOOKED_AT: (usize, usize) = (10_000, 60);
/// The least similarity, as for options of the command line.
const SIMILAR: f64 = 0.7;

/// The names closest to a mistyped one: at most three, the best first.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (count, length) = LOOKED_AT;
    let start = |name: &str| name.to_lowercase().chars().take(length).collect::<String>();
    let typed = start(typed);
    let similar = |name: &'a str| {
        let start = start(name);
        // A part of a name is a good guess, too.
        let part = typed.chars().count() > 2 && start.contains(&typed);
        let similarity = strsim::jaro_winkler(&typed, &start);
        Some((similarity.max(if part { SIMILAR } else { 0.0 }), name))
            .filter(|(similarity, _)| *similarity >= SIMILAR)
    };
    let mut near: Vec<(f64, &str)> = names.take(count).filter_map(similar).collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a)); // stable: of equals the first
    near.dedup_by_key(|(_, name)| *name);
    near.into_iter()
        .map(|(_, name)| name)
        .take(OFFERED)
        .collect()
}

/// Lists the choices: all of a few names, else the closest ones and the count.
#[must_use]
pub fn there_are<'a>(
    what: &str,
    typed: &str,
    names: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> String {
    let count = names.len();
    if count == 0 {
        return format!("the file has no {what}");
    }
    let quoted = |names: Vec<&str>| {
        let quoted: Vec<String> = names.into_iter().map(short).collect();
        quoted.join(", ")
    };
    if count <= LISTED {
        return format!("available: {}", quoted(names.collect()));
    }
    let near = nearest(typed, names.clone());
    if near.is_empty() {
        let first = quoted(names.take(LISTED).collect());
        return format!(
            "available: {first} and {} more",
            count.saturating_sub(LISTED)
        );
    }
    format!("closest of {count} {what}: {}", quoted(near))
}

/// A name in quotes; a long one is cut.
fn short(name: &str) -> String {
    let (_, length) = LOOKED_AT;
    match name.char_indices().nth(length) {
        None => format!("{name:?}"),
        Some((end, _)) => format!("{:?}…", name.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_nearest_are_offered_of_many_and_all_of_a_few() {
        let few = ["walk", "run"];
        assert_eq!(
            there_are("animations", "wlak", few.into_iter()),
            r#"available: "walk", "run""#
        );
        assert_eq!(
            there_are("animations", "x", [].into_iter()),
            "the file has no animations"
        );
        let many: Vec<String> = (0..300).map(|i| format!("clip {i}")).collect();
        let many = || many.iter().map(String::as_str);
        assert_eq!(
            there_are("animations", "clpi 27", many()),
            r#"closest of 300 animations: "clip 27", "clip 127", "clip 207""#
        );
        let none = there_are("animations", "zzz", many());
        assert!(
            none.starts_with(r#"available: "clip 0", "#) && none.ends_with(" and 292 more"),
            "{none}"
        );
        let long = "a".repeat(1 << 16);
        let long = there_are("bones", "b", [long.as_str()].into_iter());
        assert!(long.chars().count() < 80, "{long}");
    }

    #[test]
    fn case_parts_and_swapped_letters_are_near() {
        let names = ["hand_left", "hand_right", "foot", "HEAD", "tail"];
        let near = |typed| nearest(typed, names.into_iter());
        assert_eq!(near("head").first(), Some(&"HEAD"));
        assert_eq!(near("right"), ["hand_right"]);
        assert_eq!(near("tial"), ["tail"]);
        assert_eq!(near("xyz"), [""; 0]);
    }
}
