//! The gallery: thumbnails of the files of the list, over the whole window. Only rows in sight are laid out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use egui::style::ScrollAnimation;
use egui::{
    Align2, Color32, ColorImage, FontId, Id, ImageData, Key, Margin, Modifiers, Panel, Rect,
    RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, TextStyle, TextureHandle,
    TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use lucide_icons::Icon;

use super::widgets::{WHOLE, choice_button, cut, cut_as, name_text, paint_icon, small_button};
use super::{Panels, frame, message_strip, problem_and_empty_cards};
use crate::viewer::action::{Action, GalleryAction, StageAction};
use crate::viewer::export_choices::InBytes;
use crate::viewer::gallery::{Gallery, GalleryFile, GallerySort};
use crate::viewer::input::{Over, search_id};
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Width and height of a thumbnail in logical pixels.
const SIDE: f32 = 128.0;
/// Size of a cell: with a margin, its name and its facts.
const CELL: Vec2 = Vec2::new(SIDE + 16.0, SIDE + 52.0);
/// Textures that are made in one frame, at most.
const UPLOADS: usize = 24;

pub(super) fn ui(ui: &mut Ui, state: &Panels<'_>) {
    let is_on_top = Over::of(state) == Some(Over::Sheet(Switch::Gallery));
    let keys = if is_on_top { Keys::take(ui) } else { Keys::default() };
    let gallery = state.gallery();
    Panel::top("gallery tools")
        .resizable(false)
        .frame(frame(ui, theme::MARGIN, 6))
        .show(ui, |ui| tools(ui, gallery, is_on_top, state));
    egui::CentralPanel::no_frame().show(ui, |ui| {
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, 0.0, theme::of(ui).well);
        if gallery.shown.is_empty() {
            let text = match (gallery.files.is_empty(), gallery.known() < gallery.files.len()) {
                (true, _) => "No list of files: drop a folder here",
                (false, true) if gallery.depends_on_facts() => "Reading files…",
                (false, _) => "No file matches",
            };
            let font = TextStyle::Body.resolve(ui.style());
            let color = theme::of(ui).text_weak;
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, font, color);
        } else {
            grid(ui, gallery, keys, state);
        }
        let message = message_strip::over(ui, rect, state);
        problem_and_empty_cards::ui(ui, message, state);
    });
}

/// Keys that move the selection or open it.
#[derive(Clone, Copy, Debug, Default)]
struct Keys {
    right: isize,
    down: isize,
    pages: isize,
    /// To the first (true) or the last file.
    end: Option<bool>,
    enter: bool,
    /// True if Enter was pressed with Shift.
    adds: bool,
}

impl Keys {
    /// Takes them before the search field does.
    fn take(ui: &Ui) -> Self {
        ui.input_mut(|input| {
            // First, since other keys match with and without Shift.
            let adds = input.consume_key(Modifiers::SHIFT, Key::Enter);
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            let mut way =
                |back, forward| isize::from(pressed(forward)) - isize::from(pressed(back));
            let (right, down) =
                (way(Key::ArrowLeft, Key::ArrowRight), way(Key::ArrowUp, Key::ArrowDown));
            let pages = way(Key::PageUp, Key::PageDown);
            let end = if pressed(Key::Home) { Some(true) } else { None };
            let end = end.or(pressed(Key::End).then_some(false));
            let enter = pressed(Key::Enter) || adds;
            Self { right, down, pages, end, enter, adds }
        })
    }

    /// Returns the place that they lead to, in rows of so many columns of which so many are in sight.
    fn from(self, place: usize, count: usize, columns: usize, rows: usize) -> usize {
        let steps = |rows: usize| isize::try_from(columns.saturating_mul(rows)).unwrap_or(0);
        let by = self
            .right
            .saturating_add(self.down.saturating_mul(steps(1)))
            .saturating_add(self.pages.saturating_mul(steps(rows)));
        let last = count.saturating_sub(1);
        match self.end {
            Some(true) => 0,
            Some(false) => last,
            None => place.saturating_add_signed(by).min(last),
        }
    }
}

