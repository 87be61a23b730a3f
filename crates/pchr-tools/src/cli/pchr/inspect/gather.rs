//! Builds the report about a document.

use pchr::character::Character;
use pchr::document::{BoneId, Document, FileSection, Image, ImageFormat, ImageId, MeshId};
use pchr::format::pchr::VERSION;
use pchr::pose::{default_animation, playback_fps};

use super::extent::Extent;
use super::pixels::Decoded;
use super::report::{
    AnimationReport, BoneReport, HeaderReport, ImageReport, MeshReport, Report, SectionReport,
    Totals,
};
use super::skin::{ByInfluences, Skin};
use crate::cli::bind_report::BindReport;
use crate::cli::pchr::findings::Fold;

/// A document and its analysis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gather<'a> {
    /// The name that the report gives the file.
    pub(super) file: &'a str,
    /// The document with its bind pose.
    pub(super) character: &'a Character,
    /// Warnings about it, including its bind pose and images.
    pub(super) folds: &'a [Fold],
    /// Its bounds.
    pub(super) extent: &'a Extent,
    /// Its images' pixels, by image index; empty if nobody asked.
    pub(super) decoded: &'a [Decoded],
}

impl<'a> Gather<'a> {
    fn document(&self) -> &'a Document {
        self.character.document()
    }

    pub(super) fn run(&self) -> Report<'a> {
        let document = self.document();
        let owners = self.character.owners();
        let skin = Skin::new(document);
        let images = self.images();
        let animations = self.animations(self.extent);
        let meshes = self.meshes(owners, &skin);
        let bones = self.bones(owners, &skin);
        Report {
            program_version: crate::version(),
            file: self.file,
            format: document.source().id(),
            size: document.bytes().len() as u64,
            header: HeaderReport {
                version: VERSION,
                fps: document.fps(),
                playback_fps: playback_fps(document),
                flags: document.flags(),
            },
            sections: self.sections(),
            totals: totals(&images, &bones, &meshes, &animations),
            bind_pose: BindReport::new(self.character.bind(), self.character),
            default_animation: default_animation(document, self.character.bind()).map(|id| id.0),
            bounds: self.extent.character.map(Into::into),
            findings: self.folds.iter().map(Into::into).collect(),
            images,
            animations,
            meshes,
            bones,
        }
    }

    fn sections(&self) -> Vec<SectionReport> {
        let document = self.document();
        let sections = FileSection::ALL.map(|section| SectionReport {
            name: section.name(),
            count: match section {
                FileSection::Header | FileSection::Trailing => None,
                FileSection::Images => Some(document.images().len()),
                FileSection::Bones => Some(document.bones().len()),
                FileSection::Meshes => Some(document.meshes().len()),
                FileSection::Animations => Some(document.animations().len()),
            },
            bytes: document.section_range(section).into(),
        });
        sections.to_vec()
    }

    fn images(&self) -> Vec<ImageReport<'a>> {
        let mut used = vec![0; self.document().images().len()];
        for mesh in self.document().meshes() {
            if let Some(used) = used.get_mut(mesh.image().index()) {
                *used += 1;
            }
        }
        let images = (0..=u16::MAX).zip(self.document().images()).zip(used);
        let report = |((index, image), meshes): ((u16, Image<'a>), usize)| {
            let decoded = self.decoded.get(usize::from(index));
            let ranges = self
                .document()
                .image_ranges(ImageId(index))
                .unwrap_or_default();
            ImageReport {
                index,
                name: image.name(),
                width: image.width(),
                height: image.height(),
                format: match image.format() {
                    ImageFormat::Png => "png",
                    ImageFormat::Rgba8888 => "rgba8888",
                },
                meshes,
                texture_bytes: u64::from(image.width()) * u64::from(image.height()) * 4,
                bytes: ranges.all.into(),
                data: ranges.data.into(),
                pixels: decoded.and_then(|decoded| decoded.as_ref().ok().copied()),
                decode_error: decoded.and_then(|decoded| decoded.as_ref().err().cloned()),
            }
        };
        images.map(report).collect()
    }

    fn animations(&self, extent: &Extent) -> Vec<AnimationReport<'a>> {
        let fps = playback_fps(self.document());
        let animations = (0..=u16::MAX)
            .zip(self.document().animations())
            .zip(&extent.animations);
        animations
            .map(|((index, animation), bounds)| AnimationReport {
                index,
                name: animation.name(),
                looping: animation.looping(),
                flags: animation.flags(),
                frame_count: animation.frame_count(),
                seconds: f64::from(animation.frame_count()) / fps,
                bounds: bounds.map(Into::into),
                bytes: animation.range().into(),
                frames: animation.frames_range().into(),
            })
            .collect()
    }

    fn meshes(&self, owners: &[Option<BoneId>], skin: &Skin) -> Vec<MeshReport<'a>> {
        let of_mesh = owners.iter().zip(&skin.meshes);
        let meshes = (0..=u16::MAX).zip(self.document().meshes()).zip(of_mesh);
        meshes
            .filter_map(|((index, mesh), (owner, skin))| {
                let ranges = self.document().mesh_ranges(MeshId(index))?;
                Some(MeshReport {
                    index,
                    name: mesh.name(),
                    image: mesh.image().0,
                    owner: owner.map(|owner| owner.0),
                    vertices: mesh.vertex_count(),
                    triangles: mesh.index_count() / 3,
                    bones: skin.bones,
                    vertices_by_influences: skin.by_influences,
                    bytes: ranges.all.into(),
                    vertex_bytes: ranges.vertices.into(),
                    index_bytes: ranges.indices.into(),
                })
            })
            .collect()
    }

    fn bones(&self, owners: &[Option<BoneId>], skin: &Skin) -> Vec<BoneReport<'a>> {
        let mut owned = vec![0; self.document().bones().len()];
        for owner in owners.iter().flatten() {
            if let Some(owned) = owned.get_mut(owner.index()) {
                *owned += 1;
            }
        }
        let mut bones: Vec<BoneReport<'a>> = Vec::with_capacity(owned.len());
        let of_bone = owned.iter().zip(&skin.moved);
        for ((index, bone), (owned, moved)) in
            (0..=u16::MAX).zip(self.document().bones()).zip(of_bone)
        {
            // A parent comes before its children: the check made sure of it.
            let above = bone.parent().and_then(|parent| bones.get(parent.index()));
            bones.push(BoneReport {
                index,
                name: bone.name(),
                parent: bone.parent().map(|parent| parent.0),
                depth: above.map_or(0, |above| above.depth.saturating_add(1)),
                owned_meshes: *owned,
                vertices: *moved,
                bytes: self
                    .document()
                    .bone_range(BoneId(index))
                    .unwrap_or_default()
                    .into(),
            });
        }
        bones
    }
}

