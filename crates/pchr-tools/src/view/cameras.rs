//! The camera of each picture, and the camera and the moment of a picture, as reports, records of baselines and PNG files have them.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::document::AnimationId;
use pchr::glam::DVec3;
use pchr::playback::{FrameAt, Mix};
use pchr::scene::{
    Bounds, Camera, Camera2d, OBLIQUE, OrbitCamera, Spatial, Subject, Sweep, ViewBounds,
    ViewOptions, measure, measure_mixed,
};

use super::choices::{Fit, UpArg};
use super::option_values::Point;
use super::{Shown, ViewError, mixes};
use crate::capture::{Shot, moment_in};
use crate::text::slashed;

/// The origin of cameras that are not those of the subject itself: `--camera-of`.
pub(crate) enum CameraOf {
    /// The camera of a picture.
    Picture(Camera),
    /// The cameras that another subject has with the same options.
    Subject(Arc<dyn Subject>, ViewOptions),
}

/// Gives pictures their cameras.
#[derive(Clone, Copy)]
pub(super) struct CamerasJob<'a> {
    pub(super) options: &'a Shown,
    pub(super) subject: &'a dyn Subject,
    pub(super) view: &'a ViewOptions,
    pub(super) other: Option<&'a CameraOf>,
}

/// The frames that a camera has to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HeldFrames {
    /// One; `None` is the stored pose.
    Frame(Option<FrameAt>),
    /// All of an animation.
    Animation(AnimationId),
    /// All of all animations.
    All,
    /// All moments of a mix that keeps two animations in phase, and the frames of both that [`Fit`] covers.
    Steady(AnimationId, AnimationId, f32),
    /// A moment of a cross-fade, and the frames of both animations that [`Fit`] covers, so that the camera does not move while the amount changes.
    Mixed(FrameAt, Mix),
}

/// A moment, `None` for the stored pose, and the cross-fade from it to another.
pub(super) type CameraMoment = (Option<FrameAt>, Option<Mix>);

