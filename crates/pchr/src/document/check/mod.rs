//! Checks a file's contents against the rules, after its structure is read.
//!
//! Each section is first swept without branches, at the speed of memory, to learn if anything in it is wrong. Only then is it
//! walked again to report each finding and its place. A valid file is never walked twice.

mod vertices;

use glam::Vec4;

use super::layout::{AnimationEntry, Directory, MeshEntry, NameEntry};
use super::{FPS_WHEN_ZERO, names};
use crate::document::{BoneTransform, ImageFormat, PchrRule, TRANSFORM_SIZE, VERTEX_SIZE};
use crate::finding::{Findings, counted, quoted, there_are};

/// Extent of a file that was read. The sections before the first structural error are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CheckedSection {
    Header,
    Images,
    Bones,
    Meshes,
    Animations,
    All,
}

/// Checks the complete sections of `bytes`, and adds the findings.
pub(crate) fn check(
    bytes: &[u8],
    directory: &Directory,
    whole: CheckedSection,
    findings: &mut Findings,
) {
    let check = Check { bytes, directory };
    if whole > CheckedSection::Header {
        check.header(findings);
    }
    if whole > CheckedSection::Images {
        check.images(findings);
    }
    if whole > CheckedSection::Bones {
        check.bones(findings);
    }
    if whole > CheckedSection::Meshes {
        check.meshes(findings);
    }
    if whole > CheckedSection::Animations {
        check.animations(findings);
    }
}

/// A file being checked, section by section.
struct Check<'a> {
    bytes: &'a [u8],
    directory: &'a Directory,
}

impl<'a> Check<'a> {
    fn slice(&self, at: u32, len: usize) -> &'a [u8] {
        let at = at as usize;
        self.bytes.get(at..at.saturating_add(len)).unwrap_or_default()
    }

    fn header(&self, findings: &mut Findings) {
        let Directory { fps, flags, .. } = *self.directory;
        if fps == 0 {
            findings.add(
                PchrRule::FpsZero,
                8,
                || "fps".into(),
                || format!("0 frames per second; played at {FPS_WHEN_ZERO}"),
            );
        }
        if flags != 0 {
            let message = || format!("{flags:#06x}, expected 0: version 1 reserves these flags");
            findings.add(PchrRule::HeaderFlags, 10, || "flags".into(), message);
        }
    }

    fn names(
        &self,
        section: &str,
        count: usize,
        name: impl Fn(usize) -> Option<NameEntry>,
        findings: &mut Findings,
    ) {
        let bytes = |i: usize| {
            let name = name(i).unwrap_or_default();
            self.slice(name.at, name.len.into())
        };
        if names::quickly_sound(count, bytes) {
            return;
        }
        for i in 0..count {
            if let Err(error) = std::str::from_utf8(bytes(i)) {
                let start = u64::from(name(i).unwrap_or_default().at);
                let at = start.saturating_add(error.valid_up_to() as u64);
                let byte = bytes(i).get(error.valid_up_to()).copied().unwrap_or_default();
                let message = || format!("byte {byte:#04x} is not UTF-8");
                findings.add(PchrRule::NameUtf8, at, || format!("{section}[{i}].name"), message);
            }
        }
        names::duplicates(count, bytes, |first, again| {
            let at = u64::from(name(again).unwrap_or_default().at).saturating_sub(2);
            let message = || {
                let text = String::from_utf8_lossy(bytes(again));
                let text = quoted(&text);
                format!("{text} is also the name of {section}[{first}]")
            };
            findings.add(
                PchrRule::NameDuplicate,
                at,
                || format!("{section}[{again}].name"),
                message,
            );
        });
    }

    fn section_end(&self, end: Option<u32>, otherwise: u64) -> u64 {
        end.map_or(otherwise, u64::from)
    }
}

fn name_end(name: NameEntry) -> u64 {
    u64::from(name.at).saturating_add(name.len.into())
}

