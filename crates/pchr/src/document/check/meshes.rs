//! Checks meshes: their images, and the range of their indices.

use super::{Check, name_end};
use crate::document::directory::MeshEntry;
use crate::document::{PchrRule, VERTEX_SIZE};
use crate::finding::{Findings, counted, there_are};

impl Check<'_> {
    pub(super) fn meshes(&self, findings: &mut Findings) {
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
            let indices = u32::try_from(indices_at)
                .map(|at| self.slice(at, indices_len))
                .unwrap_or_default();
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
