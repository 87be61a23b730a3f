//! Skeletons and motions that files are shown with, and pictures in place of images of the open file: skins. They are read together with the
//! file, and again when one of them changes.

use std::path::{Path, PathBuf};

use egui::pos2;

use pchr::document::{ImageId, Images};
use pchr_tools::files::Companions;
use pchr_tools::view::{ImageSwap, element_names};

use super::{Ask, Request, State};
use crate::viewer::action::ImageAction;
use crate::viewer::loaded::{Listing, Source};
use crate::viewer::model::Model;
use crate::viewer::question::Question;
use crate::viewer::switch::{Switch, Tab};

/// Kind of a file, by its name: files are not read to interpret a drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompanionKind {
    Skeleton,
    Motion,
    /// A skeleton, motions, or both.
    Gltf,
    Picture,
    Other,
}

fn named(path: &Path) -> CompanionKind {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    let kinds = [
        (CompanionKind::Skeleton, &[".skl.pxd"][..]),
        (CompanionKind::Motion, &[".seanim", ".seanim.json", ".anm.pxd"]),
        (CompanionKind::Gltf, &[".glb", ".gltf"]),
        (CompanionKind::Picture, &[".png"]),
    ];
    let of_kind = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let found = kinds.into_iter().find(|(_, endings)| of_kind(endings));
    found.map_or(CompanionKind::Other, |(kind, _)| kind)
}

/// Motions that are played on a character.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) on: Source,
    pub(super) motions: Vec<PathBuf>,
}

impl State {
    /// Opens a character that was dropped together with motions, to ask then whether they play on it; returns false for other files.
    pub(super) fn dropped_with_motions(&mut self, paths: &[PathBuf]) -> bool {
        let (motions, others): (Vec<_>, Vec<_>) =
            paths.iter().cloned().partition(|path| named(path) == CompanionKind::Motion);
        let is_character = matches!(&*others, [one] if named(one) == CompanionKind::Other);
        if is_character && !motions.is_empty() {
            self.open_list(others);
            self.files.dropped_motions = motions;
            return true;
        }
        false
    }

    /// Asks about the motions that were dropped together with the character.
    pub(super) fn ask_about_dropped_motions(&mut self) {
        let motions = std::mem::take(&mut self.files.dropped_motions);
        let Some(model) = self.model.as_ref().filter(|_| !motions.is_empty()) else { return };
        let subject = model.subject();
        if subject.skinned().is_some() && subject.bone_count() > 0 {
            let character = model.loaded().source.name();
            self.question = Some(Question::of_motions(&motions, &character));
        } else {
            self.open_list(motions);
        }
    }

    /// Uses files that belong to the open file, or asks whether they do; returns false for files to be opened.
    pub(super) fn companions_dropped(&mut self, paths: &[PathBuf]) -> bool {
        let Some(model) = self.model.as_ref().filter(|_| !paths.is_empty()) else { return false };
        let source = model.loaded().source.name();
        let subject = model.subject();
        let is_motion =
            |path: &PathBuf| matches!(named(path), CompanionKind::Motion | CompanionKind::Gltf);
        match (subject.spatial(), paths) {
            (_, [path, ..]) if paths.iter().all(|path| named(path) == CompanionKind::Picture) => {
                let image = self.image_name().filter(|_| self.is_on(Switch::Atlas));
                self.question = Some(Question::of_picture(path, image));
                true
            }
            (Some(_), [path])
                if named(path) == CompanionKind::Skeleton && subject.animation_count() > 0 =>
            {
                self.use_skeleton(path.clone());
                true
            }
            (Some(spatial), [path])
                if named(path) == CompanionKind::Gltf && !spatial.has_skeleton() =>
            {
                self.question = Some(Question::of_rig(path, &source));
                true
            }
            (None, paths)
                if subject.skinned().is_some()
                    && subject.bone_count() > 0
                    && !matches!(model.loaded().source, Source::Sample(_))
                    && paths.iter().all(is_motion) =>
            {
                self.question = Some(Question::of_motions(paths, &source));
                true
            }
            _ => false,
        }
    }

    /// Shows motions on a skeleton from now on, but for those that another was chosen for.
    pub(super) fn use_skeleton(&mut self, path: PathBuf) {
        self.question = None;
        if let Some(motion) = self.path_on_show() {
            self.files.skeletons.remove(&motion);
        }
        let before = self.files.companions.skeleton.replace(path);
        self.files.skeleton_before = Some(before);
        self.reload();
    }

