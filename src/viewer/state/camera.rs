//! The camera of the picture; around a motion in space, its direction and projection, and the bone in its middle.

use pchr::document::{AnimationId, BoneId};
use pchr::playback::FrameAt;
use pchr::scene::{
    BoneHit, Bounds, Camera, Camera2d, Direction, Geometry, OBLIQUE, OrbitCamera, Spatial,
    ViewBounds, ViewOptions, measure, pick_bone,
};
use pchr_foreign::motion::UpAxis;
use pchr_tools::view::Shown;

use super::State;
use crate::viewer::action::CameraAction;
use crate::viewer::backgrounds_and_rulers::Facing;
use crate::viewer::switch::Switch;

/// Distance in screen pixels that a nudge moves the picture.
const NUDGE: f64 = 32.0;
/// Zoom factor of a step; four steps double the zoom.
const STEP: f64 = 1.189_207_115_002_721;

/// The camera and its view.
#[derive(Debug, Default)]
pub(super) struct CameraState {
    pub(super) camera: Camera2d,
    /// Camera of a subject whose bones move in space; `None` while there is none.
    pub(super) orbit: Option<OrbitCamera>,
    /// Part of the orbit camera that is kept for the next subject whose bones move in space.
    pub(super) kept: Orbit,
    /// True while the camera follows the fit, until it is moved.
    pub(super) fitted: bool,
    /// True if the fit is that of the animation, and false if it is that of all.
    pub(super) fits_clip: bool,
    /// Bounds of the fit.
    pub(super) bounds: Option<Bounds>,
    /// Bounds of the fit along the axes of the orbit camera.
    pub(super) view_bounds: Option<ViewBounds>,
    /// Size of the picture in screen pixels.
    pub(super) size: [u32; 2],
    /// Size of the picture that the zoom is of, until the size of this one is known.
    pub(super) zoom_of: Option<[u32; 2]>,
    /// Middle, zoom and size of the picture before the preview that is on show, unless the camera follows the fit or was moved since.
    pub(super) before_preview: Option<([f64; 3], f64, [u32; 2])>,
    /// Position of the pointer over the picture in screen pixels.
    pub(super) pointer: Option<[f64; 2]>,
}

impl CameraState {
    /// Creates a view that follows the fit.
    pub(super) fn new(camera: Camera2d) -> Self {
        Self { camera, fitted: true, ..Self::default() }
    }

    /// Flips the picture horizontally, or not.
    pub(super) fn set_mirror(&mut self, mirror: bool) {
        self.camera.mirror = mirror;
        self.kept.mirror = mirror;
        if let Some(orbit) = &mut self.orbit {
            orbit.mirror = mirror;
        }
    }

    /// Moves the camera to the fit, if it follows the fit.
    pub(super) fn place(&mut self) {
        if !self.fitted || self.size.contains(&0) {
            return;
        }
        if let Some(orbit) = &mut self.orbit {
            if let Some(seen) = &self.view_bounds {
                *orbit = orbit.fit(seen, self.size);
            }
        } else {
            let fit = Camera2d::fit(self.bounds, self.size, self.camera.y_down);
            (self.camera.center, self.camera.zoom) = (fit.center, fit.zoom);
        }
    }

    fn middle(&self) -> [f64; 2] {
        self.size.map(|side| f64::from(side) / 2.0)
    }

    /// Returns the point about which keys zoom: the pointer, or the middle of the picture.
    fn zoomed_about(&self) -> [f64; 2] {
        self.pointer.unwrap_or_else(|| self.middle())
    }

    /// Puts a point in the middle of the picture. The camera no longer follows the fit.
    pub(super) fn put(&mut self, middle: [f64; 3], zoom: f64) {
        self.fitted = false;
        match &mut self.orbit {
            Some(orbit) => (orbit.target, orbit.zoom) = (middle, zoom),
            None => {
                let [x, y, _] = middle;
                (self.camera.center, self.camera.zoom) = ([x, y], zoom);
            }
        }
    }

    /// Returns the point in the middle of the picture, and the zoom.
    pub(super) fn middle_and_zoom(&self) -> ([f64; 3], f64) {
        match self.orbit {
            Some(orbit) => (orbit.target, orbit.zoom),
            None => {
                let [x, y] = self.camera.center;
                ([x, y, 0.0], self.camera.zoom)
            }
        }
    }

    /// Takes the zoom as that of a picture of another size: the same part of the world stays in sight.
    pub(super) fn scale_from(&mut self, size: Option<[u32; 2]>) {
        self.zoom_of = size;
        if self.size.contains(&0) {
            return; // once it is known
        }
        let Some(of) = self.zoom_of.take().filter(|of| *of != self.size) else { return };
        let [width, height] = self.size.map(f64::from);
        let [of_width, of_height] = of.map(f64::from);
        let (middle, zoom) = self.middle_and_zoom();
        self.put(middle, zoom * (width / of_width).min(height / of_height));
    }