impl CamerasJob<'_> {
    /// Gives each moment its camera, which depends on nothing but the moment: a picture that is taken alone is the same as
    /// within a sequence. Also says whether all fits are exact. `known` may know the camera of a picture by its index.
    pub(super) fn run(
        self,
        moments: Vec<CameraMoment>,
        known: &dyn Fn(usize) -> Option<Camera>,
    ) -> Result<(Vec<Shot>, bool), ViewError> {
        match self.other {
            Some(CameraOf::Picture(camera)) => {
                return Ok((self.of_picture(*camera, moments, known)?, true));
            }
            Some(CameraOf::Subject(other, view)) => {
                return self.of_subject(&**other, view, moments, known);
            }
            None => {}
        }
        match self.subject.spatial() {
            Some(spatial) => {
                let mut orbit = self.orbit(spatial)?;
                let shots = self.shots(moments, known, |held| orbit.camera(held).into());
                Ok((shots, orbit.exact))
            }
            None => {
                let mut flat = self.flat()?;
                let shots = self.shots(moments, known, |held| flat.camera(held).into());
                Ok((shots, flat.sweep.is_none_or(|sweep| sweep.is_exact())))
            }
        }
    }

    /// The shots with the camera of a picture, of which options may replace parts.
    fn of_picture(
        self,
        camera: Camera,
        moments: Vec<CameraMoment>,
        known: &dyn Fn(usize) -> Option<Camera>,
    ) -> Result<Vec<Shot>, ViewError> {
        let options = self.options;
        let of_files = [("fit", options.fit.is_some()), ("y-down", options.y_down == Some(true))];
        if let Some((name, _)) = of_files.iter().find(|(_, is_set)| *is_set) {
            return Err(self.wrong_camera(&format!(
                "--{name} is for files; a picture's camera is used as it is"
            )));
        }
        let camera = match (camera, self.subject.spatial()) {
            (Camera::Flat(camera), None) => Camera::Flat(Camera2d {
                center: self.flat()?.center.unwrap_or(camera.center),
                zoom: options.zoom.unwrap_or(camera.zoom),
                mirror: options.mirror.unwrap_or(camera.mirror),
                ..camera
            }),
            (Camera::Orbit(of), Some(spatial)) => {
                let OrbitCameras { center, camera, .. } = self.orbit(spatial)?;
                let [yaw, pitch] = options.view.map_or([of.yaw, of.pitch], |view| view.0);
                Camera::Orbit(OrbitCamera {
                    target: center.unwrap_or(of.target),
                    zoom: options.zoom.unwrap_or(of.zoom),
                    yaw,
                    pitch,
                    fov: options.fov.unwrap_or(of.fov),
                    up: options.up.map_or(of.up, |_| camera.up),
                    mirror: options.mirror.unwrap_or(of.mirror),
                })
            }
            _ => return Err(self.other_kind()),
        };
        Ok(self.shots(moments, known, |_| camera))
    }

    /// The shots with the cameras that another subject has at the same moments.
    fn of_subject(
        self,
        other: &dyn Subject,
        view: &ViewOptions,
        moments: Vec<CameraMoment>,
        known: &dyn Fn(usize) -> Option<Camera>,
    ) -> Result<(Vec<Shot>, bool), ViewError> {
        if other.spatial().is_some() != self.subject.spatial().is_some() {
            return Err(self.other_kind());
        }
        let there = |(at, mix): &CameraMoment| {
            let at = at.map(|at| self.moment_of(other, at)).transpose()?;
            let to = mix.map(|mix| self.moment_of(other, mix.to)).transpose()?;
            let mix = mix.zip(to).map(|(mix, to)| Mix { to, ..mix });
            Ok::<_, ViewError>((at, mix))
        };
        let moments_there = moments.iter().map(there).collect::<Result<_, _>>()?;
        let job = CamerasJob { subject: other, view, other: None, ..self };
        let (mut shots, exact) = job.run(moments_there, known)?;
        for (shot, (at, mix)) in shots.iter_mut().zip(moments) {
            (shot.at, shot.mix) = (at, mix);
        }
        Ok((shots, exact))
    }

    /// The same moment of another subject, or its last frame: of the animation with the same name, or of the only ones there are.
    fn moment_of(&self, other: &dyn Subject, at: FrameAt) -> Result<FrameAt, ViewError> {
        if let Some(found) = moment_in(other, self.subject, at) {
            return Ok(found);
        }
        if matches!(self.options.fit(), Fit::Character | Fit::None) {
            return Ok(FrameAt::exact(AnimationId(0), 0)); // every camera is the same
        }
        let name = self.subject.animation_name(at.animation);
        Err(self.wrong_camera(&format!(
            "no animation is named {name:?} there; choose another file, or --fit character"
        )))
    }

    fn other_kind(&self) -> ViewError {
        self.wrong_camera(
            "the one is flat, and the other a 3D motion; choose a file of the same kind",
        )
    }

    fn wrong_camera(&self, why: &str) -> ViewError {
        let file = self.options.camera_of.as_deref().map(slashed).unwrap_or_default();
        ViewError::new("camera-of", why).of(file)
    }

    fn shots(
        &self,
        moments: Vec<CameraMoment>,
        known: &dyn Fn(usize) -> Option<Camera>,
        mut camera: impl FnMut(HeldFrames) -> Camera,
    ) -> Vec<Shot> {
        let (fit, is_synced) = (self.options.fit(), self.options.is_synced());
        let is_spatial = self.subject.spatial().is_some();
        let mut last: Option<(HeldFrames, Camera)> = None;
        let shot = |(index, (at, mix)): (usize, CameraMoment)| {
            // A recorded camera of another kind of content cannot be used here.
            let known = known(index).filter(|camera| camera.orbit().is_some() == is_spatial);
            if let Some(camera) = known {
                return Shot { at, mix, camera };
            }
            let held = match (fit, at, mix) {
                (Fit::Animation | Fit::Character | Fit::None, Some(at), Some(mix)) if is_synced => {
                    HeldFrames::Steady(at.animation, mix.to.animation, mix.amount)
                }
                (_, Some(at), Some(mix)) => HeldFrames::Mixed(at, mix),
                (Fit::Character | Fit::None, Some(_), None) => HeldFrames::All,
                (Fit::Animation, Some(at), None) => HeldFrames::Animation(at.animation),
                (Fit::Frame, Some(_), None) | (_, None, _) => HeldFrames::Frame(at),
            };
            let camera = match last {
                Some((of, camera)) if of == held => camera,
                _ => camera(held),
            };
            last = Some((held, camera));
            Shot { at, mix, camera }
        };
        moments.into_iter().enumerate().map(shot).collect()
    }

    /// Returns the animations whose frames are all fitted.
    fn frames(&self, held: HeldFrames) -> Vec<AnimationId> {
        match (held, self.options.fit()) {
            (HeldFrames::Frame(_), _) | (HeldFrames::Mixed(..), Fit::Frame) => Vec::new(),
            (HeldFrames::Animation(id), _) => vec![id],
            (HeldFrames::Mixed(at, mix), Fit::Animation) => vec![at.animation, mix.to.animation],
            (HeldFrames::Steady(a, b, _), Fit::Animation) => vec![a, b],
            (HeldFrames::All | HeldFrames::Mixed(..) | HeldFrames::Steady(..), _) => {
                self.subject.animation_ids().collect()
            }
        }
    }

    /// Returns the mixed moments that are held beside the frames of single animations.
    fn mixed(&self, held: HeldFrames) -> Vec<(FrameAt, Mix)> {
        match held {
            HeldFrames::Mixed(at, mix) => vec![(at, mix)],
            HeldFrames::Steady(a, b, amount) => {
                let moments = self.subject.moments(a).flatten();
                let mix = |at| Some((at, mixes::in_phase(self.subject, at, b, amount)?));
                moments.filter_map(mix).collect()
            }
            _ => Vec::new(),
        }
    }

    fn flat(&self) -> Result<FlatCameras<'_>, ViewError> {
        let options = self.options;
        options.check_kind(false)?;
        let center = options.middle(false)?.map(|[x, y, _]| [x, y]);
        Ok(FlatCameras { job: *self, center, sweep: None, of_both: None })
    }

    fn orbit(&self, spatial: &dyn Spatial) -> Result<OrbitCameras<'_>, ViewError> {
        let options = self.options;
        let center = options.middle(true)?;
        options.check_kind(true)?;
        let [yaw, pitch] = options.view.map_or(OBLIQUE, |view| view.0);
        let camera = OrbitCamera {
            yaw,
            pitch,
            fov: options.fov.unwrap_or(0.0),
            up: options.up.map_or(spatial.up(), Into::into),
            mirror: options.mirror == Some(true),
            ..OrbitCamera::default()
        };
        Ok(OrbitCameras { job: *self, center, camera, exact: true, of_both: None })
    }
}

