//! Undo and redo of changes to the view of the file: overrides, playback settings and the camera.

use pchr::document::{AnimationId, MeshId};
use pchr::playback::LoopMode;
use pchr::pose::BindChoice;
use pchr::scene::{Bounds, Direction, MeshView};

use super::State;
use super::parts::Solo;
use crate::viewer::action::Message;
use crate::viewer::action::{Action, CameraAction, PartAction, PlaybackAction};
use crate::viewer::history::{self, History, Step};
use crate::viewer::switch::Switch;

/// Steps of a file.
pub(super) type Steps = History<Change, Gesture>;

/// Consecutive actions that form one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gesture {
    Pan,
    Zoom,
    Turn,
    Section,
    Rate,
    Speed,
}

impl Gesture {
    fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Camera(CameraAction::Pan(_) | CameraAction::Nudge(_)) => Some(Self::Pan),
            Action::Camera(CameraAction::Zoom(..) | CameraAction::ZoomBy(_)) => Some(Self::Zoom),
            Action::Camera(CameraAction::Turn(_) | CameraAction::TurnBy(_)) => Some(Self::Turn),
            Action::Playback(PlaybackAction::Section(Some(_))) => Some(Self::Section),
            Action::Playback(PlaybackAction::Fps(Some(_))) => Some(Self::Rate),
            Action::Playback(PlaybackAction::Speed(_) | PlaybackAction::WalkSpeed(_)) => {
                Some(Self::Speed)
            }
            _ => None,
        }
    }
}

/// Values before and after a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    Meshes {
        /// Meshes that are others afterwards.
        views: Vec<(MeshId, [MeshView; 2])>,
        solo: Box<[Option<Solo>; 2]>,
    },
    Playing {
        playing: [Playing; 2],
        /// The bind pose changed, and so did the fit.
        place: Option<[Place; 2]>,
    },
    Place([Place; 2]),
}

impl history::Change for Change {
    fn size(&self) -> usize {
        match self {
            Self::Meshes { views, solo } => {
                let solo = solo.iter().flatten().map(|(_, before)| before.len());
                views.len().saturating_add(solo.sum())
            }
            Self::Playing { .. } | Self::Place(_) => 1,
        }
    }

    fn join(&mut self, later: Self) {
        match (self, later) {
            (Self::Playing { playing, .. }, Self::Playing { playing: later, .. }) => {
                playing[1] = later[1];
            }
            (Self::Place([_, after]), Self::Place([_, later])) => *after = later,
            _ => {} // no gesture changes meshes
        }
    }

    fn is_nothing(&self) -> bool {
        match self {
            Self::Meshes { views, solo } => {
                let [before, after] = &**solo;
                views.is_empty() && before == after
            }
            Self::Playing { playing, place } => playing[0] == playing[1] && place.is_none(),
            Self::Place([before, after]) => before == after,
        }
    }
}

/// Overrides of how it plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Playing {
    animation: Option<AnimationId>,
    section: Option<[u16; 2]>,
    fps: Option<f64>,
    mode: Option<LoopMode>,
    speed: f64,
    smooth: bool,
    bind: BindChoice,
}

/// Viewpoint of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    middle: [f64; 3],
    zoom: f64,
    /// Of a camera in space.
    direction: Option<Direction>,
    /// Set while the camera follows the fit: the fitted bounds and the size of the picture.
    fit: Option<(Option<AnimationId>, Option<Bounds>, [u32; 2])>,
}

/// Values before an action.
pub(super) enum Before {
    Meshes(Vec<MeshView>, Option<Solo>),
    Playing(Playing, Place),
    Place(Place),
}

impl State {
    /// The values that an action may change, if it can be undone.
    pub(super) fn before(&self, action: &Action) -> Option<Before> {
        self.model.as_ref()?;
        match action {
            Action::Parts(
                PartAction::ShowMesh(..)
                | PartAction::Solo(_)
                | PartAction::ShowAll(_)
                | PartAction::MoveMesh(..)
                | PartAction::PlaceMesh(..)
                | PartAction::ResetMesh(_)
                | PartAction::ResetMeshes
                | PartAction::HideBone(..)
                | PartAction::HideChosenBone(_)
                | PartAction::ToggleChosen
                | PartAction::SoloChosen,
            ) => {
                let views = self.parts.view.meshes.clone();
                Some(Before::Meshes(views, self.parts.before.clone()))
            }
            Action::Playback(
                PlaybackAction::Section(_)
                | PlaybackAction::SectionStart
                | PlaybackAction::SectionEnd
                | PlaybackAction::Fps(_)
                | PlaybackAction::Looping(_)
                | PlaybackAction::CycleLoop
                | PlaybackAction::Speed(_)
                | PlaybackAction::WalkSpeed(_)
                | PlaybackAction::Bind(_)
                | PlaybackAction::BindHere,
            )
            | Action::Toggle(Switch::Smooth) => {
                Some(Before::Playing(self.playing()?, self.place()))
            }
            Action::Camera(
                CameraAction::Pan(_)
                | CameraAction::Nudge(_)
                | CameraAction::Zoom(..)
                | CameraAction::ZoomBy(_)
                | CameraAction::Fit
                | CameraAction::ZoomTo(_)
                | CameraAction::Middle(_)
                | CameraAction::ActualSize
                | CameraAction::Turn(_)
                | CameraAction::TurnBy(_)
                | CameraAction::Face(_)
                | CameraAction::Center(..),
            ) => Some(Before::Place(self.place())),
            _ => None,
        }
    }

