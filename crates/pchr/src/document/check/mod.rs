//! Checks a file's contents against the rules, after its structure is read.
//!
//! Each section is first swept without branches, at the speed of memory, to learn if anything in it is wrong. Only then is it
//! walked again to report each finding and its place. A valid file is never walked twice.

mod vertices;

use glam::Vec4;

use super::layout::{
    AnimationEntry, Directory, FileSection, ImageEntry, MeshEntry, NameEntry, slice,
};
use super::{FPS_WHEN_ZERO, names};
use crate::document::{BoneTransform, ImageFormat, PchrRule, TRANSFORM_SIZE};
use crate::finding::{Findings, counted, quoted, there_are};

/// Checks the complete sections of `bytes`, which are those before `end`, and adds the findings.
pub(crate) fn check<'a>(
    bytes: &'a [u8],
    directory: &'a Directory,
    end: FileSection,
    findings: &mut Findings,
) {
    let checks: [fn(&Check<'a>, &mut Findings); 5] =
        [Check::header, Check::images, Check::bones, Check::meshes, Check::animations];
    let sections = FileSection::ALL.into_iter().zip(checks);
    for (_, check) in sections.filter(|(section, _)| end > *section) {
        check(&Check { bytes, directory }, findings);
    }
}

/// A file being checked, section by section.
struct Check<'a> {
    bytes: &'a [u8],
    directory: &'a Directory,
}

impl Check<'_> {
    fn header(&self, findings: &mut Findings) {
        let Directory { fps, flags, .. } = *self.directory;
        if fps == 0 {
            let message = || format!("0 frames per second; played at {FPS_WHEN_ZERO}");
            findings.add(PchrRule::FpsZero, 8, "fps", message);
        }
        if flags != 0 {
            let message = || format!("{flags:#06x}, expected 0: version 1 reserves these flags");
            findings.add(PchrRule::HeaderFlags, 10, "flags", message);
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
            slice(self.bytes, name.at.into(), name.len.into())
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
            let path = || format!("{section}[{again}].name");
            findings.add(PchrRule::NameDuplicate, at, path, message);
        });
    }

    fn bones(&self, findings: &mut Findings) {
        let bones = &self.directory.bones;
        if bones.is_empty() {
            let at = self.directory.images.last().map_or(14, ImageEntry::end);
            findings.add(PchrRule::BonesNone, at, "boneCount", "no bones; nothing moves");
        }
        self.names("bones", bones.len(), |i| bones.get(i).map(|bone| bone.name), findings);
        for (i, bone) in bones.iter().enumerate() {
            let parent = bone.parent;
            if parent < -1 || usize::try_from(parent).is_ok_and(|parent| parent >= i) {
                let at = bone.name.end();
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
                let path = || format!("bones[{i}].parent");
                findings.add(PchrRule::BoneParentOrder, at, path, message);
            }
        }
    }

    fn images(&self, findings: &mut Findings) {
        let images = &self.directory.images;
        if images.is_empty() {
            let message = "no images; nothing can be drawn";
            findings.add(PchrRule::ImagesNone, 12, "imageCount", message);
        }
        self.names("images", images.len(), |i| images.get(i).map(|image| image.name), findings);
        for (i, image) in images.iter().enumerate() {
            let ImageEntry { width, height, format, data_at, data_len, .. } = *image;
            let path = |field: &str| format!("images[{i}].{field}");
            let fields_at = u64::from(data_at).saturating_sub(9);
            let format_at = fields_at.saturating_add(4);
            // A PNG has its own size, regardless of the declared one.
            let raw = format == ImageFormat::Rgba8888.number();
            if raw && (width == 0 || height == 0) {
                let message = || format!("{width} x {height} pixels cannot become a texture");
                findings.add(PchrRule::ImageEmpty, fields_at, || path("width"), message);
            }
            let wanted = u64::from(width).saturating_mul(height.into()).saturating_mul(4);
            if format > ImageFormat::Rgba8888.number() {
                let message = || format!("format {format}, expected 0 (png) or 1 (rgba8888)");
                findings.add(PchrRule::ImageFormat, format_at, || path("format"), message);
            } else if raw && wanted != u64::from(data_len) {
                let message =
                    || format!("{data_len} bytes, expected {wanted} ({width} x {height} x 4)");
                let at = format_at.saturating_add(1);
                findings.add(PchrRule::ImageLength, at, || path("dataLength"), message);
            }
        }
    }

    fn meshes(&self, findings: &mut Findings) {
        let meshes = &self.directory.meshes;
        self.names("meshes", meshes.len(), |i| meshes.get(i).map(|mesh| mesh.name), findings);
        for (i, mesh) in meshes.iter().enumerate() {
            let fields_at = mesh.name.end();
            let path = |field: &str| format!("meshes[{i}].{field}");
            if usize::from(mesh.image) >= self.directory.images.len() {
                let message = || {
                    let (image, count) = (mesh.image, self.directory.images.len());
                    let there_are = there_are(count, "image", "images");
                    format!("image {image}, but {there_are}")
                };
                findings.add(PchrRule::MeshImage, fields_at, || path("image"), message);
            }
            if mesh.index_count % 3 != 0 {
                let message = || {
                    let indices = counted(mesh.index_count, "index", "indices");
                    format!("{indices}, not a multiple of 3")
                };
                let at = fields_at.saturating_add(4);
                findings.add(PchrRule::MeshIndexCount, at, || path("indexCount"), message);
            }
            let vertices = mesh.vertices(self.bytes);
            if !vertices::sweep(vertices, self.directory.bones.len()) {
                self.vertices(i, mesh, vertices, findings);
            }
            let indices = mesh.indices(self.bytes);
            if !sweep_indices(indices, mesh.vertex_count) {
                check_indices(i, mesh, indices, findings);
            }
        }
    }

    fn animations(&self, findings: &mut Findings) {
        let animations = &self.directory.animations;
        if animations.is_empty() {
            let at = u64::from(self.directory.end).saturating_sub(2);
            let message = "no animations; nothing plays";
            findings.add(PchrRule::AnimationsNone, at, "animationCount", message);
        }
        self.names("animations", animations.len(), |i| animations.get(i).map(|a| a.name), findings);
        for (i, animation) in animations.iter().enumerate() {
            let (fields_at, flags) = (animation.name.end(), animation.flags);
            let path = |field: &str| format!("animations[{i}].{field}");
            if flags & !1 != 0 {
                let message =
                    || format!("{flags:#04x} sets unknown bits; only bit 0 (looping) is known");
                findings.add(PchrRule::AnimationFlags, fields_at, || path("flags"), message);
            }
            if animation.frame_count == 0 {
                let message = "no frames; it cannot be played";
                let at = fields_at.saturating_add(1);
                findings.add(PchrRule::AnimationEmpty, at, || path("frameCount"), message);
            }
            let records = animation.records(self.bytes, self.directory.bones.len());
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
            findings.add(PchrRule::TrailingBytes, end, "end of file", message);
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
                let [frame, bone] = [r.checked_div(bone_count), r.checked_rem(bone_count)];
                let [frame, bone] = [frame, bone].map(Option::unwrap_or_default);
                format!("animations[{i}].frames[{frame}][{bone}].{field}")
            };
            let t = BoneTransform::from_record(record);
            let names = ["x", "y", "rotation", "scaleX", "scaleY"];
            let fields = (0..).step_by(4).zip(names);
            for (value, (field, name)) in t.numbers().into_iter().zip(fields) {
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

/// Returns true if all indices of a mesh are within `vertex_count`.
fn sweep_indices(indices: &[[u8; 2]], vertex_count: u16) -> bool {
    const LANES: usize = 32;
    let Some(last) = vertex_count.checked_sub(1) else { return indices.is_empty() };
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
fn check_indices(i: usize, mesh: &MeshEntry, indices: &[[u8; 2]], findings: &mut Findings) {
    for (n, bytes) in indices.iter().enumerate() {
        let index = u16::from_le_bytes(*bytes);
        if index >= mesh.vertex_count {
            let at = mesh.vertices_end().saturating_add(n.saturating_mul(2) as u64);
            let message = || {
                let vertices = counted(mesh.vertex_count, "vertex", "vertices");
                format!("vertex {index}, but the mesh has {vertices}")
            };
            let path = || format!("meshes[{i}].indices[{n}]");
            findings.add(PchrRule::MeshIndexRange, at, path, message);
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

#[inline(always)]
fn float(record: &[u8], at: usize) -> f32 {
    let bytes = record.get(at..).and_then(<[u8]>::first_chunk);
    bytes.copied().map_or(0.0, f32::from_le_bytes)
}
