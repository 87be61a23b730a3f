//! Characters that are shown together: adding, placing, ordering and removing them.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr_tools::file_name;
use pchr_tools::session::{Session, WindowLook, is_session};
use pchr_tools::stage::{Layout, Member, PLACES, SCALES, Stage};
use pchr_tools::view::{ImageSwap, element_names};

use super::State;
use crate::viewer::action::{
    Action, ExportAction, FileAction, Grip, Message, PartAction, StageAction,
};
use crate::viewer::loaded::{Source, Staged, is_input};
use crate::viewer::model::Model;
use crate::viewer::question::Question;
use crate::viewer::switch::{Switch, Tab};

/// Ending of the name of a stage that was made in the window.
const NEW: &str = "-stage.pchr-view.toml";

/// Degrees to whose multiples a turn snaps.
const SNAP: f64 = 15.0;

/// A drag of a character.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MemberDrag {
    pub grip: Grip,
    /// Place where it began, in screen pixels.
    pub from: [f64; 2],
    /// The character before.
    before: Member,
}

impl MemberDrag {
    /// Returns the character after a drag between two points of the world.
    fn moved(&self, from: [f64; 2], to: [f64; 2], snaps: bool) -> Member {
        let Member { at, turn, scale, .. } = self.before;
        let [x, y] = at.map(f64::from);
        let [[from_x, from_y], [to_x, to_y]] = [from, to];
        let arm = |[to_x, to_y]: [f64; 2]| [to_x - x, to_y - y];
        let ([a_x, a_y], [b_x, b_y]) = (arm(from), arm(to));
        let mut member = self.before.clone();
        match self.grip {
            Grip::Place | Grip::PlaceTop => {
                let place = [x + to_x - from_x, y + to_y - from_y];
                member.at = place.map(|side| rounded(within(side, &PLACES), 100.0));
            }
            Grip::Turn => {
                let by = (a_x * b_y - a_y * b_x).atan2(a_x * b_x + a_y * b_y).to_degrees();
                let turned = f64::from(turn) + by;
                let turned = if snaps { (turned / SNAP).round() * SNAP } else { turned };
                member.turn = rounded((turned + 180.0).rem_euclid(360.0) - 180.0, 10.0);
            }
            Grip::Scale => {
                let by = b_x.hypot(b_y) / a_x.hypot(a_y);
                if by.is_finite() {
                    member.scale = rounded(within(f64::from(scale) * by, &SCALES), 1000.0);
                    // Along its own X axis it has come to the other side.
                    let (sine, cosine) = f64::from(turn).to_radians().sin_cos();
                    let along = |x: f64, y: f64| x * cosine + y * sine;
                    member.mirror ^= along(a_x, a_y) * along(b_x, b_y) < 0.0;
                }
            }
        }
        member
    }
}

fn within(value: f64, range: &RangeInclusive<f64>) -> f64 {
    value.clamp(*range.start(), *range.end())
}

/// Returns a value rounded to one of so many steps per unit.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn rounded(value: f64, steps: f64) -> f32 {
    ((value * steps).round() / steps) as f32
}

