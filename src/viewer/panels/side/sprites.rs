//! The sprites of an atlas by folder, and the details of one.

use egui::{
    Align, Layout, Link, Rect, Response, RichText, ScrollArea, Sense, Ui, Vec2, pos2, vec2,
};
use lucide_icons::Icon;

use pchr::document::MeshId;
use pchr::finding::counted;
use pchr_foreign::sheet::atlas_of;

use super::meshes;
use crate::viewer::action::{Action, PartAction, PlaybackAction};
use crate::viewer::model::Model;
use crate::viewer::panels::list::{PICTURE, RowList, Rows, is_space};
use crate::viewer::panels::page::{color_of, place, sprite_in_words};
use crate::viewer::panels::widgets::{
    Look, inside, line, paint_icon, row_text, shown, table, weak,
};
use crate::viewer::panels::{Panels, context, list};
use crate::viewer::sprites::{Row, SpriteList, parts};
use crate::viewer::switch::Tab;
use crate::viewer::theme;

/// Indent of a sprite in its folder.
const INDENT: f32 = 14.0;

/// Draws the list. A `low` panel has no room for the number of sprites.
pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, model: &Model, sprites: &SpriteList, low: bool) {
    let filter = &state.looking().mesh_filter;
    let rows = &state.parts().rows;
    crate::viewer::panels::padded(ui, |ui| {
        if !low {
            head(ui, state, model, rows);
        }
        list::filter_field(ui, Tab::Meshes, filter, state);
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    let chosen = state.chosen_mesh();
    let list = RowList {
        name: "sprites",
        filter: ("Filter meshes", filter),
        count: rows.len(),
        chosen: chosen.map(|mesh| mesh.0.into()),
        place: chosen.and_then(|mesh| {
            let row = Row::Sprite(mesh);
            rows.iter().position(|other| *other == row)
        }),
        number: &|row| rows.get(row).map_or(0, number),
    };
    let area = ScrollArea::vertical().auto_shrink(false);
    let mut pointed = None;
    list.show(ui, state, area, |ui, keys, range| {
        for row in rows.iter().skip(range.start).take(range.len()) {
            match row {
                Row::Folder(index) => {
                    ui.push_id(("folder", index), |ui| folder(ui, keys, state, sprites, *index));
                }
                Row::Sprite(mesh) => {
                    let is_under = ui.push_id(mesh.0, |ui| sprite(ui, keys, state, model, *mesh));
                    pointed = pointed.or(is_under.inner.then_some(*mesh));
                }
            }
        }
    });
    list::point_at(state, pointed);
}

/// A number that no other row has.
fn number(row: &Row) -> u64 {
    match row {
        Row::Folder(index) => (1 << 32) + *index as u64,
        Row::Sprite(mesh) => mesh.0.into(),
    }
}

fn head(ui: &mut Ui, state: &Panels<'_>, model: &Model, rows: &[Row]) {
    ui.horizontal(|ui| {
        ui.set_min_height(Look::SMALL.size.y);
        let all = model.subject().mesh_count();
        let listed = rows.iter().filter(|row| matches!(row, Row::Sprite(_)));
        let text = match state.looking().mesh_filter.trim() {
            "" => counted(all, "sprite", "sprites"),
            _ => format!("{} of {}", listed.count(), counted(all, "sprite", "sprites")),
        };
        ui.label(weak(ui, text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| meshes::reset_all(ui, state));
    });
}

fn folder(ui: &mut Ui, keys: &mut Rows, state: &Panels<'_>, sprites: &SpriteList, index: usize) {
    let Some(folder) = sprites.folders.get(index) else { return };
    let colors = theme::of(ui);
    let (rect, response) = keys.row(ui, number(&Row::Folder(index)), Sense::click());
    let folded = state.parts().folded_folders.contains(&folder.path);
    let name = shown(&folder.path);
    response.widget_info(|| {
        let word = if folded { "Unfold" } else { "Fold" };
        egui::WidgetInfo::labeled(egui::Role::TreeItem, true, format!("{word} {name}"))
    });
    list::fill_row(ui, rect, false, ui.rect_contains_pointer(rect));
    let left = rect.left() + f32::from(theme::MARGIN) - 4.0;
    let arrow = Rect::from_min_size(pos2(left, rect.top()), vec2(16.0, theme::ROW));
    let icon = if folded { Icon::ChevronRight } else { Icon::ChevronDown };
    paint_icon(ui.painter(), arrow, icon, colors.text_weak);
    let inner = Rect::from_min_max(
        pos2(arrow.right() + 4.0, rect.top()),
        rect.max - vec2(f32::from(theme::MARGIN), 0.0),
    );
    inside(ui, inner, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let count = RichText::new(folder.len().to_string()).monospace();
            ui.label(count.color(colors.text_weak));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                row_text(ui, &name, colors.text_strong);
            });
        });
    });
    if response.clicked() || list::is_fold(ui, &response, folded) {
        state.push(PartAction::FoldFolder(folder.path.clone()));
    }
}

