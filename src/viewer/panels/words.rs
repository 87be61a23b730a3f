//! Words for parts: an atlas has sprites where other content has meshes.

use std::borrow::Cow;

use egui::Ui;

use pchr::overlay::Layer;

use crate::viewer::action::Action;
use crate::viewer::kind::Kind;
use crate::viewer::state::State;

/// Words of an atlas for words of other content.
const OF_AN_ATLAS: [(&str, &str); 4] = [
    ("Atlas page of the selected mesh", "Page view"),
    (Layer::Names.name(), "Sprite names"),
    ("mesh", "sprite"),
    ("Mesh", "Sprite"),
];

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
pub(super) fn fit<'a>(ui: &Ui, text: &'a str) -> Cow<'a, str> {
    if kind(ui) == Kind::Atlas {
        of_an_atlas(text)
    } else {
        text.into()
    }
}

fn of_an_atlas(text: &str) -> Cow<'_, str> {
    let whole = OF_AN_ATLAS.iter().find(|(other, _)| *other == text);
    if let Some((_, own)) = whole {
        return Cow::Borrowed(own);
    }
    let plural = text
        .replace("meshes", "sprites")
        .replace("Meshes", "Sprites");
    plural
        .replace("mesh", "sprite")
        .replace("Mesh", "Sprite")
        .into()
}