    /// Keeps the same part of the world in sight while the window is a preview, and returns to it after that.
    pub(super) fn preview(&mut self, on: bool) {
        let before = self.before_preview.take();
        if on && !self.fitted {
            let (middle, zoom) = self.middle_and_zoom();
            self.before_preview = Some((middle, zoom, self.size));
        } else if let Some((middle, zoom, _)) = before {
            self.put(middle, zoom);
        }
    }

    /// Zooms to a value about the middle of the picture.
    fn zoom_to(&mut self, zoom: f64) {
        self.fitted = false;
        let middle = self.middle();
        match &mut self.orbit {
            Some(orbit) => orbit.zoom_to(zoom, middle, self.size),
            None => self.camera.zoom_to(zoom, middle, self.size),
        }
    }

    fn zoom(&mut self, factor: f64, at: [f64; 2]) {
        self.fitted = false;
        match &mut self.orbit {
            Some(orbit) => orbit.zoom_about(factor, at, self.size),
            None => self.camera.zoom_about(factor, at, self.size),
        }
    }

    fn pan(&mut self, by: [f64; 2]) {
        self.fitted = false;
        match &mut self.orbit {
            Some(orbit) => orbit.pan(by),
            None => self.camera.pan(by),
        }
    }

    /// Returns the camera that draws the picture.
    pub(super) fn scene_camera(&self) -> Camera {
        match self.orbit {
            Some(orbit) => orbit.into(),
            None => self.camera.into(),
        }
    }

    /// Carries out actions that only need the view. Returns true if the view has changed.
    pub(super) fn on(&mut self, action: &CameraAction) -> bool {
        match action {
            CameraAction::Viewport(size) => {
                if *size == self.size {
                    return false;
                }
                self.size = *size;
                if let Some((middle, zoom, of)) = self.before_preview {
                    self.put(middle, zoom);
                    self.scale_from(Some(of));
                } else if self.zoom_of.is_some() {
                    self.scale_from(self.zoom_of);
                }
                self.place();
            }
            CameraAction::Pan(by) => self.pan(*by),
            CameraAction::Nudge(by) => self.pan(by.map(|by| f64::from(by) * NUDGE)),
            CameraAction::Zoom(factor, at) => self.zoom(*factor, *at),
            CameraAction::ZoomBy(steps) => {
                self.zoom(STEP.powi(*steps), self.zoomed_about());
            }
            CameraAction::Point(at) => {
                self.pointer = *at;
                return false;
            }
            CameraAction::ZoomTo(zoom) => {
                if !(zoom.is_finite() && *zoom > 0.0) {
                    return false;
                }
                self.zoom_to(*zoom);
            }
            CameraAction::Middle([x, y]) => {
                let [width, height] = self.middle();
                self.pan([width - x, height - y]);
            }
            CameraAction::ActualSize if self.orbit.is_none() => {
                self.zoom_to(1.0);
            }
            _ => return false, // the state carries out the others
        }
        true
    }
}

impl State {
    pub(super) fn on_camera(&mut self, action: &CameraAction) {
        match action {
            CameraAction::Zoom(_, at) => self.focus_at(*at),
            CameraAction::ZoomBy(_) => self.focus_at(self.view.zoomed_about()),
            _ => {}
        }
        match action {
            CameraAction::Fit | CameraAction::FitAll => {
                self.view.fits_clip = *action == CameraAction::Fit;
                self.fit();
            }
            CameraAction::FitFrame => self.fit_now(&self.parts.view.clone()),
            CameraAction::FitChosen => self.fit_chosen(),
            CameraAction::Turn(_)
            | CameraAction::TurnBy(_)
            | CameraAction::Face(_)
            | CameraAction::Center(..) => {
                return self.on_orbit(action);
            }
            CameraAction::Mirror => {
                self.view.set_mirror(!self.view.camera.mirror);
                self.refit();
            }
            action if self.view.on(action) => {}
            _ => return,
        }
        self.touch();
    }

    /// Measures the content and shows it whole.
    pub(super) fn fit(&mut self) {
        self.view.fitted = true;
        self.refit();
    }

    /// Shows what is drawn in the frame on screen, as it is now.
    fn fit_now(&mut self, view: &ViewOptions) {
        let bounds = self.model.as_ref().and_then(|model| model.bounds_now(view));
        let fit = Camera2d::fit(bounds, self.view.size, self.view.camera.y_down);
        match bounds {
            Some(_) => self.view.put([fit.center[0], fit.center[1], 0.0], fit.zoom),
            None => self.say("Nothing to fit is drawn in this frame"),
        }
    }

    /// Shows the selected mesh, or the meshes of the selected bone. A bone without meshes comes to the middle.
    fn fit_chosen(&mut self) {
        let Some(model) = &self.model else { return };
        let (mesh, bone) = (self.parts.mesh, self.parts.bone);
        let meshes = match (mesh, bone) {
            (Some(mesh), _) => vec![mesh],
            (None, Some(bone)) => model.held_by(bone, true).to_vec(),
            (None, None) => return self.say("Nothing is selected"),
        };
        if let (true, Some(joint)) = (meshes.is_empty(), bone.and_then(|bone| self.joint(bone))) {
            let (_, zoom) = self.view.middle_and_zoom();
            return self.view.put(joint, zoom);
        }
        let mut view = self.parts.view.clone();
        let geometry: &dyn Geometry = model.subject();
        let ids: Vec<_> = geometry.mesh_ids().collect();
        for id in ids.into_iter().filter(|id| !meshes.contains(id)) {
            view.mesh_mut(id).visible = Some(false);
        }
        self.fit_now(&view);
    }