impl Check<'_> {
    fn bones(&self, findings: &mut Findings) {
        let bones = &self.directory.bones;
        if bones.is_empty() {
            let at = self.section_end(
                self.directory.images.last().map(|i| i.data_at.saturating_add(i.data_len)),
                14,
            );
            findings.add(
                PchrRule::BonesNone,
                at,
                || "boneCount".into(),
                || "no bones; nothing moves".into(),
            );
        }
        self.names("bones", bones.len(), |i| bones.get(i).map(|bone| bone.name), findings);
        for (i, bone) in bones.iter().enumerate() {
            let parent = bone.parent;
            if parent < -1 || usize::try_from(parent).is_ok_and(|parent| parent >= i) {
                let at = name_end(bone.name);
                let message = || match usize::try_from(parent) {
                    Err(_) => format!(
                        "parent {parent}, expected -1 for a root or the index of an earlier bone"
                    ),
                    Ok(same) if same == i => {
                        format!("bone {i} is its own parent, expected an earlier bone or -1")
                    }
                    Ok(later) if later < bones.len() => {
                        format!(
                            "bone {i} has parent {later}, which comes after it; expected an earlier bone or -1"
                        )
                    }
                    Ok(absent) => {
                        let bones = counted(bones.len(), "bone", "bones");
                        format!("bone {i} has parent {absent}, but the skeleton has {bones}")
                    }
                };
                findings.add(
                    PchrRule::BoneParentOrder,
                    at,
                    || format!("bones[{i}].parent"),
                    message,
                );
            }
        }
    }
}

impl Check<'_> {
    fn images(&self, findings: &mut Findings) {
        let images = &self.directory.images;
        if images.is_empty() {
            findings.add(
                PchrRule::ImagesNone,
                12,
                || "imageCount".into(),
                || "no images; nothing can be drawn".into(),
            );
        }
        self.names("images", images.len(), |i| images.get(i).map(|image| image.name), findings);
        for (i, image) in images.iter().enumerate() {
            let fields_at = u64::from(image.data_at).saturating_sub(9);
            let format_at = fields_at.saturating_add(4);
            // A PNG has its own size, regardless of the declared one.
            let raw = image.format == ImageFormat::Rgba8888.number();
            if raw && (image.width == 0 || image.height == 0) {
                let message =
                    || format!("{} x {} pixels cannot become a texture", image.width, image.height);
                findings.add(
                    PchrRule::ImageEmpty,
                    fields_at,
                    || format!("images[{i}].width"),
                    message,
                );
            }
            if image.format > ImageFormat::Rgba8888.number() {
                let message =
                    || format!("format {}, expected 0 (png) or 1 (rgba8888)", image.format);
                findings.add(
                    PchrRule::ImageFormat,
                    format_at,
                    || format!("images[{i}].format"),
                    message,
                );
            } else if raw {
                let (width, height) = (u64::from(image.width), u64::from(image.height));
                let wanted = width.saturating_mul(height).saturating_mul(4);
                if wanted != u64::from(image.data_len) {
                    let message = || {
                        format!(
                            "{} bytes, expected {wanted} ({width} x {height} x 4)",
                            image.data_len
                        )
                    };
                    let at = format_at.saturating_add(1);
                    findings.add(
                        PchrRule::ImageLength,
                        at,
                        || format!("images[{i}].dataLength"),
                        message,
                    );
                }
            }
        }
    }
}

