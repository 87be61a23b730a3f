//! The camera around a motion in space: its direction and projection, and the bone in its middle.

use pchr::document::BoneId;
use pchr::scene::{BoneHit, Direction, OBLIQUE, OrbitCamera, Spatial, pick_bone};
use pchr_foreign::motion::UpAxis;
use pchr_tools::view::Shown;

use super::State;
use crate::viewer::action::CameraAction;
use crate::viewer::facing::Facing;

/// Degrees that a picture in perspective is high, unless others were asked for.
const FOV: f64 = 40.0;
/// Degrees that a key turns the camera.
const TURN: f64 = 15.0;
/// Screen pixels from a bone within which the wheel zooms about it.
const NEAR_BONE: f64 = 48.0;
/// Parts of a degree that directions are rounded to, so that they are short when copied.
const PARTS: f64 = 1000.0;

/// Part of the camera that stays when another motion is opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orbit {
    pub(super) direction: Direction,
    perspective: bool,
    /// Degrees that a picture in perspective is high.
    fov: f64,
    /// The axis that was chosen to point up, instead of the file's.
    up: Option<UpAxis>,
    /// True if the picture is flipped horizontally.
    pub(super) mirror: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { direction: OBLIQUE, perspective: false, fov: FOV, up: None, mirror: false }
    }
}

impl Orbit {
    /// The camera that a view asks for.
    pub(super) fn new(shown: &Shown) -> Self {
        let fov = shown.fov.filter(|fov| *fov > 0.0);
        Self {
            direction: shown.view.map_or(OBLIQUE, |view| view.0),
            perspective: fov.is_some(),
            fov: fov.unwrap_or(FOV),
            up: shown.up.map(Into::into),
            mirror: shown.mirror == Some(true),
        }
    }

    /// A camera with this direction and projection.
    pub(super) fn camera(&self, spatial: &dyn Spatial) -> OrbitCamera {
        self.wanted(OrbitCamera { up: spatial.up(), ..OrbitCamera::default() })
    }

    /// A camera turned so.
    fn wanted(&self, camera: OrbitCamera) -> OrbitCamera {
        let [yaw, pitch] = self.direction;
        OrbitCamera {
            yaw,
            pitch,
            fov: if self.perspective { self.fov } else { 0.0 },
            up: self.up.unwrap_or(camera.up),
            mirror: self.mirror,
            ..camera
        }
    }
}

impl State {
    /// The camera of a subject whose bones move in space.
    pub(crate) fn orbit(&self) -> Option<OrbitCamera> {
        self.view.orbit
    }

    /// True if near things are larger than far ones.
    pub(super) fn is_perspective(&self) -> bool {
        self.view.kept.perspective
    }

    /// True if Z points up.
    pub(super) fn is_z_up(&self) -> bool {
        self.view.orbit.is_some_and(|orbit| orbit.up == UpAxis::Z)
    }

    /// Applies actions to a camera in space; ignores others.
    pub(super) fn on_orbit(&mut self, action: &CameraAction) {
        let Some(orbit) = self.view.orbit else {
            return;
        };
        match action {
            CameraAction::Turn(by) => self.turn(orbit, *by),
            CameraAction::TurnBy(by) => {
                self.turn(orbit, by.map(|by| f64::from(by) * TURN));
            }
            CameraAction::Face(facing) => {
                let is_there = Facing::of([orbit.yaw, orbit.pitch]) == Some(*facing);
                let facing = if is_there { facing.opposite() } else { *facing };
                self.view.kept.direction = facing.direction();
            }
            CameraAction::Center(at, within) => match self.bone_at(*at, *within) {
                Some(hit) => return self.center(hit.bone),
                None => return self.on_camera(&CameraAction::Fit),
            },
            _ => return,
        }
        self.look_again();
    }

    /// Turns the camera by degrees: to the right and up.
    fn turn(&mut self, mut orbit: OrbitCamera, [yaw, pitch]: [f64; 2]) {
        orbit.turn(yaw, pitch);
        let direction = [orbit.yaw, orbit.pitch];
        self.view.kept.direction = direction.map(|it| (it * PARTS).round() / PARTS);
        self.view.fitted = false;
    }

    /// Turns perspective on or off; objects at the distance of the target keep their size.
    pub(super) fn toggle_perspective(&mut self) {
        self.view.kept.perspective = !self.view.kept.perspective;
        self.look_again();
    }

    /// Lets Z point up, or Y.
    pub(super) fn toggle_z_up(&mut self) {
        let up = if self.is_z_up() { UpAxis::Y } else { UpAxis::Z };
        self.view.kept.up = Some(up);
        self.look_again();
    }

    /// Turns the camera to the direction that is now requested.
    pub(super) fn look_again(&mut self) {
        if let Some(orbit) = self.view.orbit {
            self.view.orbit = Some(self.view.kept.wanted(orbit));
            self.refit();
            self.touch();
        }
    }

    /// Chooses the bone under a point.
    pub(super) fn pick_bone_at(&mut self, at: [f64; 2], within: f64) {
        self.parts.mesh = None;
        self.parts.pick = None;
        self.parts.bone = self.bone_at(at, within).map(|hit| hit.bone);
    }

    /// Takes the depth of the bone at a point of the picture as that about which the camera zooms. Beside all bones it stays: the camera
    /// never flies through the one that it came near to.
    pub(super) fn focus_at(&mut self, at: [f64; 2]) {
        if !self.is_perspective() {
            return;
        }
        let hit = self.bone_at(at, NEAR_BONE);
        if let (Some(hit), Some(orbit)) = (hit, &mut self.view.orbit) {
            orbit.focus(hit.depth, self.view.size);
        }
    }

    fn bone_at(&self, at: [f64; 2], within: f64) -> Option<BoneHit> {
        let (model, orbit) = (self.model.as_ref()?, self.view.orbit?);
        let (subject, pose) = (model.subject(), model.frame().spatial());
        let view = orbit.view(self.view.size);
        pick_bone(subject, subject.spatial()?, pose, &view, at, within)
    }

    /// Brings a joint to the middle.
    fn center(&mut self, bone: BoneId) {
        let worlds = self.model.as_ref().map(|it| it.frame().spatial().world_from_bone());
        let place = worlds.and_then(|worlds| worlds.get(bone.index()));
        if let (Some(place), Some(orbit)) = (place, &mut self.view.orbit) {
            orbit.target = place.translation.into();
            self.view.fitted = false;
            self.touch();
        }
    }
}
