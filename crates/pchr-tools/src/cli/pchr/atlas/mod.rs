//! Texture atlases: PCT and JSON. An atlas that was read, with the images of its pages; and the commands' parts for atlases.
//!
//! As a character, an atlas has a bone and a mesh for each sprite, and for each flip-book an animation that switches their visibility.

mod convert;

use std::collections::BTreeSet;
use std::path::PathBuf;

use pchr::bytes::Budget;
use pchr::document::{
    AnimationParts, BoneParts, BoneTransform, Document, DocumentParts, FPS_WHEN_ZERO, ImageFormat,
    ImageId, ImageParts, Images, MeshParts, TRANSFORM_SIZE, Vertex,
};
use pchr::finding::{Findings, quoted};
use pchr::format::pchr::{build, write};
use pchr::image::{Pixels, check_png, decode, decode_straight, png_size};
use pchr::playback::FrameAt;
use pchr::scene::{Geometry, Subject};
use pchr_foreign::atlas::PctRule;
use pchr_foreign::format::AtlasText;
use pchr_foreign::sheet::Sheet;

use crate::open::{page_file, sheet};
use crate::run::input::{Beside, InputArgs};
use crate::run::{Disk, Failure};
use crate::text::words;

pub(super) use convert::{AtlasTarget, ConvertAtlas, to_character};

/// An atlas that was read, and its text. Its page images are not read.
#[derive(Debug)]
pub(super) struct AtlasFile {
    /// The name that messages give the file.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) args: InputArgs,
    pub(super) read: AtlasText,
    pub(super) text: Vec<u8>,
}

impl AtlasFile {
    fn beside<'a>(&'a self, disk: &'a Disk) -> Beside<'a> {
        Beside::new(disk, &self.path, self.args)
    }

    /// The atlas with the images of its pages, as they lie in their files.
    pub(super) fn sheet(&self, disk: &Disk) -> Sheet {
        sheet(self.read.clone(), &self.text, &mut self.beside(disk))
    }

    /// The failure of an atlas in which errors were found after it was read.
    pub(super) fn invalid(&self, found: Findings) -> Failure {
        Failure::Invalid { file: self.name.clone(), findings: found.in_text(&self.text) }
    }

    /// The image file of a page; or the reason why there is none.
    fn page_file(&self, file: &str, disk: &Disk) -> Result<Vec<u8>, String> {
        page_file(&mut self.beside(disk), file)
    }

    /// The pixels of a page's image file; or a finding.
    fn decoded(&self, index: usize, data: &[u8], found: &mut Findings) -> Option<Pixels> {
        let (file, offset, _) = self.page(index);
        let path = || format!("page {index} {}", quoted(file));
        let pixels = decode_straight(data, &Budget::default());
        let tell = |error| found.add(PctRule::PageDecode, offset, path, || format!("{error}"));
        pixels.map_err(tell).ok()
    }

    /// File, place in the text and stated size of a page.
    fn page(&self, index: usize) -> (&str, u64, [u32; 2]) {
        let page = self.read.atlas.pages.get(index);
        page.map_or(("", 0, [0, 0]), |page| (&page.file, page.offset, page.size))
    }

    /// The pixels of a page, with straight alpha. A size that is not the stated one is added to `odd`.
    pub(super) fn page_pixels(
        &self,
        index: usize,
        disk: &Disk,
        odd: &mut Findings,
    ) -> Result<Pixels, Failure> {
        let (file, offset, stated) = self.page(index);
        let path = || format!("page {index} {}", quoted(file));
        let data = self.page_file(file, disk).map_err(|why| {
            let text = format!("{}: {}: {why}", self.name, path());
            Failure::Running(anyhow::Error::msg(text))
        })?;
        let mut found = Findings::default();
        let Some(pixels) = self.decoded(index, &data, &mut found) else {
            return Err(self.invalid(found));
        };
        let real = [pixels.width, pixels.height];
        if stated != [0, 0] && stated != real {
            let ([w, h], [x, y]) = (stated, real);
            let message = || format!("declared as {w} x {h}, but the PNG is {x} x {y}");
            found.add(PctRule::PageSize, offset, path, message);
            odd.extend(found.in_text(&self.text));
        }
        Ok(pixels)
    }
}

/// Maximum number of bytes of a character's file: the limit for pipes, too.
const MOST_BYTES: u64 = 1 << 30;

/// Bytes of an animation without name and frames: length of the name, flags, number of frames.
const ANIMATION_SIZE: u64 = 2 + 1 + 2;