    /// Shows the current motion on a skeleton that the user was asked for. One of those beside it is only offered to other motions: they may
    /// have one of their own.
    pub(super) fn answer_skeleton(&mut self, path: PathBuf) {
        let model = self.model.as_ref();
        let mut beside = model.into_iter().flat_map(|it| &it.loaded().rig.candidates);
        let is_beside = beside.any(|candidate| candidate.path == path);
        match self.path_on_show().filter(|_| is_beside) {
            Some(motion) => {
                self.question = None;
                self.files.skeletons.insert(motion, path.clone());
                self.files.companions.offered = Some(path);
                self.reload();
            }
            None => self.use_skeleton(path),
        }
    }

    fn path_on_show(&self) -> Option<PathBuf> {
        let source = &self.model.as_ref()?.loaded().source;
        source.path().map(Path::to_owned)
    }

    /// Reads the current motion again together with the skeletons beside it, to ask for one of them.
    pub(super) fn choose_skeleton(&mut self) {
        let subject = self.model.as_ref().map(Model::subject);
        let is_motion =
            subject.is_some_and(|it| it.spatial().is_some() && it.animation_count() > 0);
        let path = self.path_on_show().filter(|path| path.as_os_str() != "-");
        if is_motion && path.is_some() {
            self.files.asks_skeleton = true;
            self.reload();
        } else {
            self.say("Only a motion that was read from a file can have skeletons beside it");
        }
    }

    /// Asks for the skeleton of the current motion, after its skeletons were looked for.
    pub(super) fn ask_again_for_skeleton(&mut self) {
        if !std::mem::take(&mut self.files.asks_skeleton) {
            return;
        }
        self.question = self.question_of_skeletons();
        if let (None, Some(model)) = (&self.question, &self.model) {
            let name = model.loaded().source.name();
            self.say(format!("No .skl.pxd file lies beside {name}; drop one on the picture"));
        }
    }

    fn question_of_skeletons(&self) -> Option<Question> {
        let model = self.model.as_ref()?;
        let loaded = model.loaded();
        let tracks = model.subject().spatial()?.numbered_tracks();
        Question::of_skeletons(&loaded.source.name(), tracks, &loaded.rig.candidates)
    }

    pub(super) fn play_motions(&mut self, motions: Vec<PathBuf>) {
        self.question = None;
        let source = self.model.as_ref().map(|it| it.loaded().source.clone());
        if let Some(source) = source {
            self.give_up_motions();
            self.files.next = None;
            let played = Played { on: source.clone(), motions };
            let before = self.files.played.replace(played);
            self.request(source, false);
            self.files.played_before = Some(before);
        }
    }