fn totals(
    images: &[ImageReport<'_>],
    bones: &[BoneReport<'_>],
    meshes: &[MeshReport<'_>],
    animations: &[AnimationReport<'_>],
) -> Totals {
    let mut by_influences = ByInfluences::default();
    for mesh in meshes {
        for (sum, count) in by_influences.iter_mut().zip(mesh.vertices_by_influences) {
            *sum += count;
        }
    }
    let deepest = bones.iter().map(|bone| bone.depth).max();
    let geometry = |mesh: &MeshReport<'_>| mesh.vertex_bytes.length + mesh.index_bytes.length;
    Totals {
        images: images.len(),
        texture_bytes: images.iter().map(|image| image.texture_bytes).sum(),
        bones: bones.len(),
        root_bones: bones.iter().filter(|bone| bone.depth == 0).count(),
        bone_levels: deepest.map_or(0, |depth| depth.saturating_add(1)),
        meshes: meshes.len(),
        vertices: meshes.iter().map(|mesh| mesh.vertices as u64).sum(),
        triangles: meshes.iter().map(|mesh| mesh.triangles as u64).sum(),
        vertices_by_influences: by_influences,
        geometry_bytes: meshes.iter().map(geometry).sum(),
        animations: animations.len(),
        frames: animations.iter().map(|a| u64::from(a.frame_count)).sum(),
        seconds: animations.iter().fold(0.0, |sum, a| sum + a.seconds), // an empty sum() is -0
    }
}
