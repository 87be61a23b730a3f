//! Names as people list them.

use std::cmp::Ordering;

/// Names in the order in which people list them: numbers by their value, letters without case.
#[derive(Debug, PartialEq, Eq)]
pub struct Natural<T>(pub T);

impl<T: AsRef<str> + Eq> PartialOrd for Natural<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: AsRef<str> + Eq> Ord for Natural<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.0.as_ref(), other.0.as_ref());
        pieces(a).cmp(pieces(b)).then_with(|| a.cmp(b)) // the order is total
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'a> {
    /// Number of digits without leading zeros, and these.
    Number(usize, &'a str),
    Letter(char),
}

/// A name as numbers and single letters.
fn pieces(name: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = name;
    let mut lower: Option<std::char::ToLowercase> = None;
    std::iter::from_fn(move || {
        if let Some(letter) = lower.as_mut().and_then(Iterator::next) {
            return Some(Piece::Letter(letter));
        }
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        if end > 0 {
            let (digits, after) = rest.split_at(end);
            rest = after;
            let digits = digits.trim_start_matches('0');
            return Some(Piece::Number(digits.len(), digits));
        }
        let mut chars = rest.chars();
        let mut letters = chars.next()?.to_lowercase();
        rest = chars.as_str();
        let first = letters.next();
        lower = Some(letters);
        first.map(Piece::Letter)
    })
}
