//! The dialog of exports: choices on the left, the pictures as the file shows them on the right.

use egui::{
    Align, Button, Checkbox, Color32, ColorImage, ComboBox, CursorIcon, Id, Label, Layout, Modal,
    Rect, Response, RichText, Role, ScrollArea, Sense, TextureId, TextureOptions, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use lucide_icons::Icon;

use pchr::finding::counted;
use pchr::image::Pixels;

use super::Panels;
use super::background_and_screenshot::choice;
use super::menu::combo;
use super::problem_and_empty_cards::name_card;
use super::widgets::{
    WHOLE, cached_texture, cut, labelled, number, progress_bar, section, shown, size_fields,
    small_button, tipped, weak,
};
use crate::viewer::action::{Action, Ask, ExportAction, PlaybackAction};
use crate::viewer::backgrounds_and_rulers::Background;
use crate::viewer::export_choices::{ExportChoices, ExportFormat, ExportPart, Framing, InBytes};
use crate::viewer::state::{ExportProgress, State, in_words};
use crate::viewer::theme;

/// Width of the choices in logical pixels.
const CHOICES: f32 = 336.0;
/// Width of their names.
const LABELS: f32 = 58.0;
/// Size of the dialog at most.
const MOST: Vec2 = vec2(960.0, 650.0);
/// Logical pixels between the dialog and the edges of the window.
const SPACE: f32 = 10.0;
/// Height of what lies below choices and pictures.
const BELOW: f32 = 38.0;
/// Height of the facts below the pictures.
const FACTS: f32 = 24.0;

/// Draws the dialog while it is open.
pub(super) fn ui(ui: &Ui, state: &Panels<'_>) {
    if !state.exports().is_open {
        return;
    }
    let screen = ui.ctx().content_rect();
    let size = (screen.size() - Vec2::splat(2.0 * SPACE)).min(MOST);
    let frame = theme::card(theme::of(ui), 10).inner_margin(12).shadow(ui.visuals().popup_shadow);
    let modal = Modal::new(Id::unique("export")).frame(frame);
    let modal = modal.show(ui.ctx(), |ui| {
        let inside = size - Vec2::splat(24.0);
        ui.set_min_size(inside);
        ui.set_max_size(inside);
        name_card(ui, Role::Dialog, "Export");
        content(ui, state, inside);
    });
    state.push_if(modal.backdrop_response.clicked(), ExportAction::Dialog);
}

fn content(ui: &mut Ui, state: &Panels<'_>, size: Vec2) {
    title(ui, state);
    let height = ui.max_rect().bottom() - ui.cursor().top() - BELOW - ui.spacing().item_spacing.y;
    if let Some(job) = state.exports().under_way() {
        column(ui, vec2(size.x, height), |ui| under_way(ui, job));
        return below(ui, state, false);
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        column(ui, vec2(CHOICES, height), |ui| {
            let area = ScrollArea::vertical().max_height(height).auto_shrink([false, false]);
            area.show(ui, |ui| choices(ui, state));
        });
        let room = vec2(size.x - CHOICES - 14.0, height);
        column(ui, room, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            preview(ui, state, vec2(room.x, room.y - FACTS));
            facts(ui, state);
        });
    });
    below(ui, state, true);
}

fn column(ui: &mut Ui, size: Vec2, add: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(size);
        ui.set_max_size(size);
        add(ui);
    });
}

/// Logical pixels between pairs of a control and its name, beside the usual space.
const PAIRS: f32 = 8.0;

/// Draws the title, and the presets beside it.
fn title(ui: &mut Ui, state: &Panels<'_>) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let title = RichText::new("Export").size(15.0).color(theme::of(ui).text_strong);
        let middle = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(vec2(LABELS, 26.0), middle, |ui| ui.label(title));
        if state.exports().under_way().is_none() {
            ui.add_space(8.0);
            let room = (ui.available_width() - 34.0).max(60.0);
            let rows = Layout::left_to_right(Align::Min).with_main_wrap(true);
            ui.allocate_ui_with_layout(vec2(room, 0.0), rows, |ui| presets(ui, state));
        }
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let words = ("Close", "Close (Escape)");
            small_button(ui, Icon::X, words, ExportAction::Dialog, state);
        });
    });
}