struct FlatCameras<'a> {
    job: CamerasJob<'a>,
    center: Option<[f64; 2]>,
    sweep: Option<Box<dyn Sweep + 'a>>,
    /// Bounds of all frames of the animations in a cross-fade, which are the same for all pictures.
    of_both: Option<Option<Bounds>>,
}

impl FlatCameras<'_> {
    fn camera(&mut self, held: HeldFrames) -> Camera2d {
        let CamerasJob { options, subject, view, .. } = self.job;
        let mut camera = Camera2d { y_down: options.y_down == Some(true), ..Camera2d::default() };
        let fixed = self.center.is_some() && options.zoom.is_some();
        if options.fit() != Fit::None && !fixed {
            let sweep = self.sweep.get_or_insert_with(|| subject.sweep(view));
            let frames = || self.job.frames(held).into_iter();
            let bounds = match held {
                HeldFrames::Frame(at) => sweep.over(&mut [at].into_iter()),
                HeldFrames::Animation(_) | HeldFrames::All => {
                    sweep.over(&mut frames().flat_map(|id| subject.moments(id)))
                }
                HeldFrames::Mixed(..) | HeldFrames::Steady(..) => {
                    let all = *self.of_both.get_or_insert_with(|| {
                        sweep.over(&mut frames().flat_map(|id| subject.moments(id)))
                    });
                    let mixed = self.job.mixed(held).into_iter().map(|(at, mix)| {
                        let view = ViewOptions { mix: Some(mix), ..view.clone() };
                        subject.sweep(&view).over(&mut [Some(at)].into_iter())
                    });
                    all.into_iter().chain(mixed.flatten()).reduce(Bounds::union)
                }
            };
            camera = Camera2d::fit(bounds, options.drawn_size(), camera.y_down);
        }
        camera.mirror = options.mirror == Some(true);
        camera.center = self.center.unwrap_or(camera.center);
        camera.zoom = options.zoom.unwrap_or(camera.zoom);
        camera
    }
}

