//! Names of elements as texts that mean only them, and animations by such texts; `select` finds the other elements.

use pchr::document::{AnimationId, BoneId, ImageId, Images, MeshId};
use pchr::overlay::Trail;
use pchr::scene::Subject;

use crate::text::is_hidden;

/// Signs that patterns, lists and shells give a meaning.
const SPECIAL: &str = "*?[]{}!\\,=:\"";

/// An animation. Its name may hold a star: an exact name takes precedence over a pattern, and flip-books have stars in their names.
#[must_use]
pub fn animation(subject: &dyn Subject, id: AnimationId) -> String {
    named(subject.animation_names(), id.0, "?[]{}!\\,=:\"")
}

/// Finds an animation by its name, else by its index, which may follow a `#`.
pub fn find_animation(subject: &dyn Subject, wanted: &str) -> Option<AnimationId> {
    subject.animation_named(wanted).or_else(|| {
        let index = wanted.strip_prefix('#').unwrap_or(wanted);
        let id = AnimationId(index.parse().ok()?);
        subject.animation(id).map(|_| id)
    })
}

/// A mesh.
#[must_use]
pub fn mesh(subject: &dyn Subject, id: MeshId) -> String {
    named(subject.mesh_names(), id.0, SPECIAL)
}

/// A bone.
#[must_use]
pub fn bone(subject: &dyn Subject, id: BoneId) -> String {
    named(subject.bone_names(), id.0, SPECIAL)
}

/// An image, as `--image` names it.
#[must_use]
pub fn image(images: &dyn Images, id: ImageId) -> String {
    named(images.images().map(|image| image.name()), id.0, "=")
}

/// A point whose path is shown.
#[must_use]
pub fn trail(subject: &dyn Subject, trail: Trail) -> String {
    match trail {
        Trail::Bone(id) => bone(subject, id),
        Trail::Vertex(id, vertex) => format!("{}:{vertex}", mesh(subject, id)),
    }
}

/// A frame of an animation.
#[must_use]
pub fn frame(subject: &dyn Subject, id: AnimationId, frame: u16) -> String {
    let name = named(subject.animation_names(), id.0, SPECIAL);
    let text = format!("{name}:{frame}");
    match subject.animation_names().any(|name| name == text) {
        true => format!("#{}:{frame}", id.0), // the whole is an animation's name
        false => text,
    }
}

/// Returns the name of an element if it means only that element and holds none of these signs, else its number.
fn named<'a>(names: impl Iterator<Item = &'a str> + Clone, index: u16, signs: &str) -> String {
    let name = names.clone().nth(index.into()).unwrap_or_default();
    let special = |c: char| is_hidden(c) || signs.contains(c);
    let plain = !name.is_empty()
        && !name.starts_with(['#', '-'])
        && !name.contains(special)
        && name.trim() == name
        && !matches!(name, "all" | "none");
    match plain && names.filter(|other| *other == name).count() == 1 {
        true => name.to_owned(),
        false => format!("#{index}"),
    }
}