fn presets(ui: &mut Ui, state: &Panels<'_>) {
    let (format, now) = (state.exports().format, state.exports().choices());
    for (index, preset) in state.exports().presets.iter().enumerate() {
        let is_chosen = preset.format == format && preset.choices == now;
        let button = ui.add(Button::selectable(is_chosen, shown(&preset.name)));
        let button = tipped(button, "Take the choices of this preset");
        state.push_if(button.clicked(), ExportAction::Preset(index));
    }
}

/// Draws the choices. Another one is an action.
fn choices(ui: &mut Ui, state: &Panels<'_>) {
    ui.spacing_mut().item_spacing.y = 5.0;
    let exports = state.exports();
    let (format, now) = (exports.format, exports.choices());
    let mut to = now;
    labelled(ui, "What", LABELS, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for part in ExportPart::ALL {
            let button = Button::selectable(to.part == part, part.name());
            let response = ui.add_enabled(state.can_export(part), button);
            if response.clicked() {
                to.part = part;
            }
        }
    });
    labelled(ui, "Format", LABELS, |ui| {
        if let Some(other) = formats(ui, state, format) {
            state.push(ExportAction::Choose(other, None));
        }
    });
    let views = [
        (Framing::Fit, "Fit", "All that the animation shows"),
        (Framing::Window, "As in the window", "The part that the window shows"),
    ];
    choice(ui, ("View", LABELS), &mut to.framing, views);
    labelled(ui, "Size", LABELS, |ui| sizes(ui, state, &mut to));
    let moves = format.moves() && to.part != ExportPart::Frame;
    labelled(ui, "Rate", LABELS, |ui| {
        ui.add_enabled_ui(moves, |ui| {
            rates(ui, state, format, &mut to);
            speed(ui, state);
        });
    });
    labelled(ui, "Edges", LABELS, |ui| edges(ui, format, &mut to));
    labelled(ui, "Show", LABELS, |ui| {
        let tip = "The window's colour or picture; its checkerboard is not exported";
        let has = !matches!(state.looking().background, Background::Checker);
        let background = Checkbox::new(&mut to.background, "Background");
        tipped(ui.add_enabled(has, background), tip);
        let tip = "Bones, names and other drawings that are on";
        ui.add_space(PAIRS);
        tipped(ui.add(Checkbox::new(&mut to.overlays, "Overlays")), tip);
    });
    labelled(ui, "Limit", LABELS, |ui| limit(ui, &mut to));
    state.push_if(to != now, ExportAction::Choose(format, Some(to)));
}

/// Draws the list of formats. Returns the one that was chosen.
fn formats(ui: &mut Ui, state: &Panels<'_>, format: ExportFormat) -> Option<ExportFormat> {
    let (name, about) = format.name();
    let mut chosen = None;
    let list = ComboBox::from_id_salt("format of the export").width(120.0);
    combo(ui, state, list, ("Format", name), |ui, menu| {
        ui.ctx().move_to_top(ui.layer_id()); // a press and its release in one frame bring the dialog to the top
        for other in ExportFormat::ALL {
            let (name, about) = other.name();
            let button = Button::selectable(other == format, name);
            let Some(response) = menu.add(ui, name, other == format, button) else { continue };
            if response.on_hover_text(about).clicked() {
                chosen = Some(other);
            }
        }
    });
    let room = ui.available_width();
    ui.allocate_ui(vec2(room, 24.0), |ui| ui.add(Label::new(weak(ui, about)).wrap()));
    chosen
}

