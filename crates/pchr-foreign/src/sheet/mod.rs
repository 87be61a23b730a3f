//! An atlas as a subject: a sprite is a mesh, a flip-book an animation.
//!
//! A sprite is drawn where it lies in its source, whose middle is the origin, a pixel of the page for a pixel of the world; so sprites
//! that were trimmed in different ways stay in place. One that is rotated on its page stands upright.
#![deny(clippy::arithmetic_side_effects)]

mod clips;
mod pages;
mod quad;
mod sweep;

use std::any::Any;
use std::sync::Arc;

pub use pages::PageFile;

use pchr::document::{
    AnimationId, Bone, BoneId, Fingerprint, INDEX_SIZE, Image, ImageFault, ImageId, Images, Mesh,
    MeshId,
};
use pchr::finding::{Finding, Findings};
use pchr::playback::FrameAt;
use pchr::pose::Pose;
use pchr::scene::{Clip, FileFacts, Geometry, MeshOrder, Subject, Sweep, ViewOptions};

use self::clips::Clips;
use self::pages::Pages;
use self::quad::Quad;
use self::sweep::SheetSweep;
use crate::atlas::{Atlas, PctRule};

/// Maximum number of sprites and pages that are shown: as many as ids can express.
const MOST: usize = u16::MAX as usize;

/// The atlas whose sprites are the meshes of a subject.
#[must_use]
pub fn atlas_of(subject: &dyn Subject) -> Option<&Atlas> {
    subject.data()?.downcast_ref()
}

/// An atlas with its pages, ready to be drawn.
#[derive(Debug)]
pub struct Sheet {
    atlas: Arc<Atlas>,
    pages: Pages,
    /// One a sprite that is shown.
    quads: Vec<Quad>,
    indices: [[u8; INDEX_SIZE]; 6],
    clips: Clips,
    format: &'static str,
    bytes: u64,
    warnings: Findings,
    fingerprint: Fingerprint,
}

impl Sheet {
    /// An atlas that was read from a file of `bytes` bytes, in a format of this name. `files` are its pages' images, in order.
    #[must_use]
    pub fn new(
        atlas: Arc<Atlas>,
        files: Vec<PageFile>,
        format: &'static str,
        bytes: u64,
        mut warnings: Findings,
    ) -> Self {
        let pages = Pages::new(&atlas, files);
        let shown = atlas.sprites.values().take(MOST);
        let quads = shown.map(|sprite| Quad::new(sprite, pages.size(sprite.page)));
        let quads: Vec<Quad> = quads.collect();
        let (count, shown) = (atlas.sprites.len().max(atlas.pages.len()), quads.len());
        if count > MOST {
            let message = || format!("{count} sprites or pages; only the first {shown} are shown");
            warnings.add(PctRule::ShownLimit, 0, || "sprites".into(), message);
        }
        Self {
            clips: Clips::new(&atlas, shown),
            pages,
            quads,
            indices: [0_u16, 1, 2, 0, 2, 3].map(u16::to_le_bytes),
            format,
            bytes,
            warnings,
            fingerprint: Fingerprint::default(),
            atlas,
        }
    }

    /// The sprite that an animation shows at a moment.
    fn sprite_at(&self, at: FrameAt) -> Option<MeshId> {
        self.clips.sprite(at.animation, at.frame)
    }
}

impl Images for Sheet {
    fn image_count(&self) -> usize {
        self.atlas.pages.len().min(MOST)
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        let page = self.atlas.pages.get(id.index())?;
        self.pages.image(id, page)
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        self.pages.finding(id, &self.atlas, fault, message)
    }
}

impl Geometry for Sheet {
    fn mesh_count(&self) -> usize {
        self.quads.len()
    }

    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>> {
        let quad = self.quads.get(id.index())?;
        let (name, sprite) = self.atlas.sprites.get_index(id.index())?;
        let page = ImageId(u16::try_from(sprite.page).ok()?);
        Some(Mesh::new(name, page, &quad.vertices, &self.indices))
    }

    fn palette_len(&self) -> usize {
        0
    }

    fn fingerprint(&self) -> Option<u64> {
        Some(self.fingerprint.of((self as &dyn Geometry).meshes()))
    }
}

impl Subject for Sheet {
    fn bone_count(&self) -> usize {
        0
    }

    fn bone(&self, _: BoneId) -> Option<Bone<'_>> {
        None
    }

    fn owner(&self, _: MeshId) -> Option<BoneId> {
        None
    }

    fn pose(&self, at: Option<FrameAt>, pose: &mut Pose) {
        pose.set_stored(at);
    }

    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>) {
        let hidden = MeshOrder {
            visible: false,
            ..MeshOrder::default()
        };
        order.clear();
        order.resize(self.quads.len(), hidden);
        let shown = at.and_then(|at| self.sprite_at(at));
        if let Some(shown) = shown.and_then(|sprite| order.get_mut(sprite.index())) {
            shown.visible = true;
        }
    }

    fn animation_count(&self) -> usize {
        self.clips.len()
    }

    fn animation(&self, id: AnimationId) -> Option<Clip<'_>> {
        self.clips.clip(id)
    }

    fn default_animation(&self) -> Option<AnimationId> {
        self.clips.first_to_show()
    }

    fn all(&self) -> Option<AnimationId> {
        self.clips.all()
    }

    fn distinct_frames(&self, id: AnimationId) -> u16 {
        (self as &dyn Subject).frame_count(id)
    }

    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a> {
        Box::new(SheetSweep::new(self, view))
    }

    fn file(&self) -> FileFacts<'_> {
        FileFacts {
            format: self.format,
            bytes: self.bytes,
            fps: None,
        }
    }

    fn warnings(&self) -> &Findings {
        &self.warnings
    }

    fn moment_of(&self, mesh: MeshId, near: Option<AnimationId>) -> Option<FrameAt> {
        self.clips.moment(mesh, near)
    }

    fn data(&self) -> Option<&dyn Any> {
        Some(&*self.atlas)
    }

    fn allows_mipmaps(&self) -> bool {
        false
    }
}
