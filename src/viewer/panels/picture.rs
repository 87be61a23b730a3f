//! The area of the picture: panning, zooming, dropping of files, the frame of the chosen character of a stage, and the legend of weights.

use egui::{
    Align2, Color32, CursorIcon, FontId, Key, Mesh, Painter, PointerButton, Pos2, Rect, Role,
    Sense, Spinner, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use pchr::finding::counted;
use pchr::overlay::{Layer, ramp};

use super::pointer_and_wheel::{Drag, drag_of, on_screen, released_at, zoom_of};
use super::widgets::bone_name;
use super::{Panels, context, front};
use crate::viewer::action::{
    CameraAction, Grip, PartAction, PlaybackAction, RulerAction, StageAction,
};
use crate::viewer::interface::{narrow, pixel};
use crate::viewer::loaded::{Phase, Source};
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Switch, Tab};
use crate::viewer::theme;

/// Turn in degrees per point of a drag.
const DEGREES_PER_POINT: f64 = 0.4;
/// Distance in points within which a click finds a bone.
const REACH: f32 = 12.0;

/// Senses the pointer over the picture, which is drawn beneath the panels. Returns the picture's upper left corner in
/// screen pixels.
pub(super) fn ui(ui: &mut Ui, state: &Panels<'_>) -> [u32; 2] {
    let rect = ui.available_rect_before_wrap();
    let scale = ui.pixels_per_point();
    let corner = [rect.left(), rect.top()].map(|side| pixel(side * scale));
    let end = [rect.right(), rect.bottom()].map(|side| pixel(side * scale));
    let [[left, top], [right, bottom]] = [corner, end];
    let width = right.saturating_sub(left);
    let width = if state.is_side_by_side() { width / 2 } else { width };
    let size = [width, bottom.saturating_sub(top)];
    state.push_if(size != state.viewport(), CameraAction::Viewport(size));
    let response = ui.allocate_rect(rect, Sense::CLICK | Sense::DRAG);
    response.widget_info(|| {
        let name = state.model().map(|model| model.loaded().source.name());
        let words = name.map_or_else(|| "Picture".to_owned(), |name| format!("Picture of {name}"));
        WidgetInfo::labeled(Role::Image, true, words)
    });
    // Space plays or pauses when it is pressed; if a drag follows, that is undone.
    let space =
        |input: &egui::InputState| input.key_down(Key::Space) || input.key_released(Key::Space);
    state.push_if(response.drag_started() && ui.input(space), PlaybackAction::UndoPlay);
    let is_space = state.kind() == ContentKind::Motion;
    let place = |at: Pos2| on_screen(origin(rect, at, state), at, scale);
    let clicked_at = released_at(ui).or_else(|| response.interact_pointer_pos()).map(place);
    let within = f64::from(REACH * scale);
    match clicked_at {
        Some(at) if is_space && response.double_clicked() => {
            // Both clicks may lie in one slow frame.
            state.push(PartAction::PickBone(at, within));
            state.push(CameraAction::Center(at, within));
        }
        _ if response.double_clicked() => state.push(CameraAction::Fit),
        Some(at) if is_space && response.clicked() => {
            state.push(PartAction::PickBone(at, within));
        }
        Some(at) if response.clicked() && is_characters(state) => {
            let frame = StageFrame::of(state, rect.min, scale);
            let pointer = response.interact_pointer_pos();
            let stays = frame.zip(pointer).is_some_and(|(it, at)| it.grip_at(at).is_some());
            state.push(StageAction::Pick(at, stays));
        }
        Some(at) if response.clicked() => state.push(PartAction::Pick(at)),
        _ => {}
    }
    context::of_picture(ui, &response, rect, within, state);
    let measures = state.is_on(Switch::Ruler) && !is_space;
    if measures && response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    }
    let dragged = drag_of(ui, state, &response);
    let is_line = |drag: &Drag| drag.button == PointerButton::Primary && !ui.input(space);
    let frame = StageFrame::of(state, rect.min, scale);
    if let Some(frame) = &frame {
        frame.draw(ui, rect);
        let over = response.hover_pos().and_then(|at| frame.grip_at(at));
        if let Some(grip) = over.filter(|_| !response.dragged()) {
            ui.ctx().set_cursor_icon(cursor(grip));
        }
    }
    let grip = |drag: &Drag| {
        let is_stage = state.layout().is_some() && !measures && is_line(drag);
        let of_frame = frame.as_ref().and_then(|frame| frame.grip_at(drag.from));
        let with_shift = drag.modifiers.shift.then_some(Grip::PlaceTop);
        let of_frame = of_frame.filter(|grip| *grip != Grip::Place).or(with_shift).or(of_frame);
        let from = place(drag.from);
        let going_on = state.member_drag().filter(|it| it.from == from).map(|it| it.grip);
        let grip = if drag.is_new { of_frame } else { going_on };
        grip.filter(|_| is_stage)
    };
    let grip = dragged.as_ref().and_then(grip);
    if let Some((drag, grip)) = dragged.zip(grip) {
        place_member(ui, origin(rect, drag.from, state), (&drag, grip), state);
    } else if let Some(line) = dragged.filter(|drag| measures && is_line(drag)) {
        measure(ui, origin(rect, line.from, state), &line, state);
    } else if let Some(drag) = dragged {
        if drag.by != Vec2::ZERO {
            state.push(if is_space && turns(ui, &drag) {
                // Near parts follow the pointer.
                let by = [-drag.by.x, drag.by.y];
                CameraAction::Turn(by.map(|by| f64::from(by) * DEGREES_PER_POINT))
            } else {
                let by = drag.by * scale;
                CameraAction::Pan([by.x, by.y].map(f64::from))
            });
        }
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let pointer = response.hover_pos().map(place);
    if pointer != state.pointer() {
        state.push(CameraAction::Point(pointer));
        state.push_if(!is_space && !response.dragged(), PartAction::PointInPicture(pointer));
    }
    if let Some(at) = pointer {
        let factor = zoom_of(ui);
        state.push_if(factor != 1.0, CameraAction::Zoom(factor, at));
    }
    if let Some(source) = state.loading() {
        loading(ui, rect, state, source);
    }
    if !state.hovering().is_empty() {
        drop_here(ui, rect, &dropping(state.hovering()));
    }
    corner
}