/// Draws the search field, the choices and the number of files.
fn tools(ui: &mut Ui, gallery: &Gallery, is_on_top: bool, state: &Panels<'_>) {
    ui.horizontal_wrapped(|ui| {
        let mut query = gallery.filter.query.clone();
        let hint = "Type to filter";
        let field = TextEdit::singleline(&mut query)
            .id(if is_on_top { search_id() } else { Id::unique("filter of the gallery") })
            .hint_text(RichText::new(hint).color(theme::of(ui).text_weak))
            .margin(Margin::symmetric(8, 4))
            .desired_width(180.0);
        let response = ui.add(field);
        if is_on_top {
            response.request_focus();
        }
        name_text(&response, (hint, hint), &gallery.filter.query, &query);
        state.push_if(query != gallery.filter.query, GalleryAction::Query(query));
        ui.separator();
        for sort in GallerySort::ALL {
            let action = GalleryAction::Sort(sort);
            choice(ui, sort.name(), "Sort by", sort == gallery.sort, action, state);
        }
        let kinds = gallery.kinds();
        if kinds.len() > 1 || gallery.filter.kind.is_some() {
            ui.separator();
            let of = gallery.filter.kind.as_deref();
            choice(ui, "All", "Show", of.is_none(), GalleryAction::Kind(None), state);
            for kind in kinds {
                let action = GalleryAction::Kind(Some(kind.to_owned()));
                choice(ui, kind, "Show", of == Some(kind), action, state);
            }
        }
        ui.separator();
        let warned = gallery.filter.warned;
        choice(ui, "With warnings", "Show those", warned, GalleryAction::ToggleWarned, state);
        ui.separator();
        let (shown, all, known) = (gallery.shown.len(), gallery.files.len(), gallery.known());
        let mut count = match shown == all {
            true => format!("{all} files"),
            false => format!("{shown} of {all} files"),
        };
        if known < all {
            count = format!("{count}, {known} read");
        }
        ui.label(RichText::new(count).color(theme::of(ui).text_weak));
        let words = ("Close the gallery", "Close (Escape)");
        small_button(ui, Icon::X, words, Action::Toggle(Switch::Gallery), state);
    });
}

/// Draws a button for a choice, which is lit while it holds.
fn choice(
    ui: &mut Ui,
    name: &str,
    about: &str,
    on: bool,
    action: GalleryAction,
    state: &Panels<'_>,
) {
    let label = format!("{about} {}", name.to_lowercase());
    choice_button(ui, name, (Role::Button, &label), on, action, state);
}