fn sizes(ui: &mut Ui, state: &State, to: &mut ExportChoices) {
    if to.framing == Framing::Fit {
        size_fields(ui, &mut to.size);
    } else {
        let [width, height] = state.viewport();
        ui.label(format!("{width} × {height}"));
    }
    let scale = ("Scale", "Scale of the pictures");
    number(ui, &mut to.scale, scale, |drag| drag.range(1..=800).speed(1.0).suffix(" %"));
    ui.spacing_mut().item_spacing.x = 2.0;
    for (name, scale) in [("½×", 50), ("1×", 100), ("2×", 200)] {
        if ui.add(Button::selectable(to.scale == scale, name)).clicked() {
            to.scale = scale;
        }
    }
}

/// Draws the rate and the number of loops.
fn rates(ui: &mut Ui, state: &State, format: ExportFormat, to: &mut ExportChoices) {
    let authored = authored(state);
    let mut fps = to.fps.unwrap_or(authored);
    let response = number(ui, &mut fps, ("Frame rate", "Pictures per second"), |drag| {
        drag.range(0.1..=1000.0).speed(0.1).max_decimals(3).suffix(" fps")
    });
    if response.changed() {
        to.fps = Some(fps);
    }
    let reset = ui.add_enabled(to.fps.is_some(), Button::new("Clip's"));
    if tipped(reset, "Show each frame of the animation once").clicked() {
        to.fps = None;
    }
    if !format.loops() {
        return;
    }
    let words = move |loops: f64, _| match loops {
        loops if loops < 1.0 && format.is_video() => "Play once".to_owned(),
        loops if loops < 1.0 => "Loop for ever".to_owned(),
        loops => format!("Play {loops:.0}×"),
    };
    let parsed = |text: &str| -> Option<f64> {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    let tip = "Number of times that it plays; 0 is for ever, or once in a video";
    number(ui, &mut to.loops, ("Loops", tip), |drag| {
        drag.range(0..=1000).speed(0.05).custom_formatter(words).custom_parser(parsed)
    });
}

/// Says that the animation plays at another speed than its own, and offers that.
fn speed(ui: &mut Ui, state: &Panels<'_>) {
    let speed = state.playback().speed;
    if speed != 1.0 {
        let tip = "The speed of the window; click for the authored speed";
        let button = tipped(ui.button(format!("At {speed}×")), tip);
        state.push_if(button.clicked(), PlaybackAction::Speed(1.0));
    }
}

/// Draws what is done with the edges of pictures, or of the sprites of an atlas.
fn edges(ui: &mut Ui, format: ExportFormat, to: &mut ExportChoices) {
    if format.is_atlas() {
        let extrude = ("Extrude", "Repeat the edges of each sprite around it");
        number(ui, &mut to.extrude, extrude, |drag| {
            drag.range(0..=16).speed(0.05).prefix("Extrude ").suffix(" px")
        });
        let tip = "Pages whose sides are powers of two";
        tipped(ui.add(Checkbox::new(&mut to.power_of_two, "Power of two")), tip);
        return;
    }
    ui.add_enabled_ui(!format.is_sheet(), |ui| {
        let trim = Checkbox::new(&mut to.trim, "Trim");
        tipped(ui.add(trim), "Cut off what is transparent around all pictures");
        ui.add_space(PAIRS);
        let padding = ("Padding", "Transparent pixels around each picture");
        number(ui, &mut to.pad, padding, |drag| {
            drag.range(0..=256).speed(0.2).prefix("Pad ").suffix(" px")
        });
    });
}

/// Returns the frames per second of the animation, at its speed.
fn authored(state: &State) -> f64 {
    let playback = state.playback();
    let timeline = playback.timeline(state.timelines());
    timeline.map_or(1.0, |timeline| timeline.fps * playback.speed)
}

/// Draws the largest size that a file may have.
fn limit(ui: &mut Ui, to: &mut ExportChoices) {
    const MEGABYTE: f64 = 1e6;
    let mut has = to.max_bytes.is_some();
    let tip = "Lower rate and scale until the file is not larger";
    tipped(ui.add(Checkbox::new(&mut has, "At most")), tip);
    let mut megabytes = to.max_bytes.unwrap_or(8_000_000) as f64 / MEGABYTE;
    ui.add_enabled_ui(has, |ui| {
        number(ui, &mut megabytes, ("Largest size", ""), |drag| {
            drag.range(0.01..=1000.0).speed(0.05).max_decimals(2).suffix(" MB")
        });
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within a range")]
    let bytes = (megabytes * MEGABYTE).round() as u64;
    to.max_bytes = has.then_some(bytes);
}

/// Draws the pictures one after the other at their size, over a checkerboard. Once the file is made, it can be dragged out.
fn preview(ui: &mut Ui, state: &Panels<'_>, room: Vec2) {
    let (rect, response) = ui.allocate_exact_size(room, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Preview of the export"));
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 4.0, theme::of(ui).panel);
    let Some(job) = &state.exports().job else { return };
    if let Some(Err(problem)) = &job.result {
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink(12.0)));
        inside.label(RichText::new(&problem.title).color(theme::of(ui).error));
        inside.add(Label::new(super::problem_and_empty_cards::sentence(&problem.message)).wrap());
        return;
    }
    let can_leave = cfg!(target_os = "linux") && job.result.is_some();
    let response = if can_leave {
        let tip = "Drag it to a folder or another program";
        tipped(response, tip).on_hover_and_drag_cursor(CursorIcon::Grab)
    } else {
        response
    };
    state.push_if(can_leave && response.drag_started(), ExportAction::Drag);
    let rate = state.export_length().and_then(|(_, rate)| rate);
    let rate = rate.unwrap_or_else(|| authored(state)).max(0.1);
    let Some((number, pixels)) = picture_at(ui, job, rate) else { return };
    let [width, height] = job.size.unwrap_or([pixels.width, pixels.height]);
    #[expect(clippy::cast_precision_loss, reason = "pictures are small")]
    let whole = vec2(width.max(1) as f32, height.max(1) as f32) / ui.ctx().pixels_per_point();
    // At its real size, on whole pixels; a larger picture is fitted, unless it is pressed.
    let fitted = (room / whole).min_elem().min(1.0);
    let is_fitted = fitted < 1.0 && !response.is_pointer_button_down_on();
    let size = if is_fitted { whole * fitted } else { whole };
    let scale = ui.ctx().pixels_per_point();
    let corner = (rect.center() - size / 2.0) * scale;
    let corner = pos2(corner.x.round() / scale, corner.y.round() / scale);
    let at = Rect::from_min_size(corner, size);
    let checker = checker(ui);
    let repeated = Rect::from_min_max(pos2(0.0, 0.0), (size / 16.0).to_pos2());
    painter.image(checker, at, repeated, Color32::WHITE);
    let name = "preview of the export";
    let texture = cached_texture(ui, name, (job.pictured, number), TextureOptions::LINEAR, || {
        let size = [pixels.width, pixels.height].map(|side| side as usize);
        ColorImage::from_rgba_unmultiplied(size, &pixels.rgba)
    });
    painter.image(texture, at, WHOLE, Color32::WHITE);
    if fitted < 1.0 {
        let percent = fitted * 100.0;
        let text =
            format!("{width} × {height} px, shown at {percent:.0} %; press for its real size");
        let place = rect.left_bottom() + vec2(6.0, -6.0);
        let font = egui::FontId::proportional(11.0);
        let colors = theme::of(ui);
        let galley = painter.layout_no_wrap(text, font, colors.text_strong);
        let back = Rect::from_min_size(place - vec2(0.0, galley.size().y), galley.size());
        painter.rect_filled(back.expand(3.0), 3.0, colors.card);
        painter.galley(back.min, galley, colors.text_strong);
    }
}

/// Returns the picture of this moment, and its number.
fn picture_at<'a>(ui: &Ui, job: &'a ExportProgress, rate: f64) -> Option<(usize, &'a Pixels)> {
    let count = job.pictures.len();
    let last = count.checked_sub(1)?;
    let frames = ui.input(|input| input.time) * rate;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 0")]
    let number = (frames % count as f64) as usize;
    if last > 0 {
        let left = (1.0 - frames.fract()) / rate;
        ui.ctx().request_repaint_after(core::time::Duration::from_secs_f64(left));
    }
    let number = number.min(last);
    let shown = |number: usize| {
        let picture = job.pictures.get(number)?.as_deref()?;
        Some((number, picture))
    };
    shown(number).or_else(|| (0..number).rev().find_map(shown))
}

