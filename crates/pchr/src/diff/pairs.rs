//! Elements of both versions, matched by name.

use std::collections::HashMap;

use super::{Change, ChangeKind, Element, ElementKind};

/// Maximum number of pairs of unmatched elements whose content is compared, to find renamed ones.
const MOST_RENAMED: usize = 1 << 16;

/// Elements of a section, matched.
#[derive(Debug)]
pub(super) struct Pairs {
    kind: ElementKind,
    old_names: Vec<String>,
    new_names: Vec<String>,
    /// Index in the version after, by that before.
    new_of: Vec<Option<u16>>,
}

impl Pairs {
    /// Matches elements by name; those that are left, by their content.
    pub(super) fn new(
        kind: ElementKind,
        [old_names, new_names]: [Vec<String>; 2],
        is_same: impl Fn(u16, u16) -> bool,
    ) -> Self {
        let mut places: HashMap<&str, Vec<u16>> = HashMap::new();
        for (new, name) in (0..).zip(&new_names).collect::<Vec<_>>().into_iter().rev() {
            places.entry(name).or_default().push(new);
        }
        let of_name = |name: &String| places.get_mut(name.as_str())?.pop();
        let mut new_of: Vec<Option<u16>> = old_names.iter().map(of_name).collect();
        let mut left: Vec<u16> = places.into_values().flatten().collect();
        left.sort_unstable();
        let unmatched = new_of.iter().filter(|new| new.is_none()).count();
        if unmatched.saturating_mul(left.len()) <= MOST_RENAMED {
            for (old, place) in (0..).zip(&mut new_of).filter(|(_, new)| new.is_none()) {
                let found = left.iter().position(|new| is_same(old, *new));
                *place = found.map(|found| left.remove(found));
            }
        }
        Self { kind, old_names, new_names, new_of }
    }

    /// Returns the element after that matches one before.
    pub(super) fn new_of(&self, old: u16) -> Option<u16> {
        self.new_of.get(usize::from(old)).copied().flatten()
    }

    /// Returns true if each element has its match at the same index.
    pub(super) fn is_identity(&self) -> bool {
        self.both().all(|(old, new)| old == new) && self.new_of.iter().all(Option::is_some)
    }

    /// Returns each pair: index before, index after.
    pub(super) fn both(&self) -> impl Iterator<Item = (u16, u16)> + '_ {
        (0..).zip(&self.new_of).filter_map(|(old, new)| Some((old, (*new)?)))
    }

    pub(super) fn element(&self, old: Option<u16>, new: Option<u16>) -> Element {
        let name = match (old, new) {
            (_, Some(new)) => self.new_names.get(usize::from(new)),
            (Some(old), None) => self.old_names.get(usize::from(old)),
            (None, None) => None,
        };
        Element { kind: self.kind, name: name.cloned().unwrap_or_default(), old, new }
    }

    /// Adds the elements that were added, removed, renamed or reordered.
    pub(super) fn list(&self, changes: &mut Vec<Change>) {
        let mut is_new = vec![true; self.new_names.len()];
        let kept = longest_ascending(self.both().map(|(_, new)| new));
        let mut kept = kept.into_iter().peekable();
        for (old, new) in (0..).zip(&self.new_of) {
            let element = self.element(Some(old), *new);
            let Some(new) = *new else {
                changes.push(Change { element, kind: ChangeKind::Removed });
                continue;
            };
            if let Some(is_new) = is_new.get_mut(usize::from(new)) {
                *is_new = false;
            }
            let from = self.old_names.get(usize::from(old)).cloned().unwrap_or_default();
            if from != element.name {
                let kind = ChangeKind::Renamed(from);
                changes.push(Change { element: element.clone(), kind });
            }
            if kept.next_if_eq(&new).is_none() {
                changes.push(Change { element, kind: ChangeKind::Reordered });
            }
        }
        for (new, _) in (0..).zip(is_new).filter(|(_, is_new)| *is_new) {
            let element = self.element(None, Some(new));
            changes.push(Change { element, kind: ChangeKind::Added });
        }
    }
}

/// Returns the longest ascending sequence within `numbers`: the elements that keep their order.
fn longest_ascending(numbers: impl Iterator<Item = u16>) -> Vec<u16> {
    let numbers: Vec<u16> = numbers.collect();
    // The place of the smallest last number of a sequence, by length; and the place before each.
    let mut lasts: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    let at = |place: usize| numbers.get(place).copied();
    for (place, number) in numbers.iter().enumerate() {
        let len = lasts.partition_point(|last| at(*last) < Some(*number));
        before.push(len.checked_sub(1).and_then(|len| lasts.get(len).copied()));
        match lasts.get_mut(len) {
            Some(last) => *last = place,
            None => lasts.push(place),
        }
    }
    let mut kept = Vec::with_capacity(lasts.len());
    let mut place = lasts.last().copied();
    while let Some(here) = place {
        kept.extend(at(here));
        place = before.get(here).copied().flatten();
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_elements_count_as_reordered() {
        assert_eq!(longest_ascending([0, 1, 2].into_iter()), [0, 1, 2]);
        assert_eq!(longest_ascending([3, 0, 1, 2].into_iter()), [0, 1, 2]);
        assert_eq!(longest_ascending([0, 2, 1, 4, 3, 5].into_iter()).len(), 4);
        assert_eq!(longest_ascending(std::iter::empty()), Vec::<u16>::new());
    }

    #[test]
    fn equal_names_are_matched_in_order_and_the_rest_by_content() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let sides = [names(&["a", "a", "old", "gone"]), names(&["b", "a", "new", "a"])];
        let pairs = Pairs::new(ElementKind::Bone, sides, |old, new| (old, new) == (2, 2));
        assert_eq!(pairs.both().collect::<Vec<_>>(), [(0, 1), (1, 3), (2, 2)]);
        let mut changes = Vec::new();
        pairs.list(&mut changes);
        let told = changes.iter().map(|it| (it.element.name.as_str(), it.kind.clone()));
        let told: Vec<_> = told.collect();
        let renamed = ChangeKind::Renamed("old".into());
        assert!(told.contains(&("new", renamed)) && told.contains(&("gone", ChangeKind::Removed)));
        assert!(told.contains(&("b", ChangeKind::Added)) && told.len() == 4, "{told:?}");
    }
}
