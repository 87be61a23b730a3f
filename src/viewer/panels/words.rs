//! Names as they are shown, and words for the open content.

use egui::Ui;

use pchr::document::MeshId;
use pchr_foreign::atlas::Sprite;
use pchr_foreign::sheet::atlas_of;
use pchr_tools::text::visible;

use crate::viewer::action::Action;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Kind;

fn id() -> egui::Id {
    egui::Id::unique("kind of what is open")
}

/// Sets the words for the kind of the open file.
pub(super) fn install(ui: &Ui, state: &State) {
    let kind = state.kind();
    ui.data_mut(|data| data.insert_temp(id(), kind));
}

/// Returns true if the open file has sprites.
pub(super) fn has_sprites(state: &State) -> bool {
    state.kind() == Kind::Atlas
}

/// Returns true if an action applies to the open file: an atlas has no bones.
pub(super) fn concerns(ui: &Ui, action: &Action) -> bool {
    action.concerns(kind(ui))
}

/// Kind of the open file.
pub(super) fn kind(ui: &Ui) -> Kind {
    ui.data(|data| data.get_temp(id())).unwrap_or_default()
}

/// Returns a text about meshes in the words for the open file.
pub(super) fn fit<'a>(ui: &Ui, text: &'a str) -> &'a str {
    kind(ui).words(text)
}

/// Returns a name without hidden characters, or a replacement for an empty one.
pub(super) fn shown(name: &str) -> String {
    match name {
        "" => "(no name)".to_owned(),
        name => visible(name).into_owned(),
    }
}

/// Facts about a sprite at a glance.
pub(super) fn sprite_in_words(model: &Model, mesh: MeshId) -> String {
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
fn source(sprite: &Sprite) -> Option<String> {
    let trim = sprite.trim?;
    let ([width, height], [x, y]) = (trim.source, trim.offset);
    Some(format!("Trimmed from {width} × {height}, lies at {x}, {y}"))
}
