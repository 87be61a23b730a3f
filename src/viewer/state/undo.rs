//! Undo and redo: changes to the view of the file (overrides, playback settings and the camera), and the steps of any changes.

use std::collections::VecDeque;

use super::State;
use super::shown::KeptView;
use crate::viewer::action::{Action, Gesture, ViewPart};

/// A step: a part of the view before and after it.
#[derive(Clone, Debug)]
struct Step {
    name: &'static str,
    part: ViewPart,
    views: Box<[KeptView; 2]>,
}

impl Step {
    /// Number of values that it keeps.
    fn size(&self) -> usize {
        self.views.iter().map(KeptView::size).sum()
    }

    /// Returns true if it ends where it began.
    fn is_nothing(&self) -> bool {
        let [before, after] = &*self.views;
        before == after
    }
}

impl State {
    /// Returns the part of the view that an action may change, if it can be undone, the gesture that the action belongs to, and the part as
    /// it is before the action.
    pub(super) fn before(&self, action: &Action) -> Option<(ViewPart, Option<Gesture>, KeptView)> {
        self.model.as_ref()?;
        let (part, gesture) = action.undoable()?;
        let has_part = part != ViewPart::Cast || self.layout().is_some();
        has_part.then(|| (part, gesture, self.keep(part)))
    }

    /// Keeps a step that was done.
    pub(super) fn did(
        &mut self,
        (part, gesture, before): (ViewPart, Option<Gesture>, KeptView),
        name: &'static str,
    ) {
        let views = Box::new([before, self.keep(part)]);
        let [old, new] = &*views;
        let is_touched = matches!(part, ViewPart::Meshes | ViewPart::Images) && old != new;
        self.files.is_stage_touched |= is_touched && self.layout().is_some();
        self.steps.push(Step { name, part, views }, gesture);
    }

    /// Returns true while steps are taken together: until [`Action::Rest`].
    pub(crate) fn is_in_gesture(&self) -> bool {
        self.steps.gesture.is_some()
    }

    /// Another number after each part of a gesture.
    pub(crate) fn step_count(&self) -> u64 {
        self.steps.count
    }

    /// Notes the places that added characters have got.
    pub(super) fn settle_cast(&mut self) {
        let layout = self.layout().cloned();
        if let Some(Step { part: ViewPart::Cast, views, .. }) = self.steps.done.back_mut() {
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
        let Some(Step { name, part, views }) = step.cloned() else { return self.say(nothing) };
        self.say(format!("{done}: {}", self.kind().words(name)));
        let [before, after] = &*views;
        self.restore(part, if undoes { before } else { after });
    }
}

/// Maximum number of steps that are kept; the oldest is dropped first.
const STEPS: usize = 200;
/// Size of all changes that are kept.
const SIZE: usize = 1_000_000;

/// Steps of a file that were done, and steps that were undone. Those of one gesture are one step: of a drag, or of a burst of the wheel.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    gesture: Option<Gesture>,
    /// Number of steps ever kept; each step of a gesture counts.
    count: u64,
}

impl Steps {
    /// Adds a step; steps that were undone before are dropped.
    fn push(&mut self, step: Step, gesture: Option<Gesture>) {
        let goes_on = gesture.is_some() && gesture == self.gesture && self.undone.is_empty();
        if step.is_nothing() {
            return;
        }
        self.undone.clear();
        self.gesture = gesture;
        self.count = self.count.wrapping_add(1);
        match self.done.back_mut().filter(|_| goes_on) {
            Some(last) => {
                let ([_, end], [_, after]) = (&mut *last.views, *step.views);
                *end = after;
            }
            None => {
                self.done.push_back(step);
                while self.done.len() > STEPS || (self.size() > SIZE && self.done.len() > 1) {
                    self.done.pop_front();
                }
            }
        }
    }

    /// Number of values in the steps that can be undone.
    fn size(&self) -> usize {
        self.done.iter().map(Step::size).sum()
    }

    /// Ends a gesture: the next change is a new step.
    pub(super) fn rest(&mut self) {
        self.gesture = None;
        // A drag that came back changed nothing.
        let _ = self.done.pop_back_if(|last| last.is_nothing());
    }

    /// Takes the last step back; the caller undoes it.
    fn undo(&mut self) -> Option<&Step> {
        self.rest();
        self.undone.push(self.done.pop_back()?);
        self.undone.last()
    }

    /// Takes the step back that was undone last; the caller does it again.
    fn redo(&mut self) -> Option<&Step> {
        self.done.push_back(self.undone.pop()?);
        self.done.back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view at this speed, with so many values.
    fn view(speed: i32, size: usize) -> KeptView {
        let mut view = KeptView::default();
        view.shown.hide = vec![String::new(); size - 1];
        view.playing.speed = Some(speed.into());
        view
    }

    fn step(from: i32, to: i32) -> Step {
        let views = Box::new([from, to].map(|speed| view(speed, 1)));
        Step { name: "", part: ViewPart::Playing, views }
    }

    /// Speeds before and after a step.
    fn ends(step: &Step) -> [f64; 2] {
        step.views.each_ref().map(|view| view.playing.speed.unwrap())
    }

    #[test]
    fn steps_of_a_gesture_are_one_and_what_comes_after_a_rest_is_another() {
        let mut steps = Steps::default();
        let (pan, zoom) = (Some(Gesture::Pan), Some(Gesture::Zoom));
        for (from, to, gesture) in [(0, 1, None), (1, 2, pan), (2, 3, pan), (3, 4, zoom)] {
            steps.push(step(from, to), gesture);
        }
        assert!(steps.gesture.is_some());
        steps.rest();
        assert!(steps.gesture.is_none());
        steps.push(step(4, 5), zoom);
        let mut undone = Vec::new();
        while let Some(step) = steps.undo() {
            undone.push(ends(step));
        }
        assert_eq!(undone, [[4.0, 5.0], [3.0, 4.0], [1.0, 3.0], [0.0, 1.0]]);
    }

    #[test]
    fn what_changes_nothing_is_no_step_and_undoes_no_redo() {
        let mut steps = Steps::default();
        steps.push(step(0, 1), None);
        assert!(steps.undo().is_some());
        steps.push(step(0, 0), None);
        assert_eq!(steps.redo().map(ends), Some([0.0, 1.0]));
        // A drag that comes back.
        steps.push(step(1, 2), Some(Gesture::Pan));
        steps.push(step(2, 1), Some(Gesture::Pan));
        assert_eq!(steps.undo().map(ends), Some([0.0, 1.0]));
        // Something new takes the place of what was undone.
        steps.push(step(0, 7), None);
        assert!(steps.redo().is_none());
    }

    #[test]
    fn steps_and_their_sizes_are_bounded() {
        let mut steps = Steps::default();
        for at in 0..1000 {
            steps.push(step(at, at + 1), None);
        }
        assert_eq!(steps.done.len(), STEPS);
        let large = |size: usize| {
            let views = Box::new([view(0, size - 1), view(1, 1)]);
            Step { views, ..step(0, 1) }
        };
        for _ in 0..10 {
            steps.push(large(SIZE / 4), None);
        }
        assert!(steps.size() <= SIZE && steps.done.len() == 4);
        steps.push(large(SIZE * 2), None);
        assert_eq!(steps.done.len(), 1, "the last one stays");
    }
}
