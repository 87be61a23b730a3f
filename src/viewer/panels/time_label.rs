//! The label above the timeline: the frame under the pointer with its marks, or the section while an end of it is held.

use egui::text::LayoutJob;
use egui::{
    Color32, Id, LayerId, Order, Rect, Role, Sense, Stroke, StrokeKind, TextFormat, Ui, WidgetInfo,
    pos2, vec2,
};

use pchr::playback::Timeline;

use crate::viewer::theme;

/// Logical pixels between the label and the timeline.
const GAP: f32 = 4.0;
/// Widest label in logical pixels.
const WIDTH: f32 = 320.0;

/// A frame and its time.
pub(super) fn of_frame(frame: f64, timeline: &Timeline) -> String {
    let seconds = frame / timeline.fps;
    if frame.fract() == 0.0 {
        format!("Frame {frame:.0}  ·  {seconds:.2} s")
    } else {
        format!("Frame {frame:.1}  ·  {seconds:.2} s")
    }
}

/// A section and its length.
pub(super) fn of_section([first, last]: [u16; 2], timeline: &Timeline) -> String {
    let frames = u32::from(last.saturating_sub(first)).saturating_add(1);
    let word = if frames == 1 { "frame" } else { "frames" };
    let seconds = f64::from(frames) / timeline.fps;
    format!("{first} – {last}  ·  {frames} {word}, {seconds:.2} s")
}

/// Draws lines of text at once, above everything, with their middle above a place of the timeline.
pub(super) fn show(ui: &Ui, x: f32, line: Rect, lines: &[(Color32, String)]) {
    let colors = theme::of(ui);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (color, text) in lines {
        let end = if job.is_empty() { "" } else { "\n" };
        let format = TextFormat::simple(font.clone(), *color);
        job.append(&format!("{end}{text}"), 0.0, format);
    }
    job.wrap.max_width = WIDTH;
    let id = Id::unique("label above the timeline");
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, id));
    let galley = painter.layout_job(job);
    let size = galley.size() + vec2(16.0, 10.0);
    let screen = ui.ctx().content_rect().shrink(4.0);
    let most = (screen.right() - size.x).max(screen.left());
    let left = (x - size.x / 2.0).clamp(screen.left(), most);
    let top = (line.top() - GAP - size.y).max(screen.top());
    let card = Rect::from_min_size(pos2(left, top).round(), size);
    let edge = Stroke::new(1.0, colors.outline);
    painter.rect(card, 5.0, colors.card, edge, StrokeKind::Inside);
    painter.galley(card.min + vec2(8.0, 5.0), galley, colors.text);
    let said = ui.interact(card, id, Sense::hover());
    said.widget_info(|| {
        let all: Vec<&str> = lines.iter().map(|(_, text)| text.as_str()).collect();
        WidgetInfo::labeled(Role::Label, true, all.join("\n"))
    });
}