    /// Keeps a step that was done.
    pub(super) fn did(&mut self, before: Before, name: &'static str, gesture: Option<Gesture>) {
        let change = match before {
            Before::Meshes(before, solo) => Change::Meshes {
                views: different(&before, &self.parts.view.meshes),
                solo: Box::new([solo, self.parts.before.clone()]),
            },
            Before::Playing(before, place) => match self.playing() {
                Some(after) => Change::Playing {
                    playing: [before, after],
                    place: Some([place, self.place()]).filter(|[before, after]| before != after),
                },
                None => return,
            },
            Before::Place(before) => Change::Place([before, self.place()]),
        };
        self.steps.push(Step { name, change }, gesture);
    }

    /// The gesture that an action is part of.
    pub(super) fn gesture(action: &Action) -> Option<Gesture> {
        Gesture::of(action)
    }

    /// Returns true while steps are taken together: until [`Action::Rest`].
    pub(crate) fn is_in_gesture(&self) -> bool {
        self.steps.is_in_gesture()
    }

    /// Another number after each part of a gesture.
    pub(crate) fn step_count(&self) -> u64 {
        self.steps.count()
    }

    pub(super) fn undo(&mut self) {
        let step = self.steps.undo().cloned();
        self.said = Some(Message::new(match &step {
            Some(step) => format!("Undone: {}", step.name),
            None => "Nothing to undo".into(),
        }));
        if let Some(step) = step {
            self.restore(step.change, Side::Before);
        }
    }

    pub(super) fn redo(&mut self) {
        let step = self.steps.redo().cloned();
        self.said = Some(Message::new(match &step {
            Some(step) => format!("Redone: {}", step.name),
            None => "Nothing to redo".into(),
        }));
        if let Some(step) = step {
            self.restore(step.change, Side::After);
        }
    }

    /// Takes one of the two values of a change.
    fn restore(&mut self, change: Change, side: Side) {
        match change {
            Change::Meshes { views, solo } => {
                let count = self
                    .model
                    .as_ref()
                    .map_or(0, |model| model.subject().mesh_count());
                let meshes = &mut self.parts.view.meshes;
                meshes.resize(count, MeshView::default());
                for (mesh, views) in views {
                    if let Some(view) = meshes.get_mut(mesh.index()) {
                        *view = side.of(views);
                    }
                }
                self.parts.before = side.of(*solo);
                self.parts.mesh_rows.clear();
                self.show();
            }
            Change::Playing { playing, place } => {
                self.play_so(&side.of(playing));
                if let Some(place) = place {
                    self.look_from(&side.of(place));
                }
            }
            Change::Place(place) => self.look_from(&side.of(place)),
        }
    }

    fn playing(&self) -> Option<Playing> {
        let playback = &self.player.clip;
        Some(Playing {
            animation: playback.animation,
            section: playback.section,
            fps: playback.fps,
            mode: playback.mode,
            speed: playback.speed,
            smooth: playback.smooth,
            bind: self.model.as_ref()?.bind_choice(),
        })
    }

    fn play_so(&mut self, wanted: &Playing) {
        let Some(model) = &mut self.model else {
            return;
        };
        let timelines = model.loaded().timelines.as_slice();
        if self.player.clip.animation != wanted.animation {
            self.player.end_fade();
        }
        let playback = &mut self.player.clip;
        let animation = playback.animation;
        if animation != wanted.animation {
            playback.choose(wanted.animation);
        }
        playback.set_fps(timelines, wanted.fps);
        playback.set_mode(timelines, wanted.mode);
        playback.set_speed(wanted.speed);
        playback.smooth = wanted.smooth;
        if playback.section != wanted.section {
            playback.set_section(timelines, wanted.section);
        }
        if model.bind_choice() != wanted.bind {
            model.set_bind(wanted.bind);
        }
        self.follow_fit(animation);
        self.show();
    }

    fn place(&self) -> Place {
        let view = &self.view;
        let (middle, zoom) = match view.orbit {
            Some(orbit) => (orbit.target, orbit.zoom),
            None => {
                let [x, y] = view.camera.center;
                ([x, y, 0.0], view.camera.zoom)
            }
        };
        Place {
            middle,
            zoom,
            direction: view.orbit.map(|_| view.kept.direction),
            fit: (view.fitted).then_some((self.player.clip.animation, view.bounds, view.size)),
        }
    }

    fn look_from(&mut self, place: &Place) {
        if let Some(direction) = place.direction {
            self.view.kept.direction = direction;
        }
        self.view.put(place.middle, place.zoom);
        if let Some((animation, bounds, size)) = place.fit {
            self.view.fitted = true;
            self.view.bounds = bounds;
            if animation != self.player.clip.animation || size != self.view.size {
                self.refit();
            }
        }
        self.look_again();
        self.touch();
    }
}

/// The value before a change, or after it.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl Side {
    fn of<T>(self, [before, after]: [T; 2]) -> T {
        match self {
            Self::Before => before,
            Self::After => after,
        }
    }
}

/// Meshes with other wishes than before.
fn different(before: &[MeshView], after: &[MeshView]) -> Vec<(MeshId, [MeshView; 2])> {
    let of = |views: &[MeshView], index| views.get(index).copied().unwrap_or_default();
    let count = before.len().max(after.len());
    let meshes = (0..=u16::MAX).map(MeshId).take(count);
    let all = meshes.map(|mesh| (mesh, [of(before, mesh.index()), of(after, mesh.index())]));
    all.filter(|(_, [before, after])| before != after).collect()
}