impl State {
    /// Returns the characters of the open stage as they are placed now; `None` if no stage is open.
    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.model.as_ref()?.loaded().layout.as_ref()
    }

    fn stage_and_layout(&self) -> Option<(&Stage, &Layout)> {
        Some((self.model.as_ref()?.stage()?, self.layout()?))
    }

    /// Returns the same, as they are once the stage was read again.
    pub(super) fn wanted_layout(&self) -> Option<&Layout> {
        self.files.layout_asked.as_ref().or(self.layout())
    }

    /// Returns the index of the chosen character of the stage.
    pub(crate) fn chosen_member(&self) -> Option<usize> {
        let count = self.layout()?.members.len();
        self.chosen_member.filter(|chosen| *chosen < count)
    }

    /// Returns the session of the open stage as its file has it.
    pub(crate) fn stage_session(&self) -> Option<&Session> {
        let loaded = self.model.as_ref()?.loaded();
        let saved = self.files.saved.as_ref();
        let saved = saved.filter(|saved| loaded.source.path() == Some(&*saved.path));
        let read = loaded.session.as_ref().filter(|_| loaded.layout.is_some())?;
        Some(saved.map_or(read, |saved| &saved.session))
    }

    /// Returns true if the stage differs from its session.
    pub(crate) fn is_stage_unsaved(&self) -> bool {
        let is_draft = self.model.as_ref().is_some_and(|model| model.loaded().is_draft);
        is_draft || (self.files.is_stage_touched && self.layout().is_some())
    }

    /// Returns the drag of a character that goes on.
    pub(crate) fn member_drag(&self) -> Option<&MemberDrag> {
        self.member_drag.as_ref()
    }

    /// Returns true if the file of an unsaved stage was changed in another program.
    pub(crate) fn is_stage_behind(&self) -> bool {
        let loaded = self.model.as_ref().map(Model::loaded).filter(|loaded| loaded.is_draft);
        let saved = self.files.saved.as_ref().map(|saved| &saved.session);
        loaded.is_some_and(|loaded| {
            let there = loaded.on_disk.as_ref();
            there.is_some() && ![loaded.session.as_ref(), saved].contains(&there)
        })
    }

    /// Shows an unsaved stage as its file has it.
    fn discard_stage(&mut self) {
        let Some(loaded) = self.model.as_ref().map(|model| Arc::clone(model.loaded())) else {
            return;
        };
        if !loaded.is_draft || loaded.on_disk.is_none() {
            let why = match loaded.is_draft {
                true => "The stage was never saved: there is nothing to go back to",
                false if self.is_stage_unsaved() => "Undo takes back changes of meshes and images",
                false => "No stage has unsaved changes",
            };
            return self.say(why);
        }
        if let Some(path) = loaded.source.path() {
            self.files.drafts.remove(path);
        }
        self.request(loaded.source.clone(), true);
    }

    pub(super) fn on_stage(&mut self, action: StageAction) {
        match action {
            StageAction::Add(paths) => self.add_members(paths),
            StageAction::SaveAndQuit => {
                self.files.quits_when_saved = true;
                self.on_export(ExportAction::Session);
            }
            StageAction::Discard => self.discard_stage(),
            StageAction::Choose(member) => self.chosen_member = member,
            StageAction::Set(index, changed) => {
                if let Some(mut layout) = self.wanted_layout().cloned()
                    && let Some(member) = layout.members.get_mut(index)
                {
                    let shares = member.own_images && !changed.own_images;
                    *member = *changed;
                    if !shares {
                        self.keep_skins(&mut layout);
                    }
                    let images = self.swaps_on(&layout, None);
                    self.set_layout(layout, images);
                }
            }
            StageAction::Pick(at, stays) => {
                let chosen = self.chosen_member.filter(|_| stays);
                self.chosen_member = self.member_at(at).or(chosen);
            }
            StageAction::Grab(grip, at) => self.grab_member(grip, at),
            StageAction::Drag(to, snaps) => self.drag_member(to, snaps),
            StageAction::Reorder(index, to) => {
                let count = self.layout().map_or(0, |layout| layout.members.len());
                let mut order: Vec<_> = (0..count).collect();
                if index != to && index.max(to) < count {
                    let member = order.remove(index);
                    order.insert(to, member);
                    self.rearrange(&order);
                }
            }
            StageAction::Remove(index) => {
                let count = self.layout().map_or(0, |layout| layout.members.len());
                let order: Vec<_> = (0..count).filter(|member| *member != index).collect();
                if !order.is_empty() && order.len() < count {
                    self.rearrange(&order);
                }
            }
        }
    }

    /// Shows some of the characters in another order.
    fn rearrange(&mut self, order: &[usize]) {
        let chosen = self.chosen_member();
        self.chosen_member = chosen.and_then(|it| order.iter().position(|member| *member == it));
        if let Some(layout) = self.layout().map(|layout| layout.rearranged(order)) {
            let images = self.swaps_on(&layout, Some(order));
            self.set_layout(layout, images);
        }
    }

    /// Gives characters that would share images by now their own, if they look different.
    fn keep_skins(&self, layout: &mut Layout) {
        let Some((stage, before)) = self.stage_and_layout() else { return };
        let skin = |member: usize| -> Vec<_> {
            let image = |swap: &ImageSwap| {
                let (holder, own) = stage.image_of(swap.id(stage).ok()?)?;
                (holder == member).then(|| (own, swap.file.clone()))
            };
            self.image_swaps().iter().filter_map(image).collect()
        };
        let (held_before, held) = (before.image_holders(), layout.image_holders());
        for (index, member) in layout.members.iter_mut().enumerate() {
            let (Some(own), Some(new)) = (held_before.get(index), held.get(index)) else {
                continue;
            };
            let holder = held_before.get(*new).copied().unwrap_or(*new);
            member.own_images |= *new != index && skin(*own) != skin(holder);
        }
    }

    /// Returns the pictures in place of images on a layout whose characters had these indices; `None` for the same ones.
    fn swaps_on(&self, layout: &Layout, order: Option<&[usize]>) -> Vec<ImageSwap> {
        let swaps = self.image_swaps();
        let stage = self.stage_and_layout().filter(|_| !swaps.is_empty());
        let Some((stage, before)) = stage else { return swaps.to_vec() };
        let (held_before, held, names) =
            (before.image_holders(), layout.image_holders(), layout.names());
        let holds_itself = |new: &usize| held.get(*new) == Some(new);
        let on = |swap: &ImageSwap| -> Option<Vec<ImageSwap>> {
            let (member, own) = stage.image_of(swap.id(stage).ok()?)?;
            let own = element_names::image(stage.member_subject(member)?, own);
            let old = |new: usize| order.map_or(Some(new), |order| order.get(new).copied());
            let showed = |new: &usize| held_before.get(old(*new)?).map(|holder| *holder == member);
            let of = (0..names.len()).filter(|new| holds_itself(new) && showed(new) == Some(true));
            let named = of.filter_map(|new| {
                Some(ImageSwap {
                    image: format!("{}/{own}", names.get(new)?),
                    file: swap.file.clone(),
                })
            });
            Some(named.collect())
        };
        swaps.iter().filter_map(on).flatten().collect()
    }

    /// Returns the index of the character under a point of the picture, in screen pixels.
    fn member_at(&mut self, at: [f64; 2]) -> Option<usize> {
        let (camera, size) = (self.view.camera, self.view.size);
        let mesh = self.model.as_mut()?.picks(at, camera, size).first()?.mesh;
        self.model.as_ref()?.stage()?.member_of(mesh).map(|(member, _)| member)
    }

    fn grab_member(&mut self, grip: Grip, from: [f64; 2]) {
        let top = self.member_at(from).filter(|_| grip == Grip::PlaceTop);
        self.chosen_member = top.or(self.chosen_member);
        let chosen = self.chosen_member();
        let before = chosen.and_then(|index| self.layout()?.members.get(index).cloned());
        self.member_drag = before.map(|before| MemberDrag { grip, from, before });
    }

    fn drag_member(&mut self, to: [f64; 2], snaps: bool) {
        let (camera, size) = (self.view.camera, self.view.size);
        let Some((chosen, drag)) = self.chosen_member().zip(self.member_drag.as_ref()) else {
            return;
        };
        let member = drag.moved(camera.world_at(drag.from, size), camera.world_at(to, size), snaps);
        self.on_stage(StageAction::Set(chosen, Box::new(member)));
    }

    /// Shows the stage with another layout and pictures in place of images. It is read again if that has other files, names, tints,
    /// images or another order.
    pub(super) fn set_layout(&mut self, layout: Layout, images: Vec<ImageSwap>) {
        let Some(model) = &mut self.model else { return };
        if model.set_layout(&layout) {
            self.show();
            return self.measure_pictures_again();
        }
        let count = layout.members.len();
        self.read_stage_again(layout, count, images);
    }

    /// Reads the stage again with another layout, where characters from an index on have no place yet, and with pictures in place of
    /// images.
    fn read_stage_again(&mut self, layout: Layout, unplaced: usize, images: Vec<ImageSwap>) {
        let Some(loaded) = self.model.as_ref().map(Model::loaded) else { return };
        let session = loaded.session.clone().unwrap_or_default();
        let source = loaded.source.clone();
        self.files.staged = Some(Staged::new(session, layout.clone(), unplaced));
        self.files.swaps = Some(images);
        self.request(source, true);
        self.files.layout_asked = Some(layout);
    }

    /// The unsaved stage, to be read again.
    pub(super) fn draft(&self) -> Option<Box<Staged>> {
        let loaded = self.model.as_ref()?.loaded();
        let layout = loaded.layout.clone().filter(|_| loaded.is_draft)?;
        let (session, count) = (loaded.session.clone()?, layout.members.len());
        Some(Staged::new(session, layout, count))
    }

    /// Keeps an unsaved stage that is left; it is shown again with its session.
    pub(super) fn keep_draft(&mut self) {
        let loaded = self.model.as_ref().map(|model| model.loaded());
        let path = loaded.and_then(|loaded| loaded.source.path()).map(Path::to_owned);
        if let Some((path, draft)) = path.zip(self.draft()) {
            let name = Source::File(path.clone()).name();
            let text = format!("{name} is not saved; its changes stay until the window closes");
            let back = FileAction::Open(vec![path.clone()]);
            self.said = Some(Message::new(text).offering(Action::Files(back)));
            self.files.drafts.insert(path, draft);
        }
    }

    /// Asks before unsaved stages are lost. Returns false if there are none, or if it has asked.
    pub(super) fn asks_to_quit(&mut self) -> bool {
        let open = self.model.as_ref().filter(|_| self.is_stage_unsaved());
        let open = open.map(|model| model.loaded().source.clone());
        let left = self.files.drafts.keys().next().map(|path| Source::File(path.clone()));
        let Some(source) = open.or(left) else { return false };
        let question = Question::of_unsaved(&source.name(), self.is_stage_unsaved());
        let has_asked = self.question.as_ref() == Some(&question);
        self.question = Some(question);
        !has_asked
    }

    fn add_members(&mut self, paths: Vec<PathBuf>) {
        self.files.hovering.clear();
        self.looking.tab = Tab::Stage;
        let is_gallery = self.is_on(Switch::Gallery);
        let takes_open = !is_gallery || !self.gallery.is_beginning;
        if is_gallery {
            self.leave_gallery(true);
        }
        let new = paths.into_iter().map(Member::new);
        if let (Some(layout), Some(wanted)) = (self.layout(), self.wanted_layout()) {
            let from = layout.members.len();
            let members = wanted.members.iter().cloned().chain(new).collect();
            let layout = Layout { members };
            let images = self.swaps_on(&layout, None);
            return self.read_stage_again(layout, from, images);
        }
        let open = self.model.as_ref().and_then(|model| model.loaded().file());
        let is_member = |path: &&Path| takes_open && !is_input(path) && !is_session(path);
        let open = open.filter(is_member).map(Path::to_owned);
        let animation = || {
            let model = self.model.as_ref()?;
            let clip = model.one().animation(model.moment_of_one()?.animation)?;
            Some(clip.name.to_owned())
        };
        let open = open.map(|path| Member { animation: animation(), ..Member::new(path) });
        let members: Vec<Member> = open.into_iter().chain(new).collect();
        let Some(first) = members.first().map(|first| first.file.clone()) else { return };
        self.on_parts(PartAction::ChooseNothing); // it is of the file alone
        let (shown, playing) = self.session();
        let (shown, playing) = WindowLook::of_view(&shown, &playing).view();
        let file = first.with_file_name(file_name::stem(&first) + NEW);
        let layout = Layout { members };
        let stage = Some(layout.clone());
        let session = Session { file: file.clone(), stage, allow_outside: false, shown, playing };
        if !is_gallery {
            self.forget_list();
        }
        self.files.staged = Some(Staged::new(session, layout, 1));
        self.said = Some(Message::new("Made a stage; Ctrl+S saves it"));
        self.request(Source::File(file), false);
    }
}
