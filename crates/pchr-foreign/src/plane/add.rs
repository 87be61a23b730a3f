//! A character with one more animation.

use std::collections::HashSet;

use pchr::document::{AnimationParts, Document};
use pchr::format::pchr::{BuildError, append_animation, read};
use pchr::pose::is_bind_name;

/// Makes the document that has `animation` behind its own. All else stays as it is, byte for byte.
///
/// # Errors
/// [`BuildError`] if the animation does not fit.
pub fn add(document: &Document, animation: &AnimationParts) -> Result<Document, BuildError> {
    let bytes = append_animation(document, animation)?;
    read(bytes.into()).map_err(|(invalid, _)| invalid.into())
}

/// The name that a new animation gets: as wanted, or with a number from 2 on if another animation has it, or if it would make the
/// animation the [bind pose](pchr::pose::BindSource::Named).
#[must_use]
pub fn free_name(document: &Document, wanted: &str) -> String {
    let taken: HashSet<&str> = document.animations().map(|it| it.name()).collect();
    if !taken.contains(wanted) && !is_bind_name(wanted) {
        return wanted.to_owned();
    }
    let numbered = (2_u32..).map(|number| format!("{wanted} {number}"));
    let mut free = numbered.filter(|name| !taken.contains(name.as_str()));
    free.next().unwrap_or_else(|| wanted.to_owned())
}
