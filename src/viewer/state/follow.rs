//! The camera follows the selected bone, which keeps its place in the picture.

use pchr::document::BoneId;

use super::State;
use crate::viewer::action::Message;
use crate::viewer::switch::Switch;

/// Message while there is no bone to follow.
const CHOOSE: &str = "Select the bone to follow";

/// A bone and its joint in the world, of the model with a serial number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joint {
    model: u64,
    bone: BoneId,
    place: [f64; 3],
}

impl State {
    /// Turns it on or off. Without a bone it waits for one.
    pub(super) fn toggle_follow(&mut self) {
        let on = self.looking.flip(Switch::Follow);
        if on && self.parts.bone.is_none() {
            self.said = Some(Message::new(CHOOSE));
        }
    }

    /// Moves the camera by as much as the joint has moved since the last call.
    pub(super) fn go_along(&mut self) {
        let waits = self.looking.is_on(Switch::Follow) && self.parts.bone.is_none();
        if !waits && self.said.as_ref().is_some_and(|said| said.text == CHOOSE) {
            self.said = None;
        }
        let now = match self.looking.is_on(Switch::Follow) {
            true => self.chosen_joint(),
            false => None,
        };
        let before = std::mem::replace(&mut self.along, now);
        let Some((before, now)) = before.zip(now) else {
            return;
        };
        if before == now || (before.model, before.bone) != (now.model, now.bone) {
            return;
        }
        let ([x0, y0, z0], [x1, y1, z1]) = (before.place, now.place);
        let [dx, dy, dz] = [x1 - x0, y1 - y0, z1 - z0];
        match &mut self.view.orbit {
            Some(orbit) => {
                let [x, y, z] = orbit.target;
                orbit.target = [x + dx, y + dy, z + dz];
            }
            None => {
                let [x, y] = self.view.camera.center;
                self.view.camera.center = [x + dx, y + dy];
            }
        }
        self.view.fitted = false;
        self.touch();
    }

    fn chosen_joint(&self) -> Option<Joint> {
        let (model, bone) = (self.model.as_ref()?, self.parts.bone?);
        let place = self.joint(bone)?;
        let is_finite = place.iter().all(|c| c.is_finite());
        is_finite.then_some(Joint {
            model: model.serial(),
            bone,
            place,
        })
    }

    /// Returns the place of a joint in the world, in the frame on screen.
    pub(crate) fn joint(&self, bone: BoneId) -> Option<[f64; 3]> {
        let model = self.model.as_ref()?;
        if self.view.orbit.is_some() {
            let worlds = model.frame().spatial().world_from_bone();
            return Some(worlds.get(bone.index())?.translation.into());
        }
        let worlds = model.pose().world_from_bone();
        let [[_, _, x, _], [_, _, y, _]] = worlds.get(bone.index())?;
        Some([f64::from(*x), f64::from(*y), 0.0])
    }
}
