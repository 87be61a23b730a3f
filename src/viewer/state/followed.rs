//! The bone that is followed from motion to motion, by its name.

use pchr::document::BoneId;

use super::State;

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
