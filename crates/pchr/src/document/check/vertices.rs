//! Checks vertices: numbers, bones and weights.

use glam::{Mat4, Vec4};

use super::Check;
use crate::document::layout::MeshEntry;
use crate::document::{PchrRule, VERTEX_SIZE, Vertex};
use crate::finding::{Findings, there_are};

/// Largest difference of a vertex's weight sum from 1 without a warning.
const WEIGHT_SUM_TOLERANCE: f32 = 0.001;

impl Check<'_> {
    /// Walks the vertices a second time, on the cold path.
    #[cold]
    pub(super) fn vertices(
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
                    let message = || format!("{value} is not finite");
                    findings.add(PchrRule::VertexNotFinite, at(field), || path(name), message);
                }
            }
            for (value, name, field) in [(u, "u", 8), (w, "v", 12)] {
                if value.is_finite() && !(0.0..=1.0).contains(&value) {
                    let message =
                        || format!("{value} lies outside 0..1; the edge of the image is drawn");
                    findings.add(PchrRule::UvRange, at(field), || path(name), message);
                }
            }
            let mut sum = 0.0;
            let mut sound = true;
            let slots = vertex.bone_weights.into_iter().zip(vertex.bone_ids);
            for (slot, (weight, bone)) in (0_u64..).zip(slots) {
                let weight_at = at(slot.saturating_mul(4).saturating_add(24));
                if !weight.is_finite() {
                    sound = false;
                    let message = || format!("{weight} is not finite");
                    let path = || path(&format!("boneWeights[{slot}]"));
                    findings.add(PchrRule::VertexNotFinite, weight_at, path, message);
                } else if weight < 0.0 {
                    sound = false;
                    let message = || format!("{weight} is negative and contributes nothing");
                    let path = || path(&format!("boneWeights[{slot}]"));
                    findings.add(PchrRule::WeightNegative, weight_at, path, message);
                } else if weight > 0.0 {
                    sum += weight;
                    if usize::from(bone) >= bone_count {
                        let id_at = at(slot.saturating_mul(2).saturating_add(16));
                        let message = || {
                            let there_are = there_are(bone_count, "bone", "bones");
                            format!("bone {bone} with weight {weight}, but {there_are}")
                        };
                        let path = || path(&format!("boneIds[{slot}]"));
                        findings.add(PchrRule::VertexBoneRange, id_at, path, message);
                    }
                }
            }
            if sound && sum == 0.0 {
                let message = "all four weights are 0; the vertex lies at the origin";
                findings.add(PchrRule::WeightNone, at(24), || path("boneWeights"), message);
            } else if sound && (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
                let message = || format!("weights sum to {sum}, not 1; they are not renormalised");
                findings.add(PchrRule::WeightSum, at(24), || path("boneWeights"), message);
            }
        }
    }
}

/// Returns true if no vertex can have a finding. Bone ids of padded slots count here, so false proves nothing.
pub(super) fn sweep(records: &[[u8; VERTEX_SIZE]], bone_count: usize) -> bool {
    let mut sweep = VertexSweep::new(bone_count);
    let (blocks, rest) = records.as_chunks::<4>();
    for block in blocks {
        sweep.take(block);
    }
    for record in rest {
        sweep.take(&[*record; 4]);
    }
    sweep.sound()
}

/// Summary of the vertices, collected four at a time.
struct VertexSweep {
    /// Sums of position and uv. Once a term is not finite, the sum is not finite.
    places: Vec4,
    lowest: Vec4,
    highest: Vec4,
    lowest_weight: Vec4,
    /// Sums of all weights of vertices, and their bounds.
    weights: Vec4,
    least: Vec4,
    most: Vec4,
    /// Amount by which ids are too large.
    excess: [u16; 8],
    /// The last bone for the ids; the largest value for the bytes after them.
    last_bone: [u16; 8],
}

impl VertexSweep {
    fn new(bone_count: usize) -> Self {
        let last = u16::try_from(bone_count.saturating_sub(1)).unwrap_or(u16::MAX);
        Self {
            places: Vec4::ZERO,
            lowest: Vec4::splat(0.5),
            highest: Vec4::splat(0.5),
            lowest_weight: Vec4::ZERO,
            weights: Vec4::ZERO,
            least: Vec4::ONE,
            most: Vec4::ONE,
            excess: [u16::from(bone_count == 0); 8],
            last_bone: [last, last, last, last, u16::MAX, u16::MAX, u16::MAX, u16::MAX],
        }
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "sums of floats overflow to infinity, which is looked for"
    )]
    #[inline(always)]
    fn take(&mut self, records: &[[u8; VERTEX_SIZE]; 4]) {
        // Folded in pairs: the chains from block to block stay one step long.
        let fold = |of: [Vec4; 4], with: fn(Vec4, Vec4) -> Vec4| {
            let [a, b, c, d] = of;
            with(with(a, b), with(c, d))
        };
        let vertices = records.each_ref().map(Vertex::from_record);
        let places = vertices.each_ref().map(|vertex| {
            let ([x, y], [u, v]) = (vertex.position, vertex.uv);
            Vec4::new(x, y, u, v)
        });
        self.places += fold(places, |a, b| a + b);
        self.lowest = self.lowest.min(fold(places, Vec4::min));
        self.highest = self.highest.max(fold(places, Vec4::max));
        let weights = vertices.map(|vertex| Vec4::from_array(vertex.bone_weights));
        self.lowest_weight = self.lowest_weight.min(fold(weights, Vec4::min));
        let [a, b, c, d] = weights;
        let lanes = Mat4::from_cols(a, b, c, d).transpose();
        let sums = fold([lanes.x_axis, lanes.y_axis, lanes.z_axis, lanes.w_axis], |a, b| a + b);
        self.weights += sums;
        self.least = self.least.min(sums);
        self.most = self.most.max(sums);
        for record in records {
            let ids = ids_and_two_weights(record);
            for ((excess, id), last) in self.excess.iter_mut().zip(ids).zip(self.last_bone) {
                *excess |= id.saturating_sub(last);
            }
        }
    }

    fn sound(&self) -> bool {
        let finite = self.places.is_finite() && self.weights.is_finite();
        let inside = self.lowest.z >= 0.0
            && self.lowest.w >= 0.0
            && self.highest.z <= 1.0
            && self.highest.w <= 1.0;
        // A little less than the tolerance, because the walk adds in another order.
        let tolerance = WEIGHT_SUM_TOLERANCE - 1e-6;
        let weighed = self.lowest_weight.min_element() >= 0.0
            && self.least.min_element() >= 1.0 - tolerance
            && self.most.max_element() <= 1.0 + tolerance;
        let bones = self.excess.iter().all(|excess| *excess == 0);
        finite && inside && weighed && bones
    }
}

/// Returns a vertex's bone ids and its first two weights, cut in halves: 16 bytes, read at once.
#[inline(always)]
fn ids_and_two_weights(record: &[u8; VERTEX_SIZE]) -> [u16; 8] {
    let bytes = record.get(16..).and_then(<[u8]>::first_chunk::<16>);
    let mut halves = [0; 8];
    for (half, bytes) in halves.iter_mut().zip(bytes.unwrap_or(&[0; 16]).as_chunks().0) {
        *half = u16::from_le_bytes(*bytes);
    }
    halves
}
