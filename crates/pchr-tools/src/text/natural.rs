//! Names as people list them.

use std::cmp::Ordering;

/// Key by which people list a name: numbers by their value, letters without case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Natural {
    name: String,
    folded: String,
}

impl Natural {
    /// The key of a name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            folded: name.to_lowercase(),
            name: name.to_owned(),
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let folded = alphanumeric_sort::compare_str(&self.folded, &other.folded);
        folded.then_with(|| self.name.cmp(&other.name)) // the order is total
    }
}