/// Returns the upper left corner of the picture that a point lies in: of two files side by side, each has its own.
fn origin(rect: Rect, at: Pos2, state: &State) -> Pos2 {
    if state.is_side_by_side() && at.x >= rect.center().x { rect.center_top() } else { rect.min }
}

fn measure(ui: &Ui, origin: Pos2, drag: &Drag, state: &Panels<'_>) {
    let scale = ui.pixels_per_point();
    state.push_if(drag.is_new, RulerAction::From(on_screen(origin, drag.from, scale)));
    let snaps = ui.input(|input| input.modifiers.shift);
    state.push(RulerAction::To(on_screen(origin, drag.to, scale), snaps));
}

/// Moves, turns or scales a character of a stage along a drag.
fn place_member(ui: &Ui, origin: Pos2, (drag, grip): (&Drag, Grip), state: &Panels<'_>) {
    let scale = ui.pixels_per_point();
    let from = on_screen(origin, drag.from, scale);
    state.push_if(drag.is_new, StageAction::Grab(grip, from));
    if drag.by != Vec2::ZERO {
        let snaps = ui.input(|input| input.modifiers.shift);
        let to = on_screen(origin, drag.to, scale);
        state.push(StageAction::Drag(to, snaps));
    }
    ui.ctx().set_cursor_icon(cursor(grip));
}

/// Returns true if a drag turns the camera: with the first button, and without Space, or Shift when the button went down.
fn turns(ui: &Ui, drag: &Drag) -> bool {
    let pans = drag.modifiers.shift || ui.input(|input| input.key_down(Key::Space));
    drag.button != PointerButton::Middle && !pans
}

/// Shows the loading file and its progress: in the middle if nothing else is shown, in a corner otherwise.
fn loading(ui: &mut Ui, rect: Rect, state: &State, source: &Source) {
    let colors = theme::of(ui);
    let progress = state.progress();
    let doing = match progress.map(|progress| progress.phase) {
        None | Some(Phase::Reading) => "Reading",
        Some(Phase::Checking) => "Checking",
        Some(Phase::Images) => "Decoding the images of",
    };
    let text = format!("{doing} {}…", source.name());
    let font = FontId::proportional(13.0);
    let galley = ui.painter().layout_no_wrap(text.clone(), font, colors.text);
    let size = (galley.size() + vec2(56.0, 26.0)).min(rect.size() - vec2(24.0, 24.0));
    let card = if state.model().is_none() {
        Rect::from_center_size(rect.center(), size)
    } else {
        Rect::from_min_size(rect.min + vec2(12.0, 12.0), size)
    };
    ui.painter().rect_filled(card, 8.0, colors.card);
    let text_at = card.left_center() + vec2(42.0, -galley.size().y / 2.0);
    ui.painter().with_clip_rect(card).galley(text_at, galley, colors.text);
    let spinner = Rect::from_center_size(card.left_center() + vec2(24.0, 0.0), vec2(16.0, 16.0));
    if ui.style().animation_time > 0.0 {
        ui.put(spinner, Spinner::new().size(16.0).color(colors.accent));
    }
    if let Some(part) = progress.and_then(|progress| progress.fraction()) {
        let rail = Rect::from_min_max(card.left_bottom() - vec2(0.0, 3.0), card.right_bottom());
        let done = Rect::from_min_size(rail.min, vec2(rail.width() * part, rail.height()));
        ui.painter().rect_filled(rail, 1.5, colors.button);
        ui.painter().rect_filled(done, 1.5, colors.accent);
    }
    let whole = ui.interact(card, ui.scope_id().with("loading"), Sense::hover());
    whole.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ProgressIndicator, true, &text);
        info.value = progress.and_then(|progress| progress.fraction()).map(f64::from);
        info
    });
}

