//! Words for parts: an atlas has sprites where other content has meshes.

use std::borrow::Cow;

use egui::Ui;

use crate::viewer::state::State;

/// Words of an atlas for words of other content.
const OF_AN_ATLAS: [(&str, &str); 3] = [
    ("Atlas page of the chosen mesh", "Pages of the atlas"),
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

/// A text that may be about meshes, in the words for what is open.
pub(super) fn fit<'a>(ui: &Ui, text: &'a str) -> Cow<'a, str> {
    let sprites = ui.data(|data| data.get_temp(id())).unwrap_or(false);
    if sprites {
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