/// Lays out the row of a sprite. Returns true if the pointer is on it.
fn sprite(ui: &mut Ui, keys: &mut Rows, state: &Panels<'_>, model: &Model, mesh: MeshId) -> bool {
    let atlas = atlas_of(model.subject());
    let Some((whole, sprite)) = atlas.and_then(|atlas| atlas.sprites.get_index(mesh.index()))
    else {
        return false;
    };
    let colors = theme::of(ui);
    let chosen = state.chosen_mesh() == Some(mesh);
    let row = Row::Sprite(mesh);
    let (rect, response) = keys.row(ui, number(&row), Sense::click());
    let (folder, name) = parts(whole);
    let (name, whole) = (shown(name), shown(whole));
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, chosen, &whole)
    });
    if is_space(ui, &response) {
        let next = { state.mesh_view(mesh).visible.is_none() }.then_some(false);
        state.push(PartAction::ShowMesh(mesh, next));
    } else if response.clicked() {
        let next = (!chosen).then_some(mesh);
        keys.choose(next.map(|mesh| mesh.0.into()));
        state.push(PartAction::ChooseMesh(next));
    }
    let over = ui.rect_contains_pointer(rect);
    list::fill_row(ui, rect, chosen, over || state.parts().pointed == Some(mesh));
    let margin = f32::from(theme::MARGIN);
    let indent = if folder.is_empty() { 0.0 } else { INDENT };
    let left = rect.left() + margin - 4.0 + indent;
    let dot = pos2(left + 6.0, rect.center().y);
    let drawn = model.shown(mesh).visible;
    let chip = Rect::from_center_size(dot, Vec2::splat(if drawn { 10.0 } else { 7.0 }));
    ui.painter().rect_filled(chip, 2.0, color_of(sprite, colors));
    if drawn {
        let line = egui::Stroke::new(1.5, colors.text_strong);
        let kind = egui::StrokeKind::Outside;
        ui.painter().rect_stroke(chip, 2.0, line, kind);
    }
    let picture = pos2(left + 18.0 + PICTURE / 2.0, rect.center().y);
    list::picture(ui, Rect::from_center_size(picture, Vec2::splat(PICTURE)), state, mesh);
    let text = pos2(left + 22.0 + PICTURE, rect.top());
    let inner = Rect::from_min_max(text, rect.max - vec2(margin - 2.0, 0.0));
    inside(ui, inner, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            switches(ui, &response, state, mesh, &whole, over);
            let weak = if chosen { colors.text_strong } else { colors.text_weak };
            let [width, height] = [sprite.rect.width, sprite.rect.height];
            let size = format!("{width}×{height}");
            ui.label(RichText::new(size).monospace().size(11.0).color(weak));
            if sprite.alias_of.is_some() {
                ui.label(RichText::new("alias").size(11.0).color(weak));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let hidden = state.mesh_view(mesh).visible == Some(false);
                let color = match (chosen, hidden) {
                    (true, _) => colors.text_strong,
                    (false, true) => colors.text_weak,
                    (false, false) => colors.text,
                };
                row_text(ui, &name, color);
            });
        });
    });
    menu(&response, state, mesh, &whole);
    list::tip_beside(ui, &response, rect, |ui| {
        ui.label(sprite_in_words(model, mesh));
    });
    response.contains_pointer()
}