/// Returns the effect of dropping these paths, in words.
fn dropping(paths: &[std::path::PathBuf]) -> String {
    match paths {
        [path] => {
            let name = Source::File(path.clone()).name();
            // A path without an extension is assumed to be a folder.
            match path.extension() {
                Some(_) => format!(
                    "Drop to open {name}; with Ctrl to compare, with Shift to add it to the stage"
                ),
                None => format!("Drop to open everything in {name}"),
            }
        }
        paths => format!("Drop to open {} files as a list", paths.len()),
    }
}

fn drop_here(ui: &mut Ui, rect: Rect, text: &str) {
    let whole = ui.interact(rect, ui.scope_id().with("drop"), Sense::hover());
    whole.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, theme::of(ui).panel.gamma_multiply(0.8));
    let frame = rect.shrink(16.0);
    let stroke = Stroke::new(2.0, theme::of(ui).accent);
    painter.rect_stroke(frame, 10.0, stroke, StrokeKind::Inside);
    let font = FontId::proportional(18.0);
    painter.text(rect.center(), Align2::CENTER_CENTER, text, font, theme::of(ui).text_strong);
}

/// Logical pixels that the label of the grid takes below the legend, where drawings are largest.
const GRID_LABEL: f32 = 20.0;
/// Number of colours along the bar.
const STEPS: u8 = 32;

/// Draws the legend, above the label of the grid if there is one.
pub(super) fn legend(ui: &Ui, picture: Rect, state: &State, model: &Model) {
    let bone = state.chosen_bone();
    let picture = match state.is_on(Switch::Overlay(Layer::Grid)) {
        true => picture.with_max_y(picture.bottom() - GRID_LABEL),
        false => picture,
    };
    let colors = theme::of(ui);
    let Some(bone) = bone else {
        let text = match model.subject().bone_count() {
            0 => "No bones, so no weights",
            _ => "Select a bone to see its weights",
        };
        return card(ui, picture, text, 0.0);
    };
    let flags = model.flagged();
    let mut text = format!("Weight of {}", bone_name(model, bone));
    for (count, what) in [
        (flags.unweighted, "without any weight (pink crosses)"),
        (flags.not_summing, "with weights that do not sum to 1 (orange triangles)"),
    ] {
        if count > 0 {
            text = format!("{text}\n{} {what}", counted(count, "vertex", "vertices"));
        }
    }
    card(ui, picture, &text, 26.0);
    let left = picture.left() + 24.0;
    let bottom = picture.bottom() - 22.0;
    let bar =
        Rect::from_min_max(pos2(left + 12.0, bottom - 12.0), pos2(left + 172.0, bottom - 2.0));
    let mut mesh = Mesh::default();
    for i in 0..=STEPS {
        let t = f32::from(i) / f32::from(STEPS);
        let [r, g, b] = ramp(t);
        let color = Color32::from_rgb(r, g, b);
        let x = bar.left() + bar.width() * t;
        mesh.colored_vertex(pos2(x, bar.top()), color);
        mesh.colored_vertex(pos2(x, bar.bottom()), color);
        if i > 0 {
            let at = u32::from(i) * 2;
            mesh.add_triangle(at - 2, at - 1, at);
            mesh.add_triangle(at - 1, at, at + 1);
        }
    }
    let painter = ui.painter();
    painter.add(mesh);
    let font = FontId::monospace(11.0);
    let label = |x: f32, align, text: &str| {
        painter.text(pos2(x, bar.center().y), align, text, font.clone(), colors.text);
    };
    label(bar.left() - 5.0, Align2::RIGHT_CENTER, "0");
    label(bar.right() + 5.0, Align2::LEFT_CENTER, "1");
}

/// Draws a text in the lower left corner of the picture, with room below it.
fn card(ui: &Ui, picture: Rect, text: &str, below: f32) {
    let colors = theme::of(ui);
    let font = FontId::proportional(12.5);
    let galley = ui.painter().layout(text.to_owned(), font, colors.text, 320.0);
    let size = vec2(galley.size().x.max(184.0), galley.size().y + below) + vec2(24.0, 18.0);
    let at = Rect::from_min_size(picture.left_bottom() + vec2(12.0, -12.0 - size.y), size);
    ui.painter().rect_filled(at, 8.0, colors.floating());
    let whole = ui.interact(at, egui::Id::unique("legend"), egui::Sense::hover());
    whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    ui.painter().galley(at.min + vec2(12.0, 9.0), galley, colors.text);
}

