//! A sprite in words.

use pchr::document::MeshId;
use pchr_foreign::atlas::Sprite;
use pchr_foreign::sheet::atlas_of;

use super::names::shown;
use crate::viewer::model::Model;

/// Facts about a sprite at a glance.
pub(super) fn in_words(model: &Model, mesh: MeshId) -> String {
    let subject = model.subject();
    let Some(atlas) = atlas_of(subject) else {
        return String::new();
    };
    let Some((name, sprite)) = atlas.sprites.get_index(mesh.index()) else {
        return String::new();
    };
    let mut lines = vec![shown(name)];
    lines.push(format!("{} on page {}", place(sprite), sprite.page));
    lines.extend(source(sprite));
    if sprite.rotated {
        lines.push("Rotated on the page".into());
    }
    let original = sprite
        .alias_of
        .and_then(|index| atlas.sprites.get_index(index as usize));
    if let Some((original, _)) = original {
        lines.push(format!("Alias of {}", shown(original)));
    }
    lines.join("\n")
}

/// Size and place on the page.
pub(super) fn place(sprite: &Sprite) -> String {
    let rect = sprite.rect;
    let (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height);
    format!("{width} × {height} at {x}, {y}")
}

/// The source of a trimmed sprite.
pub(super) fn source(sprite: &Sprite) -> Option<String> {
    let trim = sprite.trim?;
    let ([width, height], [x, y]) = (trim.source, trim.offset);
    Some(format!("Trimmed from {width} × {height}, lies at {x}, {y}"))
}
