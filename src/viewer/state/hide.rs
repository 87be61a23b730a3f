//! Hiding a bone: the meshes that it moves most.

use pchr::document::BoneId;

use super::State;
use crate::viewer::action::Message;

impl State {
    /// Returns true if any of the meshes of a bone is visible; `None` if it has none.
    pub(crate) fn is_bone_shown(&self, bone: BoneId, below: bool) -> Option<bool> {
        let model = self.model.as_ref()?;
        let meshes = model.held_by(bone, below);
        let any = meshes.iter().any(|mesh| model.shown(*mesh).visible);
        (!meshes.is_empty()).then_some(any)
    }

    /// Hides the meshes of a bone. If none is visible gives them back to the file; where the file hides them, too, shows them.
    pub(super) fn hide_bone(&mut self, bone: BoneId, below: bool) {
        let Some(model) = &self.model else {
            return;
        };
        // In many rigs meshes hang on a child of the bone that people mean.
        let own = model.held_by(bone, false);
        let meshes = match below || own.is_empty() {
            true => model.held_by(bone, true).to_vec(),
            false => own.to_vec(),
        };
        if meshes.is_empty() {
            let name = model.subject().bone(bone).map_or("", |bone| bone.name());
            let text = format!("No mesh follows {name} or a bone below it");
            return self.said = Some(Message::new(text));
        }
        let is_shown = |authored: bool| {
            meshes.iter().any(|mesh| {
                let order = match authored {
                    true => model.authored(*mesh),
                    false => model.shown(*mesh),
                };
                order.visible
            })
        };
        let wish = match (is_shown(false), is_shown(true)) {
            (true, _) => Some(false),
            (false, true) => None,
            (false, false) => Some(true),
        };
        for mesh in meshes {
            self.show_mesh(mesh, wish);
        }
    }
}
