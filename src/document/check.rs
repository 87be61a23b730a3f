//! Holds a file's meaning against the rules: everything that can be wrong once the structure is read.
//!
//! Each section is first swept without branches, at the speed of memory, to learn whether anything in it is wrong;
//! only then is it walked again to say what and where. A sound file is never walked twice.

use super::directory::{AnimationEntry, Directory, MeshEntry, NameEntry};
use super::{
    BoneTransform, Findings, ImageFormat, Rule, TRANSFORM_SIZE, VERTEX_SIZE, Vertex, names,
};

/// How far a vertex's weights may sum from 1 without a warning.
const WEIGHT_SUM_TOLERANCE: f32 = 0.001;

/// How much of a file was read: the sections before the first structural error are whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Header,
    Images,
    Bones,
    Meshes,
    Animations,
    All,
}

/// Checks the sections of `bytes` that are whole, and adds what is found.
pub(crate) fn check(bytes: &[u8], directory: &Directory, whole: Section, findings: &mut Findings) {
    let check = Check { bytes, directory };
    if whole > Section::Header {
        check.header(findings);
    }
    if whole > Section::Images {
        check.images(findings);
    }
    if whole > Section::Bones {
        check.bones(findings);
    }
    if whole > Section::Meshes {
        check.meshes(findings);
    }
    if whole > Section::Animations {
        check.animations(findings);
    }
}

struct Check<'a> {
    bytes: &'a [u8],
    directory: &'a Directory,
}