impl AtlasFile {
    /// Returns the atlas as a character that shows the same pixels; `odd` receives warnings about its page images.
    fn character(&self, disk: &Disk, odd: &mut Findings) -> Result<Document, Failure> {
        let refuse = |why: String| {
            let text = format!("{}: too large for a character: {why}", self.name);
            Failure::Running(anyhow::Error::msg(text))
        };
        let most = usize::from(u16::MAX);
        for (count, what) in
            [(self.read.atlas.sprites.len(), "sprites"), (self.read.atlas.pages.len(), "pages")]
        {
            if count > most {
                let (count, most) = (words::number(count), words::number(most));
                return Err(refuse(format!("{count} {what}, expected at most {most}")));
            }
        }
        let sheet = self.sheet(disk);
        let (subject, images): (&dyn Subject, &dyn Images) = (&sheet, &sheet);
        let mut found = Findings::default();
        let shown = self.decodable(images, subject, &mut found)?;
        let mut parts = still(images, subject, &shown, &refuse)?;
        let bones = parts.bones.len();
        let size = write(&parts).map_err(|error| refuse(error.to_string()))?.len() as u64;
        let frame_size = (bones as u64).saturating_mul(TRANSFORM_SIZE as u64);
        let books = subject.animation_ids();
        let books: Vec<_> = books.filter(|id| subject.all() != Some(*id)).collect();
        let of_book = |size: u64, id: &_| {
            let name = subject.animation_name(*id).len() as u64;
            let frames = u64::from(subject.frame_count(*id)).saturating_mul(frame_size);
            size.saturating_add(ANIMATION_SIZE).saturating_add(name).saturating_add(frames)
        };
        let size = books.iter().fold(size, of_book);
        if size > MOST_BYTES {
            let size = words::number(size);
            return Err(refuse(format!(
                "its file would have {size} bytes, expected at most 1 GiB: every frame of a flip-book stores a state for each of the {bones} sprites"
            )));
        }
        let mut order = Vec::new();
        for id in books {
            let frame_count = subject.frame_count(id);
            let mut transforms = Vec::with_capacity(usize::from(frame_count).saturating_mul(bones));
            for frame in 0..frame_count {
                order.clear();
                subject.order(Some(FrameAt::exact(id, frame)), &mut order);
                transforms.extend(order.iter().map(|mesh| BoneTransform {
                    flags: mesh.visible.into(),
                    ..BoneTransform::default()
                }));
            }
            parts.animations.push(AnimationParts {
                name: subject.animation_name(id).to_owned(),
                flags: 1, // it loops
                frame_count,
                transforms,
            });
        }
        odd.extend(found);
        build(&parts).map_err(|error| refuse(error.to_string()))
    }

    /// The pages that a character gets: all except those that have no image and no sprites.
    fn decodable(
        &self,
        images: &dyn Images,
        geometry: &dyn Geometry,
        found: &mut Findings,
    ) -> Result<Vec<ImageId>, Failure> {
        let used: BTreeSet<u16> = geometry.meshes().map(|mesh| mesh.image().0).collect();
        let budget = Budget::default();
        let mut shown = Vec::new();
        let mut faults = Vec::new();
        for id in images.image_ids() {
            match decode(images, id, &budget) {
                Ok(_) => {
                    check_png(images, id, found);
                    shown.push(id);
                }
                Err(error) => {
                    let fault = images.image_finding(id, error.fault(), error.to_string());
                    if used.contains(&id.0) {
                        faults.push(fault);
                    } else {
                        found.push(fault);
                    }
                }
            }
        }
        if faults.is_empty() {
            return Ok(shown);
        }
        let (name, listed) = (&self.name, words::listed(faults.iter(), faults.len()));
        Err(Failure::Rejected(format!("{name}: {listed}")))
    }
}

/// Pages, some of which are left out, and a bone and a mesh for each sprite.
fn still(
    images: &dyn Images,
    geometry: &dyn Geometry,
    shown: &[ImageId],
    refuse: &dyn Fn(String) -> Failure,
) -> Result<DocumentParts, Failure> {
    let mut parts = DocumentParts { fps: FPS_WHEN_ZERO, ..DocumentParts::default() };
    for (index, image) in shown.iter().filter_map(|id| Some((id.0, images.image(*id)?))) {
        let name = image.name();
        let [width, height] = png_size(image.data()).unwrap_or_default();
        let side = |side: u32| {
            let message = || format!("page {index} {} is {width} x {height}", quoted(name));
            u16::try_from(side).map_err(|_| refuse(message() + ", expected at most 65,535"))
        };
        parts.images.push(ImageParts {
            name: name.to_owned(),
            width: side(width)?,
            height: side(height)?,
            format: ImageFormat::Png,
            data: image.data().to_vec(),
        });
    }
    let image = |page: ImageId| {
        let place = shown.binary_search_by_key(&page.0, |id| id.0);
        place.ok().and_then(|at| u16::try_from(at).ok()).unwrap_or(page.0)
    };
    for (bone, mesh) in (0..=u16::MAX).zip(geometry.meshes()) {
        let name = mesh.name().to_owned();
        let vertex = |vertex: Vertex| Vertex {
            bone_ids: [bone, 0, 0, 0],
            bone_weights: [1.0, 0.0, 0.0, 0.0],
            ..vertex
        };
        parts.bones.push(BoneParts { name: name.clone(), parent: None });
        parts.meshes.push(MeshParts {
            name,
            image: image(mesh.image()),
            vertices: mesh.vertices().map(vertex).collect(),
            indices: mesh.indices().collect(),
        });
    }
    Ok(parts)
}