/// Cameras of a subject whose bones move in space.
struct OrbitCameras<'a> {
    job: CamerasJob<'a>,
    center: Option<[f64; 3]>,
    /// Direction and projection of all.
    camera: OrbitCamera,
    /// False if a fit was measured on some frames only.
    exact: bool,
    /// Bounds of all frames of the animations in a cross-fade, the same for all pictures.
    of_both: Option<(ViewBounds, bool)>,
}

impl OrbitCameras<'_> {
    fn camera(&mut self, held: HeldFrames) -> OrbitCamera {
        let CamerasJob { options, subject, view, .. } = self.job;
        let mut camera = self.camera;
        let fixed = self.center.is_some() && options.zoom.is_some();
        if options.fit() != Fit::None && !fixed {
            let measured = || {
                let moments: Vec<Option<FrameAt>> = match held {
                    HeldFrames::Frame(at) => vec![at],
                    _ => {
                        let all = self.job.frames(held).into_iter();
                        all.flat_map(|id| subject.moments(id)).collect()
                    }
                };
                measure(subject, &camera, view.in_place, moments.into_iter())
            };
            let (seen, exact) = match held {
                HeldFrames::Mixed(..) | HeldFrames::Steady(..) => {
                    let (mut seen, exact) = self.of_both.get_or_insert_with(measured).clone();
                    for moment in self.job.mixed(held) {
                        measure_mixed(subject, &camera, view.in_place, moment, &mut seen);
                    }
                    (seen, exact)
                }
                _ => measured(),
            };
            self.exact &= exact;
            camera = camera.fit(&seen, options.drawn_size());
        }
        camera.target = self.center.unwrap_or(camera.target);
        camera.zoom = options.zoom.unwrap_or(camera.zoom);
        camera
    }
}

/// Returns the camera that shows what both show, in a picture of each; the center and the zoom of options stay.
pub(super) fn both([a, b]: [Camera; 2], options: &Shown) -> Camera {
    let [width, height] = options.drawn_size().map(f64::from);
    match (a, b) {
        _ if a == b => a,
        (Camera::Flat(a), Camera::Flat(b)) => {
            let seen = |side: f64, of_a: f64, of_b: f64| {
                let (a, b) = (side / a.zoom / 2.0, side / b.zoom / 2.0);
                [(of_a - a).min(of_b - b), (of_a + a).max(of_b + b)]
            };
            let ([ax, ay], [bx, by]) = (a.center, b.center);
            let ([left, right], [low, high]) = (seen(width, ax, bx), seen(height, ay, by));
            let middle = [f64::midpoint(left, right), f64::midpoint(low, high)];
            let [x, y] = if options.center.is_some() { a.center } else { middle };
            let across = (right - x).max(x - left);
            let down = (high - y).max(y - low);
            let zoom = (width / across).min(height / down) / 2.0;
            let zoom = options.zoom.unwrap_or(zoom);
            Camera::Flat(Camera2d { center: [x, y], zoom, ..a })
        }
        (Camera::Orbit(a), Camera::Orbit(b)) => {
            let (from, to) = (DVec3::from(a.target), DVec3::from(b.target));
            let side = width.min(height);
            // What is seen from both targets is seen from between them, from as far away as they are apart.
            let seen = side / a.zoom.min(b.zoom) + from.distance(to);
            let target = if options.center.is_some() { from } else { from.midpoint(to) };
            let zoom = options.zoom.unwrap_or(side / seen);
            Camera::Orbit(OrbitCamera { target: target.to_array(), zoom, ..a })
        }
        _ => a,
    }
}

/// Passed to `--center --zoom`, and for a 3D motion to `--view --fov --up`, it reproduces the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Camera")]
pub(crate) struct CameraReport {
    /// World point in the middle of the picture: X to the right, Y up; or X, Y, Z of a 3D motion.
    pub(crate) center: Point,
    /// Pixels per world unit, at the center.
    pub(crate) zoom: f64,
    /// True if the file was taken to be authored with Y down.
    pub(crate) y_down: bool,
    /// True if the picture is flipped horizontally.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) mirror: bool,
    /// Direction of the camera, of a 3D motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) view: Option<ViewReport>,
}