impl<'a> Check<'a> {
    fn slice(&self, at: u32, len: usize) -> &'a [u8] {
        let at = at as usize;
        self.bytes
            .get(at..at.saturating_add(len))
            .unwrap_or_default()
    }

    fn header(&self, findings: &mut Findings) {
        let Directory { fps, flags, .. } = *self.directory;
        if fps == 0 {
            findings.add(
                Rule::FpsZero,
                8,
                || "fps".into(),
                || "0 frames a second; it plays at 24".into(),
            );
        }
        if flags != 0 {
            let message = || format!("{flags:#06x}, reserved flags are 0 in version 1");
            findings.add(Rule::HeaderFlags, 10, || "flags".into(), message);
        }
    }

    fn images(&self, findings: &mut Findings) {
        let images = &self.directory.images;
        if images.is_empty() {
            findings.add(
                Rule::ImagesNone,
                12,
                || "imageCount".into(),
                || "no images, nothing can be drawn".into(),
            );
        }
        self.names(
            "images",
            images.len(),
            |i| images.get(i).map(|image| image.name),
            findings,
        );
        for (i, image) in images.iter().enumerate() {
            let fields_at = u64::from(image.data_at).saturating_sub(9);
            let format_at = fields_at.saturating_add(4);
            if image.width == 0 || image.height == 0 {
                let message = || {
                    format!(
                        "{} x {} pixels cannot become a texture",
                        image.width, image.height
                    )
                };
                findings.add(
                    Rule::ImageEmpty,
                    fields_at,
                    || format!("images[{i}].width"),
                    message,
                );
            }
            if image.format > ImageFormat::Rgba8888.number() {
                let message =
                    || format!("format {}, expected 0 (png) or 1 (rgba8888)", image.format);
                findings.add(
                    Rule::ImageFormat,
                    format_at,
                    || format!("images[{i}].format"),
                    message,
                );
            } else if image.format == ImageFormat::Rgba8888.number() {
                let (width, height) = (u64::from(image.width), u64::from(image.height));
                let wanted = width.saturating_mul(height).saturating_mul(4);
                if wanted != u64::from(image.data_len) {
                    let message = || {
                        format!(
                            "{} bytes, {width} x {height} x 4 are {wanted}",
                            image.data_len
                        )
                    };
                    let at = format_at.saturating_add(1);
                    findings.add(
                        Rule::ImageLength,
                        at,
                        || format!("images[{i}].dataLength"),
                        message,
                    );
                }
            }
        }
    }

    fn bones(&self, findings: &mut Findings) {
        let bones = &self.directory.bones;
        if bones.is_empty() {
            let at = self.section_end(
                self.directory
                    .images
                    .last()
                    .map(|i| i.data_at.saturating_add(i.data_len)),
                14,
            );
            findings.add(
                Rule::BonesNone,
                at,
                || "boneCount".into(),
                || "no bones, nothing moves".into(),
            );
        }
        self.names(
            "bones",
            bones.len(),
            |i| bones.get(i).map(|bone| bone.name),
            findings,
        );
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
                            "bone {i} names parent {later}, which comes after it; expected an earlier bone or -1"
                        )
                    }
                    Ok(absent) => {
                        format!(
                            "bone {i} names parent {absent}, but the skeleton has {} bones",
                            bones.len()
                        )
                    }
                };
                findings.add(
                    Rule::BoneParentOrder,
                    at,
                    || format!("bones[{i}].parent"),
                    message,
                );
            }
        }
    }

    fn meshes(&self, findings: &mut Findings) {
        let meshes = &self.directory.meshes;
        self.names(
            "meshes",
            meshes.len(),
            |i| meshes.get(i).map(|mesh| mesh.name),
            findings,
        );
        for (i, mesh) in meshes.iter().enumerate() {
            let fields_at = name_end(mesh.name);
            if usize::from(mesh.image) >= self.directory.images.len() {
                let message = || {
                    let count = self.directory.images.len();
                    format!(
                        "image {}, but there {} {count} images",
                        mesh.image,
                        if count == 1 { "is" } else { "are" }
                    )
                };
                findings.add(
                    Rule::MeshImage,
                    fields_at,
                    || format!("meshes[{i}].image"),
                    message,
                );
            }
            if mesh.index_count % 3 != 0 {
                let message = || format!("{} indices, not a multiple of 3", mesh.index_count);
                let at = fields_at.saturating_add(4);
                findings.add(
                    Rule::MeshIndexCount,
                    at,
                    || format!("meshes[{i}].indexCount"),
                    message,
                );
            }
            let vertices_len = usize::from(mesh.vertex_count).saturating_mul(VERTEX_SIZE);
            let records: &[[u8; VERTEX_SIZE]] =
                self.slice(mesh.vertices_at, vertices_len).as_chunks().0;
            if !sweep_vertices(records, self.directory.bones.len()) {
                self.vertices(i, mesh, records, findings);
            }
            let indices_at = u64::from(mesh.vertices_at).saturating_add(vertices_len as u64);
            let indices_len = (mesh.index_count as usize).saturating_mul(2);
            let indices = u32::try_from(indices_at)
                .map(|at| self.slice(at, indices_len))
                .unwrap_or_default();
            let indices: &[[u8; 2]] = indices.as_chunks().0;
            let max = indices
                .iter()
                .fold(0, |max, index| u16::from_le_bytes(*index).max(max));
            if max >= mesh.vertex_count && !indices.is_empty() {
                check_indices(i, mesh, indices, indices_at, findings);
            }
        }
    }

    /// The second, cold walk over the vertices of a mesh.
    #[cold]
    fn vertices(
        &self,
        i: usize,
        mesh: &MeshEntry,
        records: &[[u8; VERTEX_SIZE]],
        findings: &mut Findings,
    ) {
        let bone_count = self.directory.bones.len();
        for (v, record) in records.iter().enumerate() {
            let start =
                u64::from(mesh.vertices_at).saturating_add(v.saturating_mul(VERTEX_SIZE) as u64);
            let at = |field: u64| start.saturating_add(field);
            let path = |field: &str| format!("meshes[{i}].vertices[{v}].{field}");
            let vertex = Vertex::from_record(record);
            let [x, y] = vertex.position;
            let [u, w] = vertex.uv;
            for (value, name, field) in [(x, "x", 0), (y, "y", 4), (u, "u", 8), (w, "v", 12)] {
                if !value.is_finite() {
                    findings.add(
                        Rule::VertexNotFinite,
                        at(field),
                        || path(name),
                        || format!("{value} is not finite"),
                    );
                }
            }
            for (value, name, field) in [(u, "u", 8), (w, "v", 12)] {
                if value.is_finite() && !(0.0..=1.0).contains(&value) {
                    let message =
                        || format!("{value} lies outside 0..1; the edge of the image is drawn");
                    findings.add(Rule::UvRange, at(field), || path(name), message);
                }
            }
            let mut sum = 0.0;
            let mut sound = true;
            for (slot, field) in (0_usize..4).zip([0_u64, 1, 2, 3]) {
                let weight = vertex.bone_weights.get(slot).copied().unwrap_or_default();
                let bone = vertex.bone_ids.get(slot).copied().unwrap_or_default();
                let weight_at = at(field.saturating_mul(4).saturating_add(24));
                if !weight.is_finite() {
                    sound = false;
                    let message = || format!("{weight} is not finite");
                    findings.add(
                        Rule::VertexNotFinite,
                        weight_at,
                        || path(&format!("boneWeights[{slot}]")),
                        message,
                    );
                } else if weight < 0.0 {
                    sound = false;
                    let message = || format!("{weight} is negative and contributes nothing");
                    findings.add(
                        Rule::WeightNegative,
                        weight_at,
                        || path(&format!("boneWeights[{slot}]")),
                        message,
                    );
                } else if weight > 0.0 {
                    sum += weight;
                    if usize::from(bone) >= bone_count {
                        let id_at = at(field.saturating_mul(2).saturating_add(16));
                        let message = || {
                            format!(
                                "bone {bone} with weight {weight}, but there are {bone_count} bones"
                            )
                        };
                        findings.add(
                            Rule::VertexBoneRange,
                            id_at,
                            || path(&format!("boneIds[{slot}]")),
                            message,
                        );
                    }
                }
            }
            if sound && sum == 0.0 {
                let message = || "all four weights are 0; the vertex lies at the origin".into();
                findings.add(Rule::WeightNone, at(24), || path("boneWeights"), message);
            } else if sound && (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
                let message = || format!("weights sum to {sum}, not 1; they are not renormalised");
                findings.add(Rule::WeightSum, at(24), || path("boneWeights"), message);
            }
        }
    }

    fn animations(&self, findings: &mut Findings) {
        let animations = &self.directory.animations;
        self.names(
            "animations",
            animations.len(),
            |i| animations.get(i).map(|a| a.name),
            findings,
        );
        for (i, animation) in animations.iter().enumerate() {
            let fields_at = name_end(animation.name);
            if animation.flags & !1 != 0 {
                let message = || {
                    format!(
                        "{:#04x} sets unknown bits, only bit 0 (looping) is known",
                        animation.flags
                    )
                };
                findings.add(
                    Rule::AnimationFlags,
                    fields_at,
                    || format!("animations[{i}].flags"),
                    message,
                );
            }
            if animation.frame_count == 0 {
                let message = || "no frames, it cannot be played".into();
                let at = fields_at.saturating_add(1);
                findings.add(
                    Rule::AnimationEmpty,
                    at,
                    || format!("animations[{i}].frameCount"),
                    message,
                );
            }
            let count =
                usize::from(animation.frame_count).saturating_mul(self.directory.bones.len());
            let records: &[[u8; TRANSFORM_SIZE]] = self
                .slice(animation.frames_at, count.saturating_mul(TRANSFORM_SIZE))
                .as_chunks()
                .0;
            if !sweep_transforms(records) {
                self.transforms(i, animation, records, findings);
            }
        }
        let (end, len) = (u64::from(self.directory.end), self.bytes.len() as u64);
        if end < len {
            let message = || {
                format!(
                    "{} bytes follow the last animation",
                    len.saturating_sub(end)
                )
            };
            findings.add(Rule::TrailingBytes, end, || "end of file".into(), message);
        }
    }

    /// The second, cold walk over the transforms of an animation.
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
                    let message = || format!("{value} is not finite and is read as {neutral}");
                    findings.add(Rule::TransformNotFinite, at(field), || path(name), message);
                }
            }
            if t.flags & !1 != 0 {
                let message = || {
                    format!(
                        "{:#04x} sets unknown bits, only bit 0 (visible) is known",
                        t.flags
                    )
                };
                findings.add(Rule::TransformFlags, at(20), || path("flags"), message);
            }
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
        for i in 0..count {
            if let Err(error) = std::str::from_utf8(bytes(i)) {
                let start = u64::from(name(i).unwrap_or_default().at);
                let at = start.saturating_add(error.valid_up_to() as u64);
                let byte = bytes(i)
                    .get(error.valid_up_to())
                    .copied()
                    .unwrap_or_default();
                let message = || format!("byte {byte:#04x} is not UTF-8");
                findings.add(
                    Rule::NameUtf8,
                    at,
                    || format!("{section}[{i}].name"),
                    message,
                );
            }
        }
        names::duplicates(count, bytes, |first, again| {
            let at = u64::from(name(again).unwrap_or_default().at).saturating_sub(2);
            let text = String::from_utf8_lossy(bytes(again)).into_owned();
            let message = || format!("{text:?} is also the name of {section}[{first}]");
            findings.add(
                Rule::NameDuplicate,
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
                format!(
                    "vertex {index}, but the mesh has {} vertices",
                    mesh.vertex_count
                )
            };
            findings.add(
                Rule::MeshIndexRange,
                at,
                || format!("meshes[{i}].indices[{n}]"),
                message,
            );
        }
    }
}

