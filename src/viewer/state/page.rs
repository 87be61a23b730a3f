//! The page view of an atlas: which page it shows and from where, and how list, page and picture choose the same sprite.

use pchr::document::{ImageId, MeshId};
use pchr::scene::{Bounds, Camera2d};
use pchr_foreign::atlas::Sprite;
use pchr_foreign::sheet::atlas_of;

use super::State;
use super::camera::CameraState;
use crate::viewer::action::{CameraAction, PageAction};
use crate::viewer::interface::narrow;
use crate::viewer::loaded::Loaded;

/// A page as it was left.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageLeft {
    image: ImageId,
    /// Size of the page in pixels.
    of: [u32; 2],
    /// Middle and zoom, where it is not shown whole.
    place: Option<([f64; 2], f64)>,
}

/// The current page. Its world is the page: pixels from the top left corner, Y down.
#[derive(Debug)]
pub(crate) struct PageView {
    /// The page's image.
    pub image: ImageId,
    pub(super) view: CameraState,
}

impl Default for PageView {
    fn default() -> Self {
        Self {
            image: ImageId(0),
            view: CameraState::new(Camera2d { y_down: true, ..Camera2d::default() }),
        }
    }
}

impl PageView {
    pub(crate) fn camera(&self) -> Camera2d {
        self.view.camera
    }

    /// Size in screen pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.view.size
    }

    /// Place of the pointer in the view, in screen pixels.
    pub(crate) fn pointer(&self) -> Option<[f64; 2]> {
        self.view.pointer
    }

    /// Place on the page of the pointer.
    pub(crate) fn pointed_at(&self) -> Option<[f64; 2]> {
        let at = self.view.pointer?;
        Some(self.view.camera.world_at(at, self.view.size))
    }

    /// Shows a page whole.
    fn show(&mut self, image: ImageId, loaded: &Loaded) {
        self.image = image;
        self.view.fitted = true;
        self.view.bounds = page_size(loaded, image)
            .map(|size| Bounds { min: [0.0; 2], max: size.map(|side| narrow(side.into())) });
        self.view.place();
    }

    /// Moves to a sprite that is not seen whole.
    fn reveal(&mut self, sprite: &Sprite) {
        #[expect(clippy::cast_precision_loss, reason = "edges are 33 bit numbers")]
        let [left, top, right, bottom] = sprite.covered().edges().map(|edge| edge as f64);
        let corners = [[0.0; 2], self.view.size.map(f64::from)];
        let [min, max] = corners.map(|at| self.view.camera.world_at(at, self.view.size));
        let seen = min[0] <= left && min[1] <= top && right <= max[0] && bottom <= max[1];
        if !seen && !self.view.fitted {
            self.view.camera.center = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
        }
    }
}

/// Width and height of a page in pixels.
fn page_size(loaded: &Loaded, image: ImageId) -> Option<[u32; 2]> {
    let page = loaded.sprites.as_ref()?.pages.get(image.index())?;
    Some(page.size)
}

impl State {
    /// The page view, of a file that has pages.
    pub(crate) fn page(&self) -> Option<&PageView> {
        let sprites = self.model()?.loaded().sprites.as_ref()?;
        sprites.pages.get(self.page.image.index())?;
        Some(&self.page)
    }

    /// The image shown beside the picture: a page, or the image of the selected mesh.
    pub(crate) fn image_shown(&self) -> Option<ImageId> {
        let of_mesh = || Some(self.model()?.subject().mesh(self.chosen_mesh()?)?.image());
        self.page().map_or_else(of_mesh, |page| Some(page.image))
    }

    pub(super) fn on_page(&mut self, action: &PageAction) {
        let Some(model) = &self.model else { return };
        match action {
            PageAction::Show(image) => self.page.show(*image, model.loaded()),
            PageAction::Camera(CameraAction::Fit) => {
                self.page.show(self.page.image, model.loaded())
            }
            PageAction::Camera(action) => {
                self.page.view.on(action);
            }
            PageAction::Pick(at) => {
                let at = self.page.view.camera.world_at(*at, self.page.view.size);
                self.pick_on_page(at);
            }
        }
    }