/// Returns four texels of a checkerboard, which repeats.
fn checker(ui: &Ui) -> TextureId {
    let colors = theme::of(ui).checker;
    let options = TextureOptions::NEAREST_REPEAT;
    cached_texture(ui, "checkerboard of the export", colors, options, || {
        let [even, odd] = colors;
        ColorImage::from_rgb([2, 2], &[even, odd, odd, even].concat())
    })
}

/// Draws number, length and bytes of the export.
fn facts(ui: &mut Ui, state: &State) {
    let Some(job) = &state.exports().job else { return };
    let mut facts = Vec::new();
    facts.extend(job.size.map(|[width, height]| format!("{width} × {height} px")));
    match &job.result {
        Some(Ok(done)) => {
            facts.push(counted(done.pictures, "picture", "pictures"));
            if let Some(rate) = done.rate {
                facts.push(format!("{:.2} s", done.pictures as f64 / rate));
            }
            if done.files > 1 {
                facts.push(format!("{} files", done.files));
            }
            if state.exports().format == ExportFormat::Json && done.files > 2 {
                facts.push("Phaser's multi-atlas".to_owned());
            }
            facts.push(InBytes(done.bytes).to_string());
        }
        Some(Err(_)) => return,
        None => {
            let [drawn, all] = job.drawn;
            let percent = drawn.saturating_mul(100).checked_div(all).unwrap_or(0);
            facts.insert(0, format!("making the file, {percent} %"));
            if let Some(bytes) = job.bytes {
                facts.push(format!("about {}", InBytes(bytes)));
            }
        }
    }
    facts.extend(job.lowered.as_ref().map(in_words));
    let too_large = |most: u64| matches!(&job.result, Some(Ok(done)) if done.bytes > most);
    let most = state.exports().choices().max_bytes.filter(|most| too_large(*most));
    facts.extend(most.map(|most| format!("more than {}", InBytes(most))));
    let colors = theme::of(ui);
    let color = if most.is_some() { colors.warning } else { colors.text };
    ui.horizontal(|ui| {
        ui.set_height(FACTS - 2.0);
        let text = RichText::new(facts.join("  ·  ")).color(color);
        ui.add(Label::new(text).truncate());
    });
}

