//! Values under the pointer.

use egui::text::LayoutJob;
use egui::{FontId, Pos2, Rect, Stroke, StrokeKind, TextFormat, Ui, vec2};

use pchr::playback::Timeline;
use pchr::scene::{Curve, CurveKind};

use super::frames::FrameAxis;
use super::lane::{Lane, color_of};
use crate::viewer::curves::name_of;
use crate::viewer::rounding::{narrow, pixel};
use crate::viewer::state::State;
use crate::viewer::theme;

/// Shows the values of all curves on the frame at the pointer.
pub(super) fn ui(
    ui: &Ui,
    state: &State,
    timeline: &Timeline,
    axis: &FrameAxis,
    lanes: &[Lane],
    plot: Rect,
    pointer: Pos2,
) {
    let colors = theme::of(ui);
    let frame = axis.frame_at(pointer.x).round();
    let painter = ui.painter().with_clip_rect(plot);
    let x = axis.x(frame);
    let line = Stroke::new(1.0, colors.text_weak.gamma_multiply(0.6));
    painter.vline(x, plot.y_range(), line);
    let mut job = LayoutJob::default();
    let font = FontId::monospace(11.0);
    let mut add = |text: &str, color| {
        job.append(text, 0.0, TextFormat::simple(font.clone(), color));
    };
    let seconds = frame / timeline.fps;
    add(
        &format!("frame {frame:.0}  {seconds:.2} s"),
        colors.text_strong,
    );
    let index = usize::try_from(pixel(narrow(frame))).unwrap_or(usize::MAX);
    for lane in lanes {
        add(&format!("\n{:<11}", name_of(lane.kind)), colors.text_weak);
        let of_kind = { state.tracks().curves().iter() }.filter(|curve| curve.kind == lane.kind);
        for curve in of_kind {
            let Some(value) = curve.values.get(index) else {
                continue;
            };
            add(&in_words(curve, *value), color_of(curve, colors));
        }
    }
    let galley = painter.layout_job(job);
    let size = galley.size() + vec2(16.0, 10.0);
    let right = x + 12.0 + size.x <= plot.right();
    let left = if right { x + 12.0 } else { x - 12.0 - size.x };
    let top = (pointer.y - size.y * 0.5).clamp(
        plot.top() + 2.0,
        (plot.bottom() - size.y - 2.0).max(plot.top() + 2.0),
    );
    let card = Rect::from_min_size(Pos2::new(left.max(plot.left()), top), size);
    let edge = Stroke::new(1.0, colors.button_hovered);
    painter.rect(card, 5.0, colors.card, edge, StrokeKind::Inside);
    painter.galley(card.min + vec2(8.0, 5.0), galley, colors.text);
}

fn in_words(curve: &Curve, value: f32) -> String {
    match curve.kind {
        CurveKind::Visible if value == 0.0 => "no".to_owned(),
        CurveKind::Visible => "yes".to_owned(),
        CurveKind::Order => format!("{value:.0}"),
        CurveKind::Rotation if curve.name == "rotation" => format!("{value:.2}°"),
        CurveKind::Rotation => format!("{} {value:.2}°  ", curve.name),
        CurveKind::Translation => format!("{} {value:.2}  ", curve.name),
        CurveKind::Scale => format!("{} {value:.3}  ", curve.name),
    }
}