impl Check<'_> {
    fn meshes(&self, findings: &mut Findings) {
        let meshes = &self.directory.meshes;
        self.names("meshes", meshes.len(), |i| meshes.get(i).map(|mesh| mesh.name), findings);
        for (i, mesh) in meshes.iter().enumerate() {
            let fields_at = name_end(mesh.name);
            if usize::from(mesh.image) >= self.directory.images.len() {
                let message = || {
                    let (image, count) = (mesh.image, self.directory.images.len());
                    let there_are = there_are(count, "image", "images");
                    format!("image {image}, but {there_are}")
                };
                findings.add(
                    PchrRule::MeshImage,
                    fields_at,
                    || format!("meshes[{i}].image"),
                    message,
                );
            }
            if mesh.index_count % 3 != 0 {
                let message = || {
                    let indices = counted(mesh.index_count, "index", "indices");
                    format!("{indices}, not a multiple of 3")
                };
                let at = fields_at.saturating_add(4);
                findings.add(
                    PchrRule::MeshIndexCount,
                    at,
                    || format!("meshes[{i}].indexCount"),
                    message,
                );
            }
            let vertices_len = usize::from(mesh.vertex_count).saturating_mul(VERTEX_SIZE);
            let records: &[[u8; VERTEX_SIZE]] =
                self.slice(mesh.vertices_at, vertices_len).as_chunks().0;
            self.vertices(i, mesh, records, findings);
            let indices_at = u64::from(mesh.vertices_at).saturating_add(vertices_len as u64);
            let indices_len = (mesh.index_count as usize).saturating_mul(2);
            let indices =
                u32::try_from(indices_at).map(|at| self.slice(at, indices_len)).unwrap_or_default();
            let indices: &[[u8; 2]] = indices.as_chunks().0;
            if !sweep_indices(indices, mesh.vertex_count) {
                check_indices(i, mesh, indices, indices_at, findings);
            }
        }
    }
}

/// Returns true if all indices of a mesh are within `vertex_count`.
fn sweep_indices(indices: &[[u8; 2]], vertex_count: u16) -> bool {
    const LANES: usize = 32;
    let Some(last) = vertex_count.checked_sub(1) else {
        return indices.is_empty();
    };
    let mut excess = [0_u16; LANES];
    let (blocks, rest) = indices.as_chunks::<LANES>();
    for block in blocks {
        for (excess, index) in excess.iter_mut().zip(block) {
            *excess |= u16::from_le_bytes(*index).saturating_sub(last);
        }
    }
    for (excess, index) in excess.iter_mut().zip(rest) {
        *excess |= u16::from_le_bytes(*index).saturating_sub(last);
    }
    excess.iter().all(|excess| *excess == 0)
}

#[cold]
fn check_indices(
    i: usize,
    mesh: &MeshEntry,
    indices: &[[u8; 2]],
    start: u64,
    findings: &mut Findings,
) {
    for (n, bytes) in indices.iter().enumerate() {
        let index = u16::from_le_bytes(*bytes);
        if index >= mesh.vertex_count {
            let at = start.saturating_add(n.saturating_mul(2) as u64);
            let message = || {
                let vertices = counted(mesh.vertex_count, "vertex", "vertices");
                format!("vertex {index}, but the mesh has {vertices}")
            };
            findings.add(
                PchrRule::MeshIndexRange,
                at,
                || format!("meshes[{i}].indices[{n}]"),
                message,
            );
        }
    }
}