/// Hiding, and showing alone: seen where the pointer is, and where they are in force.
fn switches(ui: &mut Ui, row: &Response, state: &Panels<'_>, mesh: MeshId, name: &str, over: bool) {
    let colors = theme::of(ui);
    let wish = state.mesh_view(mesh).visible;
    let alone = state.solo() == Some(mesh);
    let color = |on: bool| if on { colors.accent } else { colors.text };
    let look = Look::NARROW;
    if alone || over {
        let (label, tip) = if alone {
            (format!("Show the others again, not only {name}"), "Follow the animation again")
        } else {
            (format!("Isolate {name}"), "Show only this sprite, no matter what plays")
        };
        let look = look.color(color(alone));
        let solo = PartAction::Solo(mesh);
        list::button_beside(ui, row, (Icon::Focus, look), (&label, tip), solo, state);
    } else {
        ui.allocate_space(look.size); // so that the size stays where it is
    }
    let solo_hides = state.solo().is_some();
    if over || (wish.is_some() && !solo_hides) {
        let hidden = wish == Some(false);
        let (icon, word) = if hidden { (Icon::EyeClosed, "Show") } else { (Icon::Eye, "Hide") };
        let tip = match wish {
            None => "Hide it in every frame",
            Some(false) => "Always hidden: click to follow the animation",
            Some(true) => "Always shown: click to follow the animation",
        };
        let show = PartAction::ShowMesh(mesh, wish.is_none().then_some(false));
        let look = look.color(color(wish.is_some()));
        let name = format!("{word} {name}");
        list::button_beside(ui, row, (icon, look), (&name, tip), show, state);
    } else {
        ui.allocate_space(look.size);
    }
}

fn menu(response: &Response, state: &Panels<'_>, mesh: MeshId, name: &str) {
    let wish = state.mesh_view(mesh).visible;
    let touched = wish.is_some();
    let alone = match state.solo() == Some(mesh) {
        true => "Follow the animation again".to_owned(),
        false => format!("Isolate {name}"),
    };
    let entries = [
        (
            wish != Some(false),
            format!("Hide {name} in every frame"),
            PartAction::ShowMesh(mesh, Some(false)),
        ),
        (true, alone, PartAction::Solo(mesh)),
        (true, format!("Show {name} in every frame"), PartAction::ShowMesh(mesh, Some(true))),
        (touched, format!("Reset {name}"), PartAction::ResetMesh(mesh)),
    ];
    let entries = entries.map(|(enabled, text, action)| (enabled, text, Action::Parts(action)));
    context::of_row(response, state, &entries, |ui, menu| {
        if menu.button(ui, "Copy the name", false) {
            let whole = state.model().and_then(|model| model.subject().mesh(mesh));
            ui.ctx().copy_text(whole.map_or("", |mesh| mesh.name()).to_owned());
        }
    });
}

pub(crate) fn sprite_facts(
    ui: &mut Ui,
    model: &Model,
    sprites: &SpriteList,
    mesh: MeshId,
    state: &Panels<'_>,
) {
    let subject = model.subject();
    let Some(atlas) = atlas_of(subject) else { return };
    let Some((name, sprite)) = atlas.sprites.get_index(mesh.index()) else { return };
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
            link(ui, "Alias of", &shown(name), "Select this sprite", choose, state);
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
            link(ui, "Flip-book", &clip, "Show this flip-book", play, state);
            if count > 1 {
                line(ui, "Frame", format!("{} of 0–{}", at.frame, count.saturating_sub(1)));
            }
        }
    });
}

fn link(ui: &mut Ui, title: &str, text: &str, tip: &str, action: Action, state: &Panels<'_>) {
    ui.label(RichText::new(title).color(theme::of(ui).text_weak));
    let response = ui.add(Link::new(RichText::new(text).monospace()));
    state.push_if(response.on_hover_text(tip).clicked(), action);
    ui.end_row();
}
