//! Words for parts: an atlas has sprites where other content has meshes.

use std::borrow::Cow;

use egui::Ui;

use crate::overlay::Layer;
use crate::viewer::action::{Action, LookAction};
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::tab::Tab;

/// Words of an atlas for words of other content.
const OF_AN_ATLAS: [(&str, &str); 4] = [
    ("Atlas page of the chosen mesh", "Page view"),
    (Layer::Names.name(), "Sprite names"),
    ("mesh", "sprite"),
    ("Mesh", "Sprite"),
];

fn id() -> egui::Id {
    egui::Id::unique("sprites are shown")
}

/// Takes the words that fit what is open.
pub(super) fn install(ui: &Ui, state: &State) {
    let sprites = has_sprites(state);
    ui.data_mut(|data| data.insert_temp(id(), sprites));
}

/// Returns true if the parts of what is open are sprites.
pub(super) fn has_sprites(state: &State) -> bool {
    let model = state.model();
    model.is_some_and(|model| model.loaded().sprites.is_some())
}

/// Returns whether an action does anything to what is open: an atlas has no bones.
pub(super) fn concerns(ui: &Ui, action: &Action) -> bool {
    let of_bones = matches!(
        action,
        Action::Toggle(Switch::Bones | Switch::Weights | Switch::Curves)
            | Action::Looking(LookAction::Tab(Tab::Bones))
    );
    !(of_bones && are_sprites(ui))
}

fn are_sprites(ui: &Ui) -> bool {
    ui.data(|data| data.get_temp(id())).unwrap_or(false)
}

/// A text that may be about meshes, in the words for what is open.
pub(super) fn fit<'a>(ui: &Ui, text: &'a str) -> Cow<'a, str> {
    if are_sprites(ui) {
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
