//! Undo and redo: changes to the view of the file (overrides, playback settings and the camera), and the steps of any changes.

use std::collections::VecDeque;

use super::State;
use super::shown::{KeptView, ViewPart};
use crate::viewer::action::{
    Action, CameraAction, ImageAction, LookAction, PartAction, PlaybackAction, StageAction,
};
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
    Blend,
    PinTint,
    Stage,
    Figures,
}

impl Gesture {
    /// The gesture that an action is part of.
    pub(super) fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Camera(CameraAction::Pan(_) | CameraAction::Nudge(_)) => Some(Self::Pan),
            Action::Camera(CameraAction::Zoom(..) | CameraAction::ZoomBy(_)) => Some(Self::Zoom),
            Action::Camera(CameraAction::Turn(_) | CameraAction::TurnBy(_)) => Some(Self::Turn),
            Action::Playback(PlaybackAction::Section(Some(_))) => Some(Self::Section),
            Action::Playback(PlaybackAction::Fps(Some(_))) => Some(Self::Rate),
            Action::Playback(PlaybackAction::Blend(Some(_))) => Some(Self::Blend),
            Action::Playback(PlaybackAction::Instances(_)) => Some(Self::Figures),
            Action::Looking(LookAction::PinTint(_)) => Some(Self::PinTint),
            Action::Stage(StageAction::Set(..) | StageAction::Drag(..)) => Some(Self::Stage),
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

impl Change for PartChange {
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
            | PartAction::Alternative(_)
            | PartAction::FollowFile(_)
            | PartAction::HideBone(..)
            | PartAction::HideChosenBone(_)
            | PartAction::ToggleChosen
            | PartAction::SoloChosen,
        ) => Some(ViewPart::Meshes),
        Action::Playback(
            PlaybackAction::Bind(_) | PlaybackAction::BindHere | PlaybackAction::Instances(_),
        ) => Some(ViewPart::Bind),
        Action::Playback(
            PlaybackAction::Section(_)
            | PlaybackAction::SectionStart
            | PlaybackAction::SectionEnd
            | PlaybackAction::Fps(_)
            | PlaybackAction::Looping(_)
            | PlaybackAction::CycleLoop
            | PlaybackAction::Blend(_)
            | PlaybackAction::Speed(_)
            | PlaybackAction::WalkSpeed(_),
        )
        | Action::Toggle(Switch::Smooth) => Some(ViewPart::Playing),
        Action::Looking(LookAction::PinFrame | LookAction::Unpin | LookAction::PinTint(_)) => {
            Some(ViewPart::Pin)
        }
        Action::Image(ImageAction::Replace(_) | ImageAction::Original) => Some(ViewPart::Images),
        Action::Stage(StageAction::Set(..) | StageAction::Drag(..)) => Some(ViewPart::Stage),
        Action::Stage(StageAction::Add(_) | StageAction::Reorder(..) | StageAction::Remove(_)) => {
            Some(ViewPart::Cast)
        }
        Action::Camera(CameraAction::Viewport(_) | CameraAction::Point(_)) => None,
        Action::Camera(_) => Some(ViewPart::Place),
        _ => None,
    }
}

impl State {
    /// The part of the view that an action may change, if it can be undone.
    pub(super) fn before(&self, action: &Action) -> Option<(ViewPart, KeptView)> {
        self.model.as_ref()?;
        let part =
            part(action).filter(|part| *part != ViewPart::Cast || self.layout().is_some())?;
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
        let [old, new] = &*views;
        let is_touched = matches!(part, ViewPart::Meshes | ViewPart::Images) && old != new;
        self.files.is_stage_touched |= is_touched && self.layout().is_some();
        let change = PartChange { part, views };
        self.steps.push(UndoStep { name, change }, gesture);
    }

    /// Returns true while steps are taken together: until [`Action::Rest`].
    pub(crate) fn is_in_gesture(&self) -> bool {
        self.steps.is_in_gesture()
    }

    /// Another number after each part of a gesture.
    pub(crate) fn step_count(&self) -> u64 {
        self.steps.count()
    }

    /// Notes the places that added characters have got.
    pub(super) fn settle_cast(&mut self) {
        let layout = self.layout().cloned();
        let last = self.steps.done.back_mut().map(|step| &mut step.change);
        if let Some(PartChange { part: ViewPart::Cast, views }) = last {
            let [_, after] = &mut **views;
            after.layout = layout;
        }
    }

    /// Undoes the last step, or does the one again that was undone last.
    pub(super) fn walk_steps(&mut self, undoes: bool) {
        if self.files.layout_asked.is_some() {
            return self.say("The stage is still being read"); // its steps follow each other
        }
        let (step, done, nothing) = match undoes {
            true => (self.steps.undo(), "Undone", "Nothing to undo"),
            false => (self.steps.redo(), "Redone", "Nothing to redo"),
        };
        let Some(UndoStep { name, change }) = step.cloned() else {
            return self.say(nothing);
        };
        self.say(format!("{done}: {}", self.kind().words(name)));
        let [before, after] = *change.views;
        self.restore(change.part, if undoes { &before } else { &after });
    }
}

/// Maximum number of steps that are kept; the oldest is dropped first.
const STEPS: usize = 200;
/// Size of all changes that are kept.
const SIZE: usize = 1_000_000;

/// Something that was changed, from one value to another.
pub(crate) trait Change {
    /// Number of values that it keeps.
    fn size(&self) -> usize;

