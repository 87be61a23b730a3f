//! The first view, as requested on the command line.

use pchr::playback::{FrameSpec, LoopMode, Playback};
use pchr::scene::{Camera2d, OrbitCamera, Subject};
use pchr_tools::text::there_are;
use pchr_tools::view::names::{self, NoBind};
use pchr_tools::view::{LoopArg, Point, Resolved, Shown};

use super::loaded::Wish;
use super::model::Model;
use super::options::ViewerOptions;
use super::problem::Problem;

/// Requests for the first file that opens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Start(Shown);

impl Start {
    pub(crate) fn new(options: &ViewerOptions) -> Self {
        Self(options.shown.clone())
    }

    /// Zoom that can be shown.
    fn zoom(&self) -> Option<f64> {
        self.0.zoom.filter(|zoom| zoom.is_finite() && *zoom > 0.0)
    }

    /// World point that can be shown.
    fn center(&self) -> Option<Point> {
        self.0.center.filter(Point::is_finite)
    }

    /// The frame, if it is one.
    fn frame(&self) -> Option<u32> {
        match self.0.frame {
            Some(FrameSpec::One(frame)) => Some(frame),
            _ => None,
        }
    }

    /// Resolves the overrides of meshes, and the overlays, if what they name exists.
    pub(crate) fn resolve(&self, subject: &dyn Subject) -> Result<Resolved, Problem> {
        let of_parts = Shown {
            bind: None,
            ..self.0.clone()
        };
        let left_out = "The overrides and overlays of the command line are left out";
        let resolved = of_parts.resolve(subject);
        resolved.map_err(|error| Problem::new(error.to_string(), left_out))
    }

    /// Chooses bind pose, animation and frame if they exist. Names the missing ones in the error.
    pub(crate) fn apply(&self, model: &mut Model, playback: &mut Playback) -> Result<(), Problem> {
        let mut result = Ok(());
        if let Some(text) = &self.0.bind {
            match names::bind(model.subject(), text) {
                Ok(choice) => {
                    model.set_bind(choice);
                    playback.animation = model.default_animation();
                }
                Err(error) => result = Err(no_bind(model.subject(), error)),
            }
        }
        if let Some(text) = &self.0.animation {
            match names::animation(model.subject(), text) {
                Some(id) => playback.animation = Some(id),
                None => result = Err(no_animation(model.subject(), text)),
            }
        }
        if let Some(looping) = self.0.looping {
            let mode = match looping {
                LoopArg::On => LoopMode::Loop,
                LoopArg::Off => LoopMode::Once,
            };
            playback.set_mode(&model.loaded().timelines, Some(mode));
        }
        if let Some(frame) = self.frame() {
            let timelines = &model.loaded().timelines;
            let count = playback
                .timeline(timelines)
                .map_or(0, |line| line.frame_count);
            if frame < u32::from(count) {
                playback.seek(timelines, frame.into());
            } else {
                let bound = match count {
                    0 => "The animation has no frames".into(),
                    count => format!("The last frame is {}", count.saturating_sub(1)),
                };
                result = Err(Problem::new(format!("Frame {frame} does not exist"), bound));
            }
        }
        let is_space = model.subject().spatial().is_some();
        match self.center() {
            Some(Point::Flat(_)) if is_space => {
                let title = "--center for a 3D motion: expected X,Y,Z";
                result = Err(Problem::new(title, "The animation is fitted instead"));
            }
            Some(Point::Space(_)) if !is_space => {
                let title = "--center X,Y,Z is for 3D motions";
                result = Err(Problem::new(title, "Expected X,Y"));
            }
            _ => {}
        }
        result
    }

    /// Returns the properties of the first picture that are known before the file is read.
    pub(crate) fn wish(&self) -> Wish {
        Wish {
            animation: self.0.animation.clone(),
            frame: self
                .frame()
                .map_or(0, |frame| frame.try_into().unwrap_or(u16::MAX)),
            whole: false,
            ..Wish::default()
        }
    }

    /// Overrides the requested parts of the fit. Returns true if there are any.
    pub(crate) fn place(&self, camera: &mut Camera2d, orbit: Option<&mut OrbitCamera>) -> bool {
        let (zoom, is_centered) = match (orbit, self.center()) {
            (Some(orbit), Some(Point::Space(center))) => {
                orbit.target = center;
                (&mut orbit.zoom, true)
            }
            (None, Some(Point::Flat(center))) => {
                camera.center = center;
                (&mut camera.zoom, true)
            }
            (Some(orbit), _) => (&mut orbit.zoom, false),
            (None, _) => (&mut camera.zoom, false),
        };
        *zoom = self.zoom().unwrap_or(*zoom);
        is_centered || self.zoom().is_some()
    }
}

fn no_animation(subject: &dyn Subject, text: &str) -> Problem {
    let message = there_are("animations", text, subject.animation_names());
    Problem::new(format!("No animation is named {text:?}"), message)
}

fn no_bind(subject: &dyn Subject, error: NoBind<'_>) -> Problem {
    let message = match error {
        NoBind::Animation(name) => return no_animation(subject, name),
        NoBind::Unbound => "This kind of file has no bind pose".to_owned(),
        NoBind::Frame(id, frame) => {
            format!("{:?} has no frame {frame}", subject.animation_name(id))
        }
    };
    Problem::new("The bind pose does not exist", message)
}