/// Side of a corner's handle in logical pixels.
const HANDLE: f32 = 8.0;
/// Distance within which a handle is hit.
const HANDLE_REACH: f32 = 9.0;
/// Distance of the knob from the top side.
const STALK: f32 = 26.0;

/// The frame on screen, in points: dragged inside it is moved, at a corner scaled, at the knob turned.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StageFrame {
    /// Counter-clockwise in the character's own world, from its lower left one.
    corners: [Pos2; 4],
    knob: Pos2,
    origin: Pos2,
}

impl StageFrame {
    /// Returns the frame of the chosen character while the list of characters is in front. `corner` is that of the picture.
    fn of(state: &State, corner: Pos2, pixels_per_point: f32) -> Option<Self> {
        let is_plain = state.counterpart().is_none() && !state.is_on(Switch::Ruler);
        let is_listed = is_characters(state);
        let chosen = state.chosen_member().filter(|_| is_plain && is_listed)?;
        let member = state.layout()?.members.get(chosen)?;
        let corners = state.model()?.member_corners(chosen)?;
        let (camera, size) = (state.camera(), state.viewport());
        let on_screen = |at: [f32; 2]| {
            let [x, y] = camera.screen_at(at.map(f64::from), size).map(narrow);
            corner + vec2(x, y) / pixels_per_point
        };
        let corners = corners.map(on_screen);
        let [a, b, c, d] = corners;
        let (bottom, top) = (a + (b - a) / 2.0, d + (c - d) / 2.0);
        let up = (top - bottom).normalized();
        let up = if up == Vec2::ZERO { -Vec2::Y } else { up };
        Some(Self { corners, knob: top + up * STALK, origin: on_screen(member.at) })
    }

    /// Returns the effect of a drag that begins at a point.
    fn grip_at(&self, at: Pos2) -> Option<Grip> {
        let is_near = |handle: &Pos2| handle.distance(at) <= HANDLE_REACH;
        if is_near(&self.knob) {
            Some(Grip::Turn)
        } else if self.corners.iter().any(is_near) {
            Some(Grip::Scale)
        } else {
            self.contains(at).then_some(Grip::Place)
        }
    }

    /// Returns true for a point on the same side of all edges.
    fn contains(&self, at: Pos2) -> bool {
        let next = self.corners.iter().cycle().skip(1);
        let side = |(a, b): (&Pos2, &Pos2)| {
            let (edge, to) = (*b - *a, at - *a);
            edge.x * to.y - edge.y * to.x
        };
        let sides: Vec<f32> = self.corners.iter().zip(next).map(side).collect();
        sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
    }

    /// Draws the frame within the picture.
    fn draw(&self, ui: &Ui, picture: Rect) {
        let colors = theme::of(ui);
        let painter: Painter = ui.painter().with_clip_rect(picture);
        let (line, halo) = (Stroke::new(1.5, colors.accent), Stroke::new(3.5, colors.floating()));
        let [_, _, c, d] = self.corners;
        let next = self.corners.iter().cycle().skip(1);
        let sides = self.corners.iter().zip(next).map(|(a, b)| [*a, *b]);
        let stalk = [d + (c - d) / 2.0, self.knob];
        let lines: Vec<_> = sides.chain([stalk]).collect();
        for stroke in [halo, line] {
            for ends in &lines {
                painter.line_segment(*ends, stroke);
            }
        }
        for corner in self.corners {
            let handle = Rect::from_center_size(corner, Vec2::splat(HANDLE));
            painter.rect(handle, 1.0, colors.text_strong, line, StrokeKind::Middle);
        }
        painter.circle(self.knob, HANDLE / 2.0 + 1.0, colors.text_strong, line);
        let Pos2 { x, y } = self.origin;
        for ends in [[pos2(x - 5.0, y), pos2(x + 5.0, y)], [pos2(x, y - 5.0), pos2(x, y + 5.0)]] {
            painter.line_segment(ends, halo);
            painter.line_segment(ends, line);
        }
    }
}

/// Returns true if clicks and drags in the picture are for the characters of a stage.
fn is_characters(state: &State) -> bool {
    state.layout().is_some() && front(state) == Tab::Stage && state.is_on(Switch::Panels)
}

/// Returns the pointer's form over a grip.
fn cursor(grip: Grip) -> CursorIcon {
    match grip {
        Grip::Place | Grip::PlaceTop => CursorIcon::Move,
        Grip::Turn => CursorIcon::Alias,
        Grip::Scale => CursorIcon::ResizeNwSe,
    }
}