    /// Measures again if the camera follows the fit.
    pub(super) fn refit(&mut self) {
        if let Some(model) = self.model.as_ref().filter(|_| self.view.fitted) {
            if let Some(camera) = self.view.orbit {
                let subject = model.subject();
                let clip = self.player.clip.animation;
                let moments: Vec<_> = match clip {
                    Some(id) => subject.moments(id).collect(),
                    None => vec![None],
                };
                let in_place = self.parts.view.in_place;
                let (seen, _) = measure(subject, &camera, in_place, moments.into_iter());
                self.view.view_bounds = Some(seen);
                return self.view.place();
            }
            let is_sized = model.loaded().sprites.is_some();
            self.view.bounds = match self.view.fits_clip || is_sized {
                true => model.bounds(self.player.clip.animation, &self.parts.view),
                false => model.bounds_of_all(&self.parts.view),
            };
            // A pinned frame of another animation is shown, too.
            if let Some(pin) = self.parts.pin.filter(|_| self.is_on(Switch::Pin)) {
                let at = FrameAt::exact(pin.animation, pin.frame);
                let mut sweep = model.subject().sweep(&self.parts.view);
                let pinned = sweep.over(&mut std::iter::once(Some(at)));
                let both = self.view.bounds.into_iter().chain(pinned);
                self.view.bounds = both.reduce(Bounds::union);
            }
            let is_of_clip = self.view.fits_clip || is_sized;
            self.view.bounds = self.with_counterpart(self.view.bounds, is_of_clip);
            self.view.place();
        }
    }

    /// Fits the current content if an animation's frames are pictures of any size, and the animation is not `before`.
    pub(super) fn follow_fit(&mut self, before: Option<AnimationId>) {
        let sized = self.model.as_ref().is_some_and(|model| model.loaded().sprites.is_some());
        if sized && self.player.clip.animation != before {
            self.refit();
        }
    }
}

/// A bone and its joint in the world, of the model with a serial number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joint {
    model: u64,
    bone: BoneId,
    place: [f64; 3],
}

impl State {
    /// Moves the camera by as much as the joint has moved since the last call.
    pub(super) fn go_along(&mut self) {
        let waits = self.looking.is_on(Switch::Follow) && self.parts.bone.is_none();
        if !waits && self.said.as_ref().is_some_and(|said| said.about == Some(Switch::Follow)) {
            self.said = None;
        }
        let now = match self.looking.is_on(Switch::Follow) {
            true => self.chosen_joint(),
            false => None,
        };
        let before = std::mem::replace(&mut self.along, now);
        let Some((before, now)) = before.zip(now) else { return };
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
        is_finite.then_some(Joint { model: model.serial(), bone, place })
    }

    /// Returns the place of a joint in the world, in the frame on screen.
    pub(crate) fn joint(&self, bone: BoneId) -> Option<[f64; 3]> {
        let model = self.model.as_ref()?;
        if self.view.orbit.is_some() {
            let worlds = &model.frame().spatial().worlds;
            return Some(worlds.get(bone.index())?.translation.into());
        }
        let worlds = model.frame().pose().world_from_bone();
        let [[_, _, x, _], [_, _, y, _]] = worlds.get(bone.index())?;
        Some([f64::from(*x), f64::from(*y), 0.0])
    }
}

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
    pub(super) perspective: bool,
    /// Degrees that a picture in perspective is high.
    fov: f64,
    /// The axis that was chosen to point up, instead of the file's.
    pub(super) up: Option<UpAxis>,
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

    pub(super) fn is_z_up(&self) -> bool {
        self.view.orbit.is_some_and(|orbit| orbit.up == UpAxis::Z)
    }

    /// Applies actions to a camera in space; ignores others.
    pub(super) fn on_orbit(&mut self, action: &CameraAction) {
        let Some(orbit) = self.view.orbit else { return };
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

    /// Turns the camera to the direction that is now requested.
    pub(super) fn look_again(&mut self) {
        if let Some(orbit) = self.view.orbit {
            self.view.orbit = Some(self.view.kept.wanted(orbit));
            self.refit();
            self.touch();
        }
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

    pub(super) fn bone_at(&self, at: [f64; 2], within: f64) -> Option<BoneHit> {
        let (model, orbit) = (self.model.as_ref()?, self.view.orbit?);
        let (subject, pose) = (model.subject(), model.frame().spatial());
        let view = orbit.view(self.view.size);
        pick_bone(subject, subject.spatial()?, pose, &view, at, within)
    }

    /// Brings a joint to the middle.
    fn center(&mut self, bone: BoneId) {
        if let (Some(place), Some(orbit)) = (self.joint(bone), &mut self.view.orbit) {
            orbit.target = place;
            self.view.fitted = false;
            self.touch();
        }
    }
}
