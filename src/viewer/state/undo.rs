//! Undo and redo of changes to the view of the file: overrides, playback settings and the camera.

use super::State;
use super::shown::{KeptView, ViewPart};
use crate::viewer::action::{Action, CameraAction, Message, PartAction, PlaybackAction};
use crate::viewer::state::history::{self, History, UndoStep};
use crate::viewer::switch::Switch;

/// Steps of a file.
pub(super) type Steps = History<PartChange, Gesture>;

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

/// A part of the view before and after a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartChange {
    part: ViewPart,
    views: Box<[KeptView; 2]>,
}

impl history::Change for PartChange {
    fn size(&self) -> usize {
        self.views.iter().map(KeptView::size).sum()
    }

    fn join(&mut self, later: Self) {
        let [_, after] = *later.views;
        let [_, own] = &mut *self.views;
        *own = after;
    }

    fn is_nothing(&self) -> bool {
        let [before, after] = &*self.views;
        before == after
    }
}

/// Returns the part of the view that an action changes, if it can be undone.
fn part(action: &Action) -> Option<ViewPart> {
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
        ) => Some(ViewPart::Meshes),
        Action::Playback(PlaybackAction::Bind(_) | PlaybackAction::BindHere) => {
            Some(ViewPart::Bind)
        }
        Action::Playback(
            PlaybackAction::Section(_)
            | PlaybackAction::SectionStart
            | PlaybackAction::SectionEnd
            | PlaybackAction::Fps(_)
            | PlaybackAction::Looping(_)
            | PlaybackAction::CycleLoop
            | PlaybackAction::Speed(_)
            | PlaybackAction::WalkSpeed(_),
        )
        | Action::Toggle(Switch::Smooth) => Some(ViewPart::Playing),
        Action::Camera(CameraAction::Viewport(_) | CameraAction::Point(_)) => None,
        Action::Camera(_) => Some(ViewPart::Place),
        _ => None,
    }
}

impl State {
    /// The part of the view that an action may change, if it can be undone.
    pub(super) fn before(&self, action: &Action) -> Option<(ViewPart, KeptView)> {
        self.model.as_ref()?;
        let part = part(action)?;
        Some((part, self.keep(part)))
    }

    /// Keeps a step that was done.
    pub(super) fn did(
        &mut self,
        (part, before): (ViewPart, KeptView),
        name: &'static str,
        gesture: Option<Gesture>,
    ) {
        let views = Box::new([before, self.keep(part)]);
        let change = PartChange { part, views };
        self.steps.push(UndoStep { name, change }, gesture);
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
            Some(step) => format!("Undone: {}", self.kind().words(step.name)),
            None => "Nothing to undo".into(),
        }));
        if let Some(step) = step {
            let [before, _] = *step.change.views;
            self.restore(step.change.part, &before);
        }
    }

    pub(super) fn redo(&mut self) {
        let step = self.steps.redo().cloned();
        self.said = Some(Message::new(match &step {
            Some(step) => format!("Redone: {}", self.kind().words(step.name)),
            None => "Nothing to redo".into(),
        }));
        if let Some(step) = step {
            let [_, after] = *step.change.views;
            self.restore(step.change.part, &after);
        }
    }
}
