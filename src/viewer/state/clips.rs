//! The list of animations whose names contain the filter's text.

use pchr::document::AnimationId;
use pchr::scene::Subject;

use super::State;
use crate::viewer::model::Model;

/// Animations that a filter leaves, ascending.
#[derive(Debug, Default)]
pub(super) struct ClipRows {
    of: Option<u64>,
    filter: String,
    listed: Vec<AnimationId>,
}

impl ClipRows {
    /// Lists again if there is another file or another filter.
    fn update(&mut self, model: Option<&Model>, filter: &str) {
        let of = model.map(Model::serial);
        if self.of == of && self.filter == filter {
            return;
        }
        self.of = of;
        filter.clone_into(&mut self.filter);
        self.listed.clear();
        let filter = filter.trim().to_lowercase();
        if let Some(model) = model.filter(|_| !filter.is_empty()) {
            let subject: &dyn Subject = model.subject();
            let holds = |id: &AnimationId| {
                let name = subject.animation_name(*id);
                name.to_lowercase().contains(&filter)
            };
            self.listed.extend(subject.animation_ids().filter(holds));
        }
    }
}

impl State {
    pub(super) fn update_clips(&mut self) {
        let filter = &self.looking.clip_filter;
        self.clips.update(self.model.as_ref(), filter);
    }

    /// Number of rows in the list of animations.
    pub(crate) fn clip_count(&self) -> usize {
        match self.looking.clip_filter.trim() {
            "" => self.timelines().len(),
            _ => self.clips.listed.len(),
        }
    }

    /// Returns the animation in a row of the list.
    pub(crate) fn clip_at(&self, row: usize) -> Option<AnimationId> {
        match self.looking.clip_filter.trim() {
            "" => u16::try_from(row).ok().map(AnimationId),
            _ => self.clips.listed.get(row).copied(),
        }
    }

    /// Returns the row of an animation, if it is listed.
    pub(crate) fn row_of_clip(&self, clip: AnimationId) -> Option<usize> {
        match self.looking.clip_filter.trim() {
            "" => Some(clip.index()).filter(|row| *row < self.timelines().len()),
            _ => self.clips.listed.binary_search(&clip).ok(),
        }
    }
}