    /// Goes back to the motions before, unless the character was read with the new ones. Returns the names of these.
    pub(super) fn give_up_motions(&mut self) -> Option<String> {
        let before = self.files.played_before.take()?;
        let tried = std::mem::replace(&mut self.files.played, before)?;
        let names = tried.motions.iter().filter_map(|path| path.file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        Some(names.join(", "))
    }

    /// Returns the motions that are played on the open file.
    pub(crate) fn motions(&self) -> &[PathBuf] {
        let on_show = self.model.as_ref().map(|model| &model.loaded().source);
        let played = self.files.played.as_ref();
        match played.filter(|played| Some(&played.on) == on_show) {
            Some(played) => &played.motions,
            None => &self.files.companions.motions,
        }
    }

    /// The skeleton of another file that was found for the current motion. It stays the motion's: if it goes missing or
    /// breaks, the motion is not shown without it, or with another one.
    pub(super) fn found_skeleton(&self) -> Option<PathBuf> {
        let model = self.model.as_ref()?;
        let spatial = model.subject().spatial()?;
        let found = model.loaded().rig.skeleton.clone();
        found.filter(|_| spatial.has_skeleton())
    }

    /// Companions of the next file: none yet. The current skeleton is offered to motions that find none.
    pub(super) fn fresh_companions(&self) -> Companions {
        let model = self.model.as_ref();
        let shown = model.filter(|model| {
            let spatial = model.subject().spatial();
            spatial.is_some_and(|spatial| spatial.has_skeleton())
        });
        let offered = shown.and_then(|model| {
            let loaded = model.loaded();
            let own = loaded.source.path().map(Path::to_owned);
            loaded.rig.skeleton.clone().or(own)
        });
        Companions { offered, ..Companions::default() }
    }

    /// Takes the skeleton out of a list of motions: it is shown with each of them. If the chosen file is a skeleton, the first motion is
    /// chosen.
    pub(super) fn skeleton_of_list(listing: &mut Listing) -> Option<PathBuf> {
        if !listing.files.iter().any(|path| named(path) == CompanionKind::Motion) {
            return None;
        }
        let chosen = listing.files.get(listing.chosen).cloned();
        let is_skeleton = |path: &mut PathBuf| named(path) == CompanionKind::Skeleton;
        let mut skeletons: Vec<_> = listing.files.extract_if(.., is_skeleton).collect();
        let place = |chosen| listing.files.iter().position(|file| *file == chosen);
        listing.chosen = chosen.and_then(place).unwrap_or(0);
        skeletons.pop().filter(|_| skeletons.is_empty())
    }

    #[cfg(test)]
    pub(in crate::viewer) fn put_question(&mut self, question: Option<Question>) {
        self.question = question;
    }

    /// Asks for the skeleton of the current motion, if several are possible.
    pub(super) fn ask_for_skeleton(&mut self) {
        let Some(model) = &self.model else { return };
        let spatial = model.subject().spatial();
        let lacks = spatial.is_some_and(|spatial| !spatial.has_skeleton());
        if lacks {
            self.question = self.question_of_skeletons();
        }
    }

    pub(super) fn on_image(&mut self, action: ImageAction) {
        match action {
            ImageAction::Replace(swap) => {
                self.question = None;
                let model = self.model.as_ref();
                // Another file may be open by now.
                if let Some(Ok(id)) = model.map(|model| swap.id(model.subject())) {
                    self.swap_images([self.swaps_without(id), vec![swap]].concat());
                }
            }
            ImageAction::Ask => match self.image_name() {
                Some(name) => self.requests.push(Request::Ask(Ask::Image(name))),
                None => self.say_to_select(),
            },
            ImageAction::Original => match self.image_to_replace() {
                Some(id) => self.swap_images(self.swaps_without(id)),
                None => self.say_to_select(),
            },
        }
    }

    fn say_to_select(&mut self) {
        self.say("Select a mesh to replace its image");
    }

    /// Reads the file again with these pictures in place of its images.
    pub(super) fn swap_images(&mut self, swaps: Vec<ImageSwap>) {
        if swaps != self.image_swaps() {
            self.files.swaps = Some(swaps);
            self.reload();
        }
    }

    /// Replaces the image on the card, or on the page view, if one picture was dropped there; returns false for other drops. `at` is in
    /// screen pixels.
    pub(super) fn dropped_on_image(&mut self, paths: &[PathBuf], [x, y]: [f32; 2]) -> bool {
        let is_hidden = self.is_on(Switch::Gallery) || self.is_on(Switch::Preview);
        let is_open = self.is_on(Switch::Atlas) && !is_hidden;
        let area = self.kept.image_area.filter(|_| is_open);
        let is_there = area.is_some_and(|area| area.contains(pos2(x, y)));
        match (paths, self.image_name()) {
            ([path], Some(image)) if is_there && named(path) == CompanionKind::Picture => {
                self.apply(ImageAction::Replace(ImageSwap { image, file: path.clone() }));
                true
            }
            _ => false,
        }
    }

    /// Returns the pictures in place of images, also those that are still being read.
    pub(super) fn image_swaps(&self) -> &[ImageSwap] {
        let model = self.model.as_ref();
        let shown = model.map_or(&[][..], |model| &model.loaded().swaps);
        self.files.swaps.as_deref().unwrap_or(shown)
    }

    fn swaps_without(&self, image: ImageId) -> Vec<ImageSwap> {
        let mut swaps = self.image_swaps().to_vec();
        if let Some(model) = &self.model {
            swaps.retain(|swap| swap.id(model.subject()) != Ok(image));
        }
        swaps
    }

    /// Returns the image that is shown beside the picture, or the only one of the file.
    fn image_to_replace(&self) -> Option<ImageId> {
        let is_only = |model: &&Model| model.subject().image_count() == 1;
        let only = || self.model.as_ref().filter(is_only).map(|_| ImageId(0));
        let of_member = || self.member_image().filter(|_| self.looking.tab == Tab::Stage);
        of_member().or_else(|| self.image_shown()).or_else(only)
    }

    /// Returns the only image of the chosen character of a stage.
    fn member_image(&self) -> Option<ImageId> {
        let holders = self.layout()?.image_holders();
        let holder = *holders.get(self.chosen_member()?)?;
        let stage = self.model.as_ref()?.stage()?;
        let images: &dyn Images = stage;
        let is_its = |id: &ImageId| stage.image_of(*id).is_some_and(|(of, _)| of == holder);
        let mut images = images.image_ids().filter(is_its);
        images.next().filter(|_| images.next().is_none())
    }

    /// Returns the name of that image.
    pub(super) fn image_name(&self) -> Option<String> {
        Some(element_names::image(self.model.as_ref()?.subject(), self.image_to_replace()?))
    }
}