/// Direction of a camera in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "View")]
pub(crate) struct ViewReport {
    /// Degrees around the up axis, 0 from the front.
    pub(crate) yaw: f64,
    /// Degrees above the ground.
    pub(crate) pitch: f64,
    /// Vertical field of view in degrees; 0 is orthographic.
    pub(crate) fov: f64,
    /// The axis that points up.
    pub(crate) up: UpArg,
}

impl From<Camera> for CameraReport {
    fn from(camera: Camera) -> Self {
        match camera {
            Camera::Flat(Camera2d { center, zoom, y_down, mirror }) => {
                Self { center: Point::Flat(center), zoom, y_down, mirror, view: None }
            }
            Camera::Orbit(OrbitCamera { target, zoom, yaw, pitch, fov, up, mirror }) => {
                let view = Some(ViewReport { yaw, pitch, fov, up: up.into() });
                Self { center: Point::Space(target), zoom, y_down: false, mirror, view }
            }
        }
    }
}

impl CameraReport {
    /// Returns its parts in words, with their values.
    pub(crate) fn parts(&self) -> Vec<(&'static str, String)> {
        let point =
            |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let center = match &self.center {
            Point::Flat(center) => point(center),
            Point::Space(center) => point(center),
        };
        let mut parts = vec![
            ("zoom", self.zoom.to_string()),
            ("center", center),
            ("Y down", self.y_down.to_string()),
            ("mirror", self.mirror.to_string()),
        ];
        if let Some(view) = self.view {
            parts.push(("view", point(&[view.yaw, view.pitch])));
            parts.push(("fov", view.fov.to_string()));
            parts.push(("up", format!("{:?}", view.up).to_lowercase()));
        }
        parts
    }

    /// The camera; `None` if center and view are not of the same kind.
    pub(crate) fn camera(&self) -> Option<Camera> {
        let Self { center, zoom, y_down, mirror, view } = *self;
        match (center, view) {
            (Point::Flat(center), None) => {
                Some(Camera::Flat(Camera2d { center, zoom, y_down, mirror }))
            }
            (Point::Space(target), Some(ViewReport { yaw, pitch, fov, up })) => {
                let up = up.into();
                Some(Camera::Orbit(OrbitCamera { target, zoom, yaw, pitch, fov, up, mirror }))
            }
            _ => None,
        }
    }
}

/// Keyword of the text in a PNG file.
pub(crate) const PNG_KEYWORD: &str = "pchr-view";

/// Camera and moment of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "View of a picture")]
pub(crate) struct PictureView {
    /// The moment; null if vertices were drawn as stored.
    pub(crate) at: Option<ViewMoment>,
    /// The moment that a cross-fade leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mix: Option<ViewMoment>,
    /// Weight of that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) amount: Option<f32>,
    /// The camera.
    pub(crate) camera: CameraReport,
}

/// A moment of an animation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Moment")]
pub(crate) struct ViewMoment {
    /// The animation.
    pub(crate) animation: String,
    /// The frame, from 0; with --smooth, the earlier of the two.
    pub(crate) frame: u16,
    /// Seconds from the animation's start.
    pub(crate) time: f64,
}

impl PictureView {
    /// The view of a picture of a subject.
    pub(crate) fn new(shot: &Shot, subject: &dyn Subject) -> Self {
        let moment = |at: FrameAt| {
            let clip = subject.animation(at.animation);
            ViewMoment {
                animation: subject.animation_name(at.animation).to_owned(),
                frame: at.frame,
                time: at.position() / clip.map_or(1.0, |clip| clip.timeline.fps),
            }
        };
        Self {
            at: shot.at.map(moment),
            mix: shot.mix.map(|Mix { to, .. }| moment(to)),
            amount: shot.mix.map(|mix| mix.amount),
            camera: shot.camera.into(),
        }
    }

    /// The text: JSON in one line, the same on every machine.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() // no map in it has keys of another kind
    }

    /// Reads the text of a picture; `None` if another program wrote it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let view: Self = serde_json::from_str(text).ok()?;
        let sound = view.camera.zoom > 0.0 && view.camera.camera().is_some();
        sound.then_some(view)
    }

    /// Returns whether the moments of two pictures are the same.
    pub(crate) fn same_moment(&self, other: &Self) -> bool {
        (&self.at, &self.mix, self.amount) == (&other.at, &other.mix, other.amount)
    }
}