/// Draws an export that goes on.
fn under_way(ui: &mut Ui, job: &ExportProgress) {
    section(ui, "Exporting");
    ui.add(progress_bar(job).desired_width(ui.available_width()));
    let [drawn, all] = job.drawn;
    let bytes = job.bytes.map_or(String::new(), |bytes| format!(", about {}", InBytes(bytes)));
    ui.label(format!("{drawn} of {all} pictures{bytes}"));
}

/// Draws the folder and the buttons.
fn below(ui: &mut Ui, state: &Panels<'_>, is_choice: bool) {
    ui.allocate_ui(vec2(ui.available_width(), BELOW), |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            state.push_if(is_choice && export_button(ui, state).clicked(), ExportAction::Start);
            state.push_if(ui.button("Cancel").clicked(), ExportAction::Cancel);
            if !is_choice {
                return;
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(RichText::new("To").color(theme::of(ui).text_weak));
                let folder = tipped(ui.button("Folder…"), "Choose another folder");
                state.push_if(folder.clicked(), Action::Ask(Ask::ExportFolder));
                let path = state.exports().job.as_ref().and_then(|job| job.path.as_ref());
                if let Some(path) = path {
                    let text = shown(&path.to_string_lossy());
                    let text = cut(ui, &text, ui.available_width()).into_owned();
                    ui.add(Label::new(text).truncate());
                }
            });
        });
    });
}

