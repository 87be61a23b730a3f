//! What is chosen: its place on the picture, the bone that stays chosen across motions, and what a bone hides.

use pchr::document::BoneId;

use super::State;
use crate::viewer::action::Message;

impl State {
    /// Returns the place of the chosen part in screen pixels: where it was picked, else the bone's joint.
    pub(crate) fn chosen_on_screen(&self) -> Option<[f64; 2]> {
        let size = self.view.size;
        if let Some(pick) = &self.parts.pick {
            return Some(self.view.camera.screen_at(pick.world.map(f64::from), size));
        }
        let place = self.joint(self.parts.bone?)?;
        match &self.view.orbit {
            Some(orbit) => {
                let view = orbit.view(size);
                view.screen(view.see(place.into()))
            }
            None => {
                let [x, y, _] = place;
                Some(self.view.camera.screen_at([x, y], size))
            }
        }
    }
}

impl State {
    /// Follows the selected bone, if it moves in space; else none.
    pub(super) fn keep_bone(&mut self) {
        self.followed = self.bone_in_space();
    }

    /// Chooses the followed bone in the file that is opened, if it has one; otherwise remembers it for files that do.
    pub(super) fn follow_bone(&mut self) {
        let spatial = self.model.as_ref().and_then(|it| it.subject().spatial());
        if spatial.is_some() && self.followed.is_some() {
            self.parts.bone = self.followed_bone();
        }
    }

    /// Does the same in another version of the open file, where the bone may have been renamed.
    pub(super) fn follow_bone_again(&mut self) {
        self.parts.bone = self.followed_bone().or(self.parts.bone);
    }

    /// Name of the selected bone, if it moves in space.
    fn bone_in_space(&self) -> Option<String> {
        let subject = self.model.as_ref()?.subject();
        subject.spatial()?;
        Some(subject.bone(self.parts.bone?)?.name().to_owned())
    }

    /// The followed bone in the open file.
    fn followed_bone(&self) -> Option<BoneId> {
        let (name, subject) = (self.followed.as_ref()?, self.model.as_ref()?.subject());
        subject.spatial()?;
        let chosen = self.parts.bone.and_then(|bone| subject.bone(bone));
        if chosen.is_some_and(|bone| bone.name() == name) {
            return self.parts.bone; // one of several of that name
        }
        let place = subject.bone_names().position(|bone| bone == name)?;
        u16::try_from(place).ok().map(BoneId)
    }
}

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
