//! The panels around the picture. They read the state and make actions; nothing is changed here.

mod animation;
mod icons;
mod meshes;
mod notice;
mod picture;
mod status;
mod transport;
mod widgets;

use egui::{CentralPanel, Frame, Margin, Panel, Ui};

use super::action::Action;
use super::state::State;
use super::theme;

/// What the panels say that is not of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    /// The graphics adapter in words.
    pub adapter: String,
    /// Whether it draws on the CPU.
    pub software: bool,
    /// What the adapter could not take as it is.
    pub warnings: Vec<String>,
}

/// Logical pixels below which a window has no room for the side panel as it was set.
const NARROW: f32 = 720.0;

/// Lays out the whole window; the upper left corner of the picture, in screen pixels.
pub(crate) fn ui(
    ui: &mut Ui,
    state: &State,
    surroundings: &Surroundings,
    actions: &mut Vec<Action>,
) -> [u32; 2] {
    let colors = theme::of(ui);
    let frame = |x: i8, y: i8| {
        Frame::new()
            .fill(colors.panel)
            .inner_margin(Margin::symmetric(x, y))
    };
    Panel::bottom("status")
        .exact_size(28.0)
        .frame(frame(theme::MARGIN, 2))
        .show(ui, |ui| status::ui(ui, state, surroundings, actions));
    // A narrow window has a side panel of its own, so that the width somebody chose outlives it.
    let width = ui.available_width();
    let transport = |ui: &mut Ui, actions: &mut Vec<Action>| {
        Panel::bottom("transport")
            .exact_size(44.0)
            .frame(frame(theme::MARGIN, 8))
            .show(ui, |ui| transport::ui(ui, state, actions));
    };
    let side = if width < NARROW {
        transport(ui, actions);
        Panel::right("narrow side").exact_size((width * 0.5).min(260.0))
    } else {
        Panel::right("side")
            .default_size(300.0)
            .size_range(250.0..=460.0)
    };
    side.frame(frame(0, 0))
        .show(ui, |ui| side_panel(ui, state, actions));
    if width >= NARROW {
        transport(ui, actions);
    }
    CentralPanel::no_frame()
        .show(ui, |ui| {
            let corner = picture::ui(ui, state, actions);
            notice::ui(ui, state, surroundings, actions);
            corner
        })
        .inner
}

fn side_panel(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let padded = Frame::new().inner_margin(Margin::same(theme::MARGIN));
    padded.show(ui, |ui| {
        ui.set_width(ui.available_width());
        animation::ui(ui, state, actions);
    });
    let line = ui.visuals().widgets.noninteractive.bg_stroke;
    let (left, right) = (ui.max_rect().left(), ui.max_rect().right());
    ui.painter()
        .hline(left..=right, ui.cursor().top() - 3.0, line);
    meshes::ui(ui, state, actions);
}
