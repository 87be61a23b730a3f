//! An atlas as a character: a bone and a mesh a sprite, and an animation a flip-book that switches their visibility.

use crate::document::{
    AnimationParts, BoneParts, BoneTransform, Document, DocumentParts, FPS_WHEN_ZERO, ImageFormat,
    ImageParts, Images, MeshParts, TRANSFORM_SIZE, Vertex,
};
use crate::finding::{Findings, Severity, quoted};
use crate::format::pchr;
use crate::image::{check_png, png_size};
use crate::playback::FrameAt;
use crate::run::{Disk, Failure};
use crate::scene::{Geometry, Subject};
use crate::text::words;

use super::file::AtlasFile;

/// The most bytes of a character's file, which has offsets of 32 bits.
const MOST_BYTES: u64 = u32::MAX as u64;

/// Bytes of an animation without name and frames: length of the name, flags, number of frames.
const ANIMATION_SIZE: u64 = 2 + 1 + 2;

impl AtlasFile {
    /// The atlas as a character that shows the same pixels; `odd` gets what is odd about its page images.
    pub(super) fn character(&self, disk: &Disk, odd: &mut Findings) -> Result<Document, Failure> {
        let refuse = |why: String| {
            let text = format!("{}: no character can hold it: {why}", self.name);
            Failure::Running(anyhow::Error::msg(text))
        };
        let most = usize::from(u16::MAX);
        for (count, what) in [
            (self.read.atlas.sprites.len(), "sprites"),
            (self.read.atlas.pages.len(), "pages"),
        ] {
            if count > most {
                let (count, most) = (words::number(count), words::number(most));
                return Err(refuse(format!("{count} {what}, {most} are the most")));
            }
        }
        let sheet = self.sheet(disk);
        let (subject, images): (&dyn Subject, &dyn Images) = (&sheet, &sheet);
        let mut found = Findings::default();
        images
            .image_ids()
            .for_each(|id| check_png(images, id, &mut found));
        if found.total(Severity::Error) > 0 {
            return Err(self.invalid(found));
        }
        let mut parts = still(images, subject, &refuse)?;
        let bones = parts.bones.len();
        let size = pchr::write(&parts)
            .map_err(|error| refuse(error.to_string()))?
            .len() as u64;
        let frames_size = |count: u16| {
            let transforms = u64::from(count).saturating_mul(bones as u64);
            transforms.saturating_mul(TRANSFORM_SIZE as u64)
        };
        let books = subject.animation_ids();
        let books: Vec<_> = books.filter(|id| subject.all() != Some(*id)).collect();
        let of_book = |size: u64, id: &_| {
            let name = subject.animation_name(*id).len() as u64;
            let frames = frames_size(subject.frame_count(*id));
            size.saturating_add(ANIMATION_SIZE)
                .saturating_add(name)
                .saturating_add(frames)
        };
        let size = books.iter().fold(size, of_book);
        if size > MOST_BYTES {
            let size = words::number(size);
            return Err(refuse(format!(
                "its file would have {size} bytes, 4 GiB are the most: each of {bones} sprites has its state in each frame of a flip-book"
            )));
        }
        let mut order = Vec::new();
        for id in books {
            let frame_count = subject.frame_count(id);
            let mut transforms = Vec::with_capacity(usize::from(frame_count).saturating_mul(bones));
            for frame in 0..frame_count {
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
        pchr::build(&parts).map_err(|error| refuse(error.to_string()))
    }
}

/// Pages, and a bone and a mesh a sprite.
fn still(
    images: &dyn Images,
    geometry: &dyn Geometry,
    refuse: &dyn Fn(String) -> Failure,
) -> Result<DocumentParts, Failure> {
    let mut parts = DocumentParts {
        fps: FPS_WHEN_ZERO,
        ..DocumentParts::default()
    };
    for (index, image) in images.images().enumerate() {
        let name = image.name();
        let [width, height] = png_size(image.data()).unwrap_or_default();
        let side = |side: u32| {
            let message = || format!("page {index} {} is {width} x {height}", quoted(name));
            u16::try_from(side).map_err(|_| refuse(message() + ", 65,535 is the most"))
        };
        parts.images.push(ImageParts {
            name: name.to_owned(),
            width: side(width)?,
            height: side(height)?,
            format: ImageFormat::Png,
            data: image.data().to_vec(),
        });
    }
    for (bone, mesh) in (0..=u16::MAX).zip(geometry.meshes()) {
        let name = mesh.name().to_owned();
        let vertex = |vertex: Vertex| Vertex {
            bone_ids: [bone, 0, 0, 0],
            bone_weights: [1.0, 0.0, 0.0, 0.0],
            ..vertex
        };
        parts.bones.push(BoneParts {
            name: name.clone(),
            parent: None,
        });
        parts.meshes.push(MeshParts {
            name,
            image: mesh.image().0,
            vertices: mesh.vertices().map(vertex).collect(),
            indices: mesh.indices().collect(),
        });
    }
    Ok(parts)
}
