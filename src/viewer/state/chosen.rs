//! Place in the picture of the selected bone or mesh.

use super::State;

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
