//! Pictures in place of images of the open file: skins. They are read together with the file, and again when one of them changes.

use std::path::PathBuf;

use egui::pos2;

use pchr::document::{ImageId, Images};
use pchr_tools::view::{ImageSwap, naming};

use super::companions::is_picture;
use super::{Ask, Request, State};
use crate::viewer::action::ImageAction;
use crate::viewer::model::Model;
use crate::viewer::switch::{Switch, Tab};

impl State {
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
            ([path], Some(image)) if is_there && is_picture(path) => {
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
        Some(naming::image(self.model.as_ref()?.subject(), self.image_to_replace()?))
    }
}
