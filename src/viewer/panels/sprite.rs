//! The selected sprite, in numbers.

use egui::{Link, RichText, Ui};

use pchr::document::MeshId;
use pchr_foreign::sheet::atlas_of;

use super::facts::{line, table};
use super::names::shown;
use super::sprite_words::place;
use crate::viewer::action::{Action, PartAction, PlaybackAction};
use crate::viewer::model::Model;
use crate::viewer::sprites::Sprites;
use crate::viewer::theme;

pub(super) fn ui(
    ui: &mut Ui,
    model: &Model,
    sprites: &Sprites,
    mesh: MeshId,
    actions: &mut Vec<Action>,
) {
    let subject = model.subject();
    let Some(atlas) = atlas_of(subject) else {
        return;
    };
    let Some((name, sprite)) = atlas.sprites.get_index(mesh.index()) else {
        return;
    };
    table(ui, "sprite", |ui| {
        line(ui, "Name", shown(name));
        let page = atlas.pages.get(sprite.page as usize);
        let file = page.map_or("", |page| page.file.as_str());
        line(ui, "Page", format!("{} · {file}", sprite.page));
        line(ui, "Position", place(sprite));
        let [width, height] = sprite.source_size();
        line(ui, "Source", format!("{width} × {height}"));
        if let Some(trim) = sprite.trim {
            let [x, y] = trim.offset;
            line(ui, "Trim", format!("at {x}, {y} in the source"));
        }
        if sprite.rotated {
            line(ui, "Rotated", "90° clockwise".into());
        }
        if let Some(block) = sprite.block {
            line(ui, "Block", format!("#{block}"));
        }
        let original = sprite.alias_of.and_then(|index| {
            let (name, _) = atlas.sprites.get_index(index as usize)?;
            Some((MeshId(u16::try_from(index).ok()?), name))
        });
        if let Some((original, name)) = original {
            let choose = Action::Parts(PartAction::ChooseMesh(Some(original)));
            link(
                ui,
                "Alias of",
                &shown(name),
                "Select this sprite",
                choose,
                actions,
            );
        }
        match sprites.aliases(mesh) {
            0 => {}
            1 => line(ui, "Aliases", "1 other sprite lies here".into()),
            count => line(ui, "Aliases", format!("{count} other sprites lie here")),
        }
        if let Some(at) = subject.moment_of(mesh, None) {
            let clip = subject.animation(at.animation);
            let count = clip.map_or(0, |clip| clip.timeline.frame_count);
            let clip = shown(subject.animation_name(at.animation));
            let play = Action::Playback(PlaybackAction::Animation(at.animation));
            link(ui, "Flip-book", &clip, "Show this flip-book", play, actions);
            if count > 1 {
                line(
                    ui,
                    "Frame",
                    format!("{} of 0–{}", at.frame, count.saturating_sub(1)),
                );
            }
        }
    });
}

fn link(
    ui: &mut Ui,
    title: &str,
    text: &str,
    tip: &str,
    action: Action,
    actions: &mut Vec<Action>,
) {
    ui.label(RichText::new(title).color(theme::of(ui).text_weak));
    let response = ui.add(Link::new(RichText::new(text).monospace()));
    if response.on_hover_text(tip).clicked() {
        actions.push(action);
    }
    ui.end_row();
}