/// Draws the rows in sight.
fn grid(ui: &mut Ui, gallery: &Gallery, keys: Keys, state: &Panels<'_>) {
    let margin = f32::from(theme::MARGIN);
    let width = (ui.available_width() - 2.0 * margin - ui.spacing().scroll.bar_width).max(CELL.x);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a window is some thousand pixels wide and high"
    )]
    let [columns, rows] = [width / CELL.x, ui.available_height() / CELL.y]
        .map(|count| (count.floor() as usize).max(1));
    let count = gallery.shown.len();
    let selected = gallery.selected_place();
    let to = match selected {
        Some(place) => keys.from(place, count, columns, rows),
        None => 0,
    };
    let is_moved = gallery.selected.is_some() && selected != Some(to);
    if is_moved && let Some(file) = gallery.shown.get(to) {
        state.push(GalleryAction::Select(*file));
    }
    if keys.enter
        && let Some(file) = gallery.shown.get(to)
    {
        state.push(opened(gallery, *file, keys.adds));
    }
    let mut sight = 0..0;
    let mut pointed = None;
    let mut textures = Textures::of(ui);
    // Each order and filter has its own scroll position.
    let of = ("gallery", gallery.sort.name(), &gallery.filter);
    let area = ScrollArea::vertical().id_salt(of).auto_shrink(false);
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    area.show_rows(ui, CELL.y, count.div_ceil(columns), |ui, range| {
        let corner = ui.min_rect().min + vec2(margin, 0.0);
        let size = vec2(width / place_in(columns, 0), CELL.y);
        let place_of = |place: usize| {
            let (row, column) = (place / columns, place % columns);
            let at = vec2(place_in(column, 0), place_in(row, range.start)) * size;
            Rect::from_min_size(corner + at, size)
        };
        sight = range.start.saturating_mul(columns)..range.end.saturating_mul(columns).min(count);
        for place in sight.clone() {
            let Some((index, file)) = gallery
                .shown
                .get(place)
                .and_then(|index| Some((*index, gallery.files.get(*index)?)))
            else {
                continue;
            };
            let id = Id::unique("cell of the gallery").with(&file.path);
            let response = ui.interact(place_of(place), id, Sense::click());
            let is_selected = gallery.selected == Some(index);
            response
                .widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &file.name));
            if response.hovered() {
                pointed = Some(index);
            }
            let playing = gallery.playing.as_ref().filter(|_| gallery.pointed == Some(index));
            let texture = match playing {
                Some(playing) => {
                    textures.left = textures.left.max(1);
                    textures.get(ui, PLAYING, playing)
                }
                None => file.picture.as_ref().and_then(|it| textures.get(ui, index, it)),
            };
            cell(ui, place_of(place), file, is_selected, response.hovered(), texture);
            if response.clicked() {
                let adds = ui.input(|input| input.modifiers.shift);
                state.push(opened(gallery, index, adds));
            }
            if let Some(Err(why)) = &file.facts {
                response.on_hover_text(format!("{}\n{why}", file.name));
            } else {
                response.on_hover_text(&file.name);
            }
        }
        ui.allocate_space(vec2(width, place_in(range.end, range.start) * CELL.y));
        if is_moved {
            ui.scroll_to_rect_animation(place_of(to), None, ScrollAnimation::none());
        }
    });
    textures.keep(gallery);
    let side = if ui.pixels_per_point() > 1.0 { 256 } else { 128 };
    let is_new = sight != gallery.sight || side != gallery.side;
    state.push_if(is_new, GalleryAction::Sight(sight, side));
    state.push_if(pointed != gallery.pointed, GalleryAction::Point(pointed));
}

/// Returns the action that opens a file, or adds it to the stage.
fn opened(gallery: &Gallery, index: usize, adds: bool) -> Action {
    match gallery.files.get(index).filter(|_| adds) {
        Some(file) => Action::Stage(StageAction::Add(vec![file.path.clone()])),
        None => GalleryAction::Open(index).into(),
    }
}

/// Returns the distance of two rows or columns.
#[expect(clippy::cast_precision_loss, reason = "a list has far fewer than 2^24 rows")]
fn place_in(row: usize, first: usize) -> f32 {
    row as f32 - first as f32
}