/// Draws the button that exports. It has the keyboard focus at first.
fn export_button(ui: &mut Ui, state: &State) -> Response {
    let can = !matches!(state.exports().job.as_ref().map(|job| &job.result), Some(Some(Err(_))));
    let text = RichText::new("Export").color(theme::of(ui).text_strong);
    let button = Button::new(text).fill(theme::of(ui).accent_fill).min_size(vec2(84.0, 28.0));
    let response = ui.add_enabled(can, button);
    let has_any = ui.memory(|memory| memory.focused()).is_some();
    if !has_any && ui.is_enabled() && !ui.input(|input| input.pointer.any_down()) {
        response.request_focus();
    }
    response
}

#[cfg(test)]
mod tests {
    use egui::{Key, Modifiers};
    use egui_kittest::kittest::NodeT as _;

    use super::super::tests::{click, has, is_control, key, nodes, press, resize, window};
    use super::*;

    fn open(size: Vec2) -> super::super::tests::Window {
        let mut window = window(|_| ());
        resize(&mut window, size);
        press(&mut window, Modifiers::COMMAND, Key::E);
        assert!(window.state().exports().is_open);
        window
    }

    #[test]
    fn all_choices_have_room_on_a_small_screen_and_none_covers_another() {
        for size in [vec2(700.0, 420.0), vec2(1280.0, 800.0)] {
            let window = open(size);
            let names = "This clip|All clips|Fit|As in the window|Width|Height|Scale|Frame rate|Loops|Trim|Padding|\
                Background|Overlays|At most|Largest size|Folder…|Cancel|Chat|Engine sheet|Preview of the export";
            let screen = Rect::from_min_size(pos2(0.0, 0.0), size);
            let mut rects: Vec<(&str, Rect)> = Vec::new();
            for name in names.split('|') {
                let mut found = nodes(&window).into_iter();
                let is_it = |node: &egui_kittest::Node<'_>| {
                    let access = node.accesskit_node();
                    access.label().as_deref() == Some(name)
                        && (is_control(access.role()) || name.starts_with("Preview"))
                };
                // The toolbar has a button for the background, too.
                let rect = found.rfind(is_it).map(|node| node.rect());
                let rect = rect.unwrap_or_else(|| panic!("{name} is missing at {size}"));
                assert!(screen.contains_rect(rect), "{name} has no room at {size}: {rect}");
                rects.push((name, rect));
            }
            for (i, (a, first)) in rects.iter().enumerate() {
                for (b, second) in &rects[i + 1..] {
                    let both = first.intersect(*second);
                    assert!(!both.is_positive(), "{a} covers {b} at {size}");
                }
            }
        }
    }

    #[test]
    fn keys_stay_in_the_dialog_and_escape_leaves_it() {
        let mut window = open(vec2(1024.0, 640.0));
        let playing = window.state().playback().playing;
        let bones = crate::viewer::switch::Switch::Overlay(pchr::overlay::Layer::Bones);
        for pressed in [Key::B, Key::ArrowRight, Key::Num1] {
            key(&mut window, pressed);
        }
        assert!(window.state().playback().playing == playing && !window.state().is_on(bones));
        for _ in 0..40 {
            key(&mut window, Key::Tab);
            assert!(window.state().exports().is_open);
        }
        key(&mut window, Key::Escape);
        assert!(!window.state().exports().is_open);
        assert!(!has(&window, "Preview of the export"));
    }

    #[test]
    fn a_preset_is_taken_and_a_choice_is_made() {
        let mut window = open(vec2(1024.0, 640.0));
        click(&mut window, "Chat");
        let choices = window.state().exports().choices();
        assert_eq!((choices.trim, choices.max_bytes), (true, Some(8_000_000)));
        click(&mut window, "All clips");
        assert_eq!(window.state().exports().choices().part, ExportPart::All);
        // Enter exports what is chosen.
        let mut window = open(vec2(1024.0, 640.0));
        key(&mut window, Key::Enter);
        assert!(window.state().exports().under_way().is_some());
        assert!(has(&window, "Cancel the export"));
    }
}
