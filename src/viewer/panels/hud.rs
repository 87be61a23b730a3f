//! Statistics of a frame: its costs and its contents.

use egui::{Align2, Area, Frame, Grid, Margin, Order, Rect, RichText, Ui, vec2};

use super::Surroundings;
use crate::viewer::kind::Kind;
use crate::viewer::model::Model;
use crate::viewer::theme;

/// Costs of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Costs {
    /// Time of the window's thread per frame in milliseconds: mean and maximum of the last frames.
    pub cpu: [f64; 2],
    /// Time of the graphics adapter for the character in milliseconds, if it can be measured.
    pub gpu: Option<f64>,
}

/// Draws the statistics in the upper right corner. Returns their rectangle.
pub(super) fn ui(ui: &Ui, picture: Rect, model: &Model, around: &Surroundings) -> Rect {
    let colors = theme::of(ui);
    Area::new(egui::Id::unique("statistics"))
        .order(Order::Middle)
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(picture.right_top() + vec2(-12.0, 12.0))
        .constrain_to(picture)
        .interactable(false)
        .show(ui.ctx(), |ui| {
            Frame::new()
                .fill(colors.card.gamma_multiply(0.94))
                .stroke(egui::Stroke::new(1.0, colors.line))
                .corner_radius(8)
                .inner_margin(Margin::symmetric(12, 10))
                .show(ui, |ui| lines(ui, model, around));
        })
        .response
        .rect
}

fn lines(ui: &mut Ui, model: &Model, around: &Surroundings) {
    let subject = model.subject();
    let draws = model.draws();
    let drawn = |of: fn(&crate::document::Mesh<'_>) -> usize| -> usize {
        let meshes = draws.iter().filter_map(|draw| subject.mesh(draw.mesh));
        meshes.map(|mesh| of(&mesh)).sum()
    };
    let runs = 1 + draws
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.image != b.image))
        .count();
    let runs = if draws.is_empty() { 0 } else { runs };
    let [mean, most] = around.costs.cpu;
    let bytes = subject.file().bytes;
    let gpu = match around.costs.gpu {
        Some(ms) => format!("{ms:.2} ms"),
        None => "not measured here".into(),
    };
    let is_atlas = model.kind() == Kind::Atlas;
    let rows = [
        ("CPU", format!("{mean:.2} ms, at most {most:.2}")),
        ("GPU", gpu),
        ("Draw calls", runs.to_string()),
        (
            if is_atlas { "Sprites" } else { "Meshes" },
            format!("{} drawn", draws.len()),
        ),
        ("Vertices", drawn(|mesh| mesh.vertex_count()).to_string()),
        (
            "Triangles",
            drawn(|mesh| mesh.index_count() / 3).to_string(),
        ),
        ("Bones", subject.bone_count().to_string()),
        ("File", in_bytes(bytes)),
        ("Images", in_bytes(model.image_bytes())),
    ];
    ui.spacing_mut().interact_size.y = 16.0;
    Grid::new("statistics")
        .num_columns(2)
        .spacing([14.0, 2.0])
        .show(ui, |ui| {
            let shown = rows.into_iter().filter(|(name, _)| match model.kind() {
                Kind::Character => true,
                Kind::Atlas => *name != "Bones",
                Kind::Motion => matches!(*name, "CPU" | "GPU" | "Bones" | "File"),
            });
            for (name, value) in shown {
                ui.label(RichText::new(name).small().color(theme::of(ui).text_weak));
                ui.label(RichText::new(value).monospace().color(theme::of(ui).text));
                ui.end_row();
            }
        });
}

/// Formats a number of bytes in the largest unit in which it is at least 1.
fn in_bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)];
    let unit = UNITS.iter().find(|(_, size)| bytes >= *size);
    match unit {
        Some((name, size)) => {
            let tenths = bytes.saturating_mul(10) / size;
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} bytes"),
    }
}