    /// Begins with the page of the first sprite shown, or keeps the page of an earlier version if it is unchanged.
    pub(super) fn open_page(&mut self, before: Option<&Loaded>) {
        let Some(model) = &self.model else { return };
        let loaded = model.loaded();
        let image = self.page.image;
        let now = page_size(loaded, image);
        match before {
            Some(before) if now.is_some() => {
                if page_size(before, image) != now {
                    self.page.show(image, loaded);
                }
            }
            _ => {
                let first = model.frame().draws().first().map(|draw| draw.image);
                self.page.show(first.unwrap_or(ImageId(0)), loaded);
            }
        }
        self.list_sprites();
    }

    /// The page view as it is left.
    pub(super) fn page_left(&self) -> Option<PageLeft> {
        let PageView { image, view } = self.page()?;
        let camera = view.camera;
        Some(PageLeft {
            image: *image,
            of: page_size(self.model.as_ref()?.loaded(), *image)?,
            place: (!view.fitted).then_some((camera.center, camera.zoom)),
        })
    }

    /// Shows a page as it was left, if it is of the same size.
    pub(super) fn return_to_page(&mut self, left: &PageLeft) {
        let Some(model) = &self.model else { return };
        if page_size(model.loaded(), left.image) != Some(left.of) {
            return;
        }
        self.page.show(left.image, model.loaded());
        if let Some(([x, y], zoom)) = left.place {
            self.page.view.put([x, y, 0.0], zoom);
        }
    }

    /// Updates the list of sprites after a change of folding or filter.
    pub(super) fn list_sprites(&mut self) {
        let rows = self.model.as_ref().and_then(|model| {
            let sprites = model.loaded().sprites.as_ref()?;
            let filter = &self.looking.mesh_filter;
            Some(sprites.rows(model.subject(), &self.parts.folded_folders, filter))
        });
        self.parts.rows = rows.unwrap_or_default();
    }

    /// Chooses the sprite at a point of the page, or the next one there if that was chosen already.
    fn pick_on_page(&mut self, at: [f64; 2]) {
        let found = self.sprites_at(at);
        let next = found.iter().skip_while(|mesh| Some(**mesh) != self.parts.mesh).nth(1);
        self.parts.mesh = next.or(found.first()).copied();
        self.parts.pick = None;
        self.chose_sprite();
    }

    /// The sprites at a point of the current page.
    pub(crate) fn sprites_at(&self, at: [f64; 2]) -> Vec<MeshId> {
        let of = |model: &super::Model| {
            let sprites = model.loaded().sprites.as_ref()?;
            Some(sprites.at(atlas_of(model.subject())?, self.page.image.index(), at))
        };
        self.model.as_ref().and_then(of).unwrap_or_default()
    }

    /// Stops at the frame of the sprite that was chosen, and shows it in the list and on its page.
    pub(super) fn chose_sprite(&mut self) {
        let playing = self.player.clip.animation;
        let moment = |model: &super::Model| model.subject().moment_of(self.parts.mesh?, playing);
        let Some(at) = self.model.as_ref().and_then(moment) else { return self.touch() };
        self.player.end_fade();
        if playing != Some(at.animation) {
            self.player.clip.choose(Some(at.animation));
        }
        self.player.clip.hold();
        let model = self.model.as_ref();
        let timelines = model.map_or(&[][..], |model| &model.loaded().timelines);
        self.player.clip.seek(timelines, at.frame.into());
        self.follow_fit(playing);
        self.reveal_sprite();
        self.show();
    }

    /// Brings the selected sprite into sight in the list and on its page.
    pub(super) fn reveal_sprite(&mut self) {
        let Some((model, mesh)) = self.model.as_ref().zip(self.parts.mesh) else { return };
        let Some(atlas) = atlas_of(model.subject()) else { return };
        let Some((name, sprite)) = atlas.sprites.get_index(mesh.index()) else { return };
        let image = model.subject().mesh(mesh).map(|mesh| mesh.image());
        if let Some(other) = image.filter(|image| *image != self.page.image) {
            self.page.show(other, model.loaded());
        }
        self.page.reveal(sprite);
        let folder = crate::viewer::sprites::parts(name).0;
        if self.parts.folded_folders.remove(folder) {
            self.list_sprites();
        }
    }
}