    /// Merges a later change of the same values, which continues this one.
    fn join(&mut self, later: Self);

    /// Returns true if it ends where it began.
    fn is_nothing(&self) -> bool;
}

/// A change, and its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UndoStep<C> {
    pub name: &'static str,
    pub change: C,
}

/// Steps that were done, and steps that were undone.
///
/// Steps of one gesture are one step: those of a drag, or of a burst of the wheel. `G` identifies a gesture.
#[derive(Clone, Debug)]
pub(crate) struct History<C, G> {
    done: VecDeque<UndoStep<C>>,
    undone: Vec<UndoStep<C>>,
    gesture: Option<G>,
    /// Of the steps that were done.
    size: usize,
    /// Number of steps ever kept; each step of a gesture counts.
    count: u64,
}

impl<C, G> Default for History<C, G> {
    fn default() -> Self {
        Self { done: VecDeque::new(), undone: Vec::new(), gesture: None, size: 0, count: 0 }
    }
}

impl<C: Change, G: PartialEq> History<C, G> {
    /// Adds a step; steps that were undone before are dropped.
    pub(crate) fn push(&mut self, step: UndoStep<C>, gesture: Option<G>) {
        let goes_on = gesture.is_some() && gesture == self.gesture && self.undone.is_empty();
        if step.change.is_nothing() {
            return;
        }
        self.undone.clear();
        self.gesture = gesture;
        self.count = self.count.wrapping_add(1);
        match self.done.back_mut().filter(|_| goes_on) {
            Some(last) => last.change.join(step.change),
            None => {
                self.size = self.size.saturating_add(step.change.size());
                self.done.push_back(step);
            }
        }
        while self.done.len() > STEPS || (self.size > SIZE && self.done.len() > 1) {
            if let Some(first) = self.done.pop_front() {
                self.size = self.size.saturating_sub(first.change.size());
            }
        }
    }

    pub(crate) fn is_in_gesture(&self) -> bool {
        self.gesture.is_some()
    }

    /// Number of steps ever kept; each step of a gesture counts.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Ends a gesture: the next change is a new step.
    pub(crate) fn rest(&mut self) {
        self.gesture = None;
        // A drag that came back changed nothing.
        if let Some(last) = self.done.pop_back_if(|last| last.change.is_nothing()) {
            self.size = self.size.saturating_sub(last.change.size());
        }
    }

    /// Takes the last step back; the caller undoes it.
    pub(crate) fn undo(&mut self) -> Option<&UndoStep<C>> {
        self.rest();
        let step = self.done.pop_back()?;
        self.size = self.size.saturating_sub(step.change.size());
        self.undone.push(step);
        self.undone.last()
    }

    /// Takes the step back that was undone last; the caller does it again.
    pub(crate) fn redo(&mut self) -> Option<&UndoStep<C>> {
        let step = self.undone.pop()?;
        self.size = self.size.saturating_add(step.change.size());
        self.done.push_back(step);
        self.done.back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of a number.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Of([i32; 2], usize);

    impl Change for Of {
        fn size(&self) -> usize {
            self.1
        }

        fn join(&mut self, later: Self) {
            self.0[1] = later.0[1];
        }

        fn is_nothing(&self) -> bool {
            self.0[0] == self.0[1]
        }
    }

    fn step(from: i32, to: i32) -> UndoStep<Of> {
        let change = Of([from, to], 1);
        UndoStep { name: "", change }
    }

    #[test]
    fn steps_of_a_gesture_are_one_and_what_comes_after_a_rest_is_another() {
        let mut history = History::default();
        for (from, to, gesture) in
            [(0, 1, None), (1, 2, Some('a')), (2, 3, Some('a')), (3, 4, Some('b'))]
        {
            history.push(step(from, to), gesture);
        }
        assert!(history.is_in_gesture());
        history.rest();
        assert!(!history.is_in_gesture());
        history.push(step(4, 5), Some('b'));
        let mut undone = Vec::new();
        while let Some(step) = history.undo() {
            undone.push(step.change.0);
        }
        assert_eq!(undone, [[4, 5], [3, 4], [1, 3], [0, 1]]);
    }

    #[test]
    fn what_changes_nothing_is_no_step_and_undoes_no_redo() {
        let mut history = History::<Of, char>::default();
        history.push(step(0, 1), None);
        assert!(history.undo().is_some());
        history.push(step(0, 0), None);
        assert_eq!(history.redo().map(|step| step.change.0), Some([0, 1]));
        // A drag that comes back.
        history.push(step(1, 2), Some('a'));
        history.push(step(2, 1), Some('a'));
        assert_eq!(history.undo().map(|step| step.change.0), Some([0, 1]));
        // Something new takes the place of what was undone.
        history.push(step(0, 7), None);
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn steps_and_their_sizes_are_bounded() {
        let mut history = History::<Of, char>::default();
        for at in 0..1000 {
            history.push(step(at, at + 1), None);
        }
        assert_eq!(history.done.len(), STEPS);
        for at in 1000..1010 {
            let change = Of([at, at + 1], SIZE / 4);
            history.push(UndoStep { name: "", change }, None);
        }
        assert!(history.size <= SIZE && history.done.len() == 4);
        let large = Of([0, 1], SIZE * 2);
        let large = UndoStep { name: "", change: large };
        history.push(large, None);
        assert_eq!(history.done.len(), 1, "the last one stays");
    }
}
