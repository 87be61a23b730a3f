//! The list of changes of a comparison: going through it, to the frame and the place of each.

use super::State;
use crate::viewer::action::{CompareAction, Message, PartAction, PlaybackAction};
use crate::viewer::compare::{ChangeRow, Changes, Jump, Spot};

/// Part of the picture's width and height at each edge in which a place that a change leads to is not seen well.
const EDGE: f64 = 0.05;

impl State {
    fn rows(&self) -> &[ChangeRow] {
        let changes = self.comparison().and_then(|now| now.changes.as_deref());
        changes.map_or(&[], |changes: &Changes| &changes.rows)
    }

    /// Returns true if a row is about something that the open file lacks.
    fn is_only_in_other(&self, row: usize) -> bool {
        self.rows().get(row).is_some_and(|row| row.is_only_in_other)
    }

    pub(super) fn walk_changes(&mut self, by: isize) {
        if self.compare.now.is_none() {
            return self.nothing_compared();
        }
        let last = self.rows().len().checked_sub(1);
        let at = self.compare.jumped.as_ref().map(|(row, _)| *row);
        let next = match (at, last) {
            (_, None) => {
                let is_found = self.comparison().is_some_and(|now| now.changes.is_some());
                let text = if is_found { "No differences" } else { "Still comparing" };
                self.said = Some(Message::new(text));
                return;
            }
            (None, Some(last)) => {
                if by < 0 {
                    last
                } else {
                    0
                }
            }
            (Some(at), Some(last)) => match at.checked_add_signed(by) {
                None => last,
                Some(next) if next > last => 0,
                Some(next) => next,
            },
        };
        self.compare.is_listed = true;
        self.jump(next);
    }

    /// Goes to the frame and the place of a change, and selects its part.
    pub(super) fn jump(&mut self, row: usize) {
        let Some(ChangeRow { jump, name, .. }) = self.rows().get(row).cloned() else {
            return;
        };
        if jump == Jump::default() && self.is_only_in_other(row) {
            let text = format!("{name} is only in the other file");
            let exchange = CompareAction::Exchange.into();
            self.said = Some(Message::new(text).offering(exchange));
        }
        if let Some((animation, frame)) = jump.moment {
            if self.player.clip.animation != Some(animation) {
                self.on_playback(&PlaybackAction::Animation(animation));
            }
            self.on_playback(&PlaybackAction::GoTo(frame.into()));
        }
        if jump.bone.is_some() || jump.mesh.is_some() {
            self.on_parts(PartAction::ChooseBone(jump.bone));
            self.on_parts(PartAction::ChooseMesh(jump.mesh));
        }
        if let Some(spot) = &jump.spot {
            self.bring_into_sight(spot);
        }
        self.compare.jumped = Some((row, jump.spot));
        self.touch();
    }

    /// Moves the camera so that a place is in sight, unless it is.
    fn bring_into_sight(&mut self, spot: &Spot) {
        let size = self.view.size.map(f64::from);
        let ([x, y, _], camera) = (spot.middle, self.view.camera);
        let [x, y] = camera.screen_at([x, y], self.view.size);
        let [width, height] = size;
        let is_in = |at: f64, length: f64| (length * EDGE..=length * (1.0 - EDGE)).contains(&at);
        if self.view.orbit.is_some() || !(is_in(x, width) && is_in(y, height)) {
            let (_, zoom) = self.view.middle_and_zoom();
            self.view.put(spot.middle, zoom);
        }
    }
}
