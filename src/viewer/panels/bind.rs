//! The bind pose: in words, as entries of a menu, and as a note where none was found.

use egui::{RichText, Ui};

use pchr::document::AnimationId;
use pchr::pose::{BindChoice, BindPose, BindSource};
use pchr::scene::{Clip, Subject};

use super::menu::Menu;
use super::names::shown;
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::model::Model;
use crate::viewer::theme;

/// Largest number of animations in the menu. More would make each frame slow.
const LISTED: usize = 500;

/// Returns a bind pose in words.
pub(super) fn bind_in_words(subject: &dyn Subject, source: BindSource) -> String {
    let name = |id: AnimationId| shown(subject.animation_name(id));
    match source {
        BindSource::Named(id) => name(id),
        BindSource::FirstFrame(id) => format!("{}, first frame", name(id)),
        BindSource::Chosen(id, frame) => format!("{}, frame {frame}", name(id)),
        BindSource::Disabled | BindSource::Absent => "none".to_owned(),
    }
}

/// Returns what to say of a bind pose that no animation is named as.
pub(super) fn missing(model: &Model, pose: &BindPose) -> Option<String> {
    match pose.source() {
        BindSource::FirstFrame(id) if model.bind_choice() == BindChoice::Auto => {
            let name = shown(model.subject().animation_name(id));
            Some(format!(
                "No animation is named like a bind pose: frame 0 of {name} is used"
            ))
        }
        _ => None,
    }
}

/// Adds all possible bind poses to a menu.
pub(super) fn entries(ui: &mut Ui, model: &Model, menu: &mut Menu, actions: &mut Vec<Action>) {
    let subject = model.subject();
    let chosen = model.bind_choice();
    let mut option = |ui: &mut Ui, menu: &mut Menu, choice: BindChoice, text: &str| {
        if menu.button(ui, text, chosen == choice) {
            actions.push(Action::Playback(PlaybackAction::Bind(choice)));
        }
    };
    option(ui, menu, BindChoice::Auto, "Found by name");
    option(ui, menu, BindChoice::None, "None");
    if let Some(at) = model.pose().at() {
        let choice = BindChoice::Frame(at.animation, at.frame);
        option(ui, menu, choice, "The frame on screen");
    }
    ui.separator();
    for (id, animation) in listed(subject) {
        if animation.timeline.frame_count > 0 {
            let choice = BindChoice::Frame(id, 0);
            let text = format!("{}, frame 0", shown(animation.name));
            option(ui, menu, choice, &text);
        }
    }
    unlisted(ui, subject);
}

/// Returns the animations of a menu.
fn listed(subject: &dyn Subject) -> impl Iterator<Item = (AnimationId, Clip<'_>)> {
    let ids = subject.animation_ids().take(LISTED);
    ids.filter_map(|id| Some((id, subject.animation(id)?)))
}

/// Shows the number of animations that are not listed.
fn unlisted(ui: &mut Ui, subject: &dyn Subject) {
    let more = subject.animation_count().saturating_sub(LISTED);
    if more > 0 {
        let text = RichText::new(format!("and {more} more"));
        ui.label(text.color(theme::of(ui).text_weak));
    }
}
