//! Statistics of a frame: its costs and its contents.

use egui::{Grid, Label, Rect, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::Surroundings;
use super::floating::{AROUND, Floating, SPACE, Taken, WIDTH, clear, inner};
use super::scroll_keys;
use super::widgets::cut;
use crate::viewer::action::Action;
use crate::viewer::card::Card;
use crate::viewer::kind::Kind;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Costs of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Costs {
    /// Time of the window's thread per frame in milliseconds: mean and maximum of the last frames.
    pub cpu: [f64; 2],
    /// Time of the graphics adapter for the character in milliseconds, if it can be measured.
    pub gpu: Option<f64>,
    /// Frames in the last second that something was drawn in, per second.
    pub fps: Option<f64>,
}

const FPS: &str = "Frames/s";
const ADAPTER: &str = "Adapter";

/// Width of the names in logical pixels.
const NAMES: f32 = 74.0;

/// Draws the statistics: below what takes `above` of the height in the upper right corner, and clear of `taken`. Returns their
/// rectangle; `None` if there is no room left.
pub(super) fn ui(
    ui: &Ui,
    (picture, above, taken): (Rect, f32, &Taken),
    (state, model): (&State, &Model),
    around: &Surroundings,
    actions: &mut Vec<Action>,
) -> Option<Rect> {
    let place = state.interface().place(Card::Statistics);
    let mut room = inner(picture);
    if place == Card::Statistics.usual() {
        room.min.y = (room.min.y + above).min(room.max.y - SPACE).max(room.min.y);
    }
    let usual = vec2(WIDTH + AROUND.x, AROUND.y);
    let free = clear(room, place.rect(usual, room), taken)?;
    let floating = Floating {
        card: Card::Statistics,
        title: "Statistics",
        close: "Close the statistics",
        switch: Switch::Hud,
        place,
        room,
        free,
        content: None,
        picture,
    };
    let shown = floating.show(ui, actions, |ui, _, _| {
        ui.set_width(WIDTH);
        // A low picture has no room for all of them.
        let most = (free.height() - AROUND.y).max(0.0);
        let area = ScrollArea::vertical()
            .max_height(most)
            .min_scrolled_height(most);
        let add = |ui: &mut Ui| lines(ui, (state, model), around);
        scroll_keys::show(ui, "Lines of the statistics", area, add);
    });
    Some(shown)
}

fn lines(ui: &mut Ui, (state, model): (&State, &Model), around: &Surroundings) {
    let subject = model.subject();
    let draws = model.draws();
    let drawn = |of: fn(&pchr::document::Mesh<'_>) -> usize| -> usize {
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
    // Frames drawn only for panels are not counted.
    let moves = state.until_change().is_some();
    let fps = match around.costs.fps.filter(|_| moves) {
        Some(fps) => format!("{fps:.0}"),
        None if moves => "–".into(),
        None => "paused".into(),
    };
    let is_atlas = model.kind() == Kind::Atlas;
    let rows = [
        (FPS, fps),
        ("CPU", format!("{mean:.2} ms, peak {most:.2}")),
        ("GPU", gpu),
        (ADAPTER, around.adapter.clone()),
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
        .min_col_width(NAMES)
        .spacing([8.0, 2.0])
        .show(ui, |ui| {
            let shown = rows.into_iter().filter(|(name, _)| match model.kind() {
                Kind::Character => true,
                Kind::Atlas => *name != "Bones",
                Kind::Motion => {
                    matches!(*name, FPS | "CPU" | "GPU" | ADAPTER | "Bones" | "File")
                }
            });
            for (name, value) in shown {
                ui.label(RichText::new(name).small().color(theme::of(ui).text_weak));
                let room = WIDTH - NAMES - 8.0;
                let text = RichText::new(cut(ui, &value, room)).color(theme::of(ui).text);
                let label = ui.add(Label::new(text));
                label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &value));
                if name == ADAPTER {
                    label.on_hover_text(&value);
                }
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