/// Whether nothing about the vertices needs saying. Bone ids of padded slots count here, so that a "no" is no proof.
fn sweep_vertices(records: &[[u8; VERTEX_SIZE]], bone_count: usize) -> bool {
    let mut not_finite = [0_u32; 4];
    let mut weight_bits = [0_u32; 4];
    let mut odd = false;
    let mut max_id = [0_u16; 4];
    for record in records {
        let Vertex {
            position: [x, y],
            uv: [u, v],
            bone_ids,
            bone_weights: w,
        } = Vertex::from_record(record);
        for (bits, value) in not_finite.iter_mut().zip([x, y, u, v]) {
            *bits |= (value * 0.0).to_bits();
        }
        // The sign bit of a negative weight stays in the sum of bits, as do the bits of a NaN.
        for (bits, value) in weight_bits.iter_mut().zip(w) {
            *bits |= (value * 0.0).to_bits();
        }
        for (max, id) in max_id.iter_mut().zip(bone_ids) {
            *max = id.max(*max);
        }
        let [w0, w1, w2, w3] = w;
        let sum = (w0 + w1) + (w2 + w3);
        odd |= ((sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE)
            | !(0.0..=1.0).contains(&u)
            | !(0.0..=1.0).contains(&v);
    }
    let finite = not_finite.iter().all(|bits| bits & 0x7fff_ffff == 0);
    let weights_sound = weight_bits.iter().all(|bits| *bits == 0);
    let ids_sound = max_id.iter().all(|id| usize::from(*id) < bone_count) || records.is_empty();
    finite && weights_sound && ids_sound && !odd
}

/// Whether nothing about the transforms needs saying.
fn sweep_transforms(records: &[[u8; TRANSFORM_SIZE]]) -> bool {
    let mut not_finite = [0_u32; 4];
    let mut not_finite_y = 0_u32;
    let mut flags = 0_u8;
    for record in records {
        let t = BoneTransform::from_record(record);
        for (bits, value) in not_finite.iter_mut().zip([t.x, t.y, t.rotation, t.scale_x]) {
            *bits |= (value * 0.0).to_bits();
        }
        not_finite_y |= (t.scale_y * 0.0).to_bits();
        flags |= t.flags;
    }
    let finite = not_finite
        .iter()
        .chain([&not_finite_y])
        .all(|bits| bits & 0x7fff_ffff == 0);
    finite && flags & !1 == 0
}