impl Check<'_> {
    fn animations(&self, findings: &mut Findings) {
        let animations = &self.directory.animations;
        if animations.is_empty() {
            let at = u64::from(self.directory.end).saturating_sub(2);
            let message = || "no animations; nothing plays".into();
            findings.add(PchrRule::AnimationsNone, at, || "animationCount".into(), message);
        }
        self.names("animations", animations.len(), |i| animations.get(i).map(|a| a.name), findings);
        for (i, animation) in animations.iter().enumerate() {
            let fields_at = name_end(animation.name);
            if animation.flags & !1 != 0 {
                let message = || {
                    format!(
                        "{:#04x} sets unknown bits; only bit 0 (looping) is known",
                        animation.flags
                    )
                };
                findings.add(
                    PchrRule::AnimationFlags,
                    fields_at,
                    || format!("animations[{i}].flags"),
                    message,
                );
            }
            if animation.frame_count == 0 {
                let message = || "no frames; it cannot be played".into();
                let at = fields_at.saturating_add(1);
                findings.add(
                    PchrRule::AnimationEmpty,
                    at,
                    || format!("animations[{i}].frameCount"),
                    message,
                );
            }
            let count =
                usize::from(animation.frame_count).saturating_mul(self.directory.bones.len());
            let records: &[[u8; TRANSFORM_SIZE]] =
                self.slice(animation.frames_at, count.saturating_mul(TRANSFORM_SIZE)).as_chunks().0;
            if !sweep_transforms(records) {
                self.transforms(i, animation, records, findings);
            }
        }
        let (end, len) = (u64::from(self.directory.end), self.bytes.len() as u64);
        if end < len {
            let message = || {
                let bytes = counted(len.saturating_sub(end), "byte follows", "bytes follow");
                format!("{bytes} the last animation")
            };
            findings.add(PchrRule::TrailingBytes, end, || "end of file".into(), message);
        }
    }

    /// Walks the transforms of an animation a second time, on the cold path.
    #[cold]
    fn transforms(
        &self,
        i: usize,
        animation: &AnimationEntry,
        records: &[[u8; TRANSFORM_SIZE]],
        findings: &mut Findings,
    ) {
        let bone_count = self.directory.bones.len();
        for (r, record) in records.iter().enumerate() {
            let start = u64::from(animation.frames_at)
                .saturating_add(r.saturating_mul(TRANSFORM_SIZE) as u64);
            let at = |field: u64| start.saturating_add(field);
            let path = |field: &str| {
                let (frame, bone) = (r.checked_div(bone_count), r.checked_rem(bone_count));
                format!(
                    "animations[{i}].frames[{}][{}].{field}",
                    frame.unwrap_or(0),
                    bone.unwrap_or(0)
                )
            };
            let t = BoneTransform::from_record(record);
            let fields = [
                (t.x, "x", 0),
                (t.y, "y", 4),
                (t.rotation, "rotation", 8),
                (t.scale_x, "scaleX", 12),
                (t.scale_y, "scaleY", 16),
            ];
            for (value, name, field) in fields {
                if !value.is_finite() {
                    let neutral = if field < 12 { 0 } else { 1 };
                    let message = || format!("{value} is not finite; read as {neutral}");
                    findings.add(PchrRule::TransformNotFinite, at(field), || path(name), message);
                }
            }
            if t.flags & !1 != 0 {
                let message =
                    || format!("{:#04x} sets unknown bits; only bit 0 (visible) is known", t.flags);
                findings.add(PchrRule::TransformFlags, at(20), || path("flags"), message);
            }
        }
    }
}

/// Returns true if no transform can have a finding. Sums are finite if all terms are. They may also overflow, so false proves
/// nothing.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "sums of floats overflow to infinity, which is looked for"
)]
fn sweep_transforms(records: &[[u8; TRANSFORM_SIZE]]) -> bool {
    let (mut sum_x, mut sum) = (Vec4::ZERO, Vec4::ZERO);
    let mut flags = 0;
    let mut take = |records: &[[u8; TRANSFORM_SIZE]; 4]| {
        let [a, b, c, d] = records;
        let four = |r| Vec4::new(float(r, 4), float(r, 8), float(r, 12), float(r, 16));
        sum += (four(a) + four(b)) + (four(c) + four(d));
        sum_x += Vec4::new(float(a, 0), float(b, 0), float(c, 0), float(d, 0));
        let flag = |r: &[u8; TRANSFORM_SIZE]| r.get(20).copied().unwrap_or_default();
        // Masked here, so that the four are joined before they join the others: a shorter chain.
        flags |= (flag(a) | flag(b) | flag(c) | flag(d)) & !1;
    };
    let (blocks, rest) = records.as_chunks();
    for block in blocks {
        take(block);
    }
    for record in rest {
        take(&[*record; 4]);
    }
    sum_x.is_finite() && sum.is_finite() && flags == 0
}

/// Returns the number at a byte of a record.
#[inline(always)]
fn float(record: &[u8], at: usize) -> f32 {
    let bytes = record.get(at..).and_then(<[u8]>::first_chunk);
    bytes.copied().map_or(0.0, f32::from_le_bytes)
}