/// Draws a file.
fn cell(
    ui: &Ui,
    cell: Rect,
    file: &GalleryFile,
    is_selected: bool,
    is_pointed: bool,
    texture: Option<TextureHandle>,
) {
    let colors = theme::of(ui);
    let painter = ui.painter();
    let inner = Rect::from_center_size(cell.center(), CELL - Vec2::splat(8.0));
    if is_selected || is_pointed {
        let fill = if is_selected { colors.accent_fill } else { colors.row_hovered };
        painter.rect_filled(inner, 6.0, fill);
    }
    if is_selected {
        painter.rect_stroke(inner, 6.0, Stroke::new(1.5, colors.accent), StrokeKind::Inside);
    }
    let top = pos2(cell.center().x - SIDE / 2.0, inner.top() + 4.0);
    let picture = Rect::from_min_size(top, Vec2::splat(SIDE));
    let is_broken = matches!(file.facts, Some(Err(_)));
    let [[r, g, b], _] = colors.checker;
    painter.rect_filled(picture, 4.0, Color32::from_rgb(r, g, b));
    if let Some(texture) = texture {
        painter.image(texture.id(), picture, WHOLE, Color32::WHITE);
    } else if is_broken {
        let icon = Rect::from_center_size(picture.center(), Vec2::splat(32.0));
        paint_icon(painter, icon, Icon::FileWarning, colors.error);
    }
    let (facts, color) = match &file.facts {
        None => (String::new(), colors.text_weak),
        Some(Err(why)) => (why.clone(), colors.error),
        Some(Ok(_)) => (in_words(file), colors.text_weak),
    };
    let width = SIDE;
    let line = |text: &str, size: f32, y: f32, color: Color32| {
        let font = FontId::proportional(size);
        painter.text(pos2(cell.center().x, y), Align2::CENTER_TOP, text, font, color);
    };
    let name = cut(ui, &file.name, width);
    line(&name, 13.0, picture.bottom() + 3.0, colors.text);
    let facts = cut_as(ui, TextStyle::Small, &facts, width);
    line(&facts, 11.5, picture.bottom() + 21.0, color);
    if file.is_warned() && !is_broken {
        let at = Rect::from_min_size(picture.right_top() - vec2(18.0, 0.0), Vec2::splat(16.0));
        paint_icon(painter, at, Icon::TriangleAlert, colors.warning);
    }
}

/// Returns the facts about a file.
fn in_words(file: &GalleryFile) -> String {
    let Some(Ok(facts)) = &file.facts else { return String::new() };
    let bones = match facts.bones {
        0 => None,
        bones => Some(pchr::finding::counted(bones, "bone", "bones")),
    };
    let size = file.version.map(|version| InBytes(version.bytes).to_string());
    bones.into_iter().chain(size).collect::<Vec<_>>().join("  ·  ")
}

/// Textures of the pictures in sight, which egui keeps from frame to frame.
struct Textures {
    all: SharedTextures,
    /// Textures that may still be made in this frame.
    left: usize,
}

/// Pictures and their textures, by file.
type SharedTextures = Arc<Mutex<BTreeMap<usize, (Arc<ColorImage>, TextureHandle)>>>;

/// Place of the file that plays.
const PLAYING: usize = usize::MAX;

impl Textures {
    fn of(ui: &Ui) -> Self {
        let all = ui.data_mut(|data| {
            let id = Id::unique("textures of the gallery");
            Arc::clone(data.get_temp_mut_or_default::<SharedTextures>(id))
        });
        Self { all, left: UPLOADS }
    }

    /// Returns the texture of a file's picture, if it has its turn.
    fn get(&mut self, ui: &Ui, file: usize, picture: &Arc<ColorImage>) -> Option<TextureHandle> {
        let mut all = self.all.lock().ok()?;
        let known = all.get(&file).filter(|(known, _)| Arc::ptr_eq(known, picture));
        if let Some((_, texture)) = known {
            return Some(texture.clone());
        }
        if self.left == 0 {
            ui.ctx().request_repaint();
            return None;
        }
        self.left = self.left.saturating_sub(1);
        let image = ImageData::Color(Arc::clone(picture));
        let texture = match all.remove(&file) {
            Some((_, mut texture)) => {
                texture.set(image, TextureOptions::LINEAR);
                texture
            }
            None => ui.ctx().load_texture("gallery", image, TextureOptions::LINEAR),
        };
        all.insert(file, (Arc::clone(picture), texture.clone()));
        Some(texture)
    }

    /// Frees those that have no picture any longer.
    fn keep(self, gallery: &Gallery) {
        if let Ok(mut all) = self.all.lock() {
            all.retain(|file, (picture, _)| {
                let now = match *file {
                    PLAYING => gallery.playing.as_ref(),
                    file => gallery.files.get(file).and_then(|file| file.picture.as_ref()),
                };
                now.is_some_and(|now| Arc::ptr_eq(now, picture))
            });
        }
    }
}
