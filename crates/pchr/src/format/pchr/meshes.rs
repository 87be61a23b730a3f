//! `meshCount`, `meshes`.

use super::section::{At, Ended, elements, name, offset};
use crate::bytes::{Reader, WriteError, Writer};
use crate::document::{MeshEntry, MeshParts, VERTEX_SIZE};

/// Name length, image, vertex count, index count.
const MIN_SIZE: usize = 2 + 2 + 2 + 4;

pub(super) fn read(reader: &mut Reader<'_>, out: &mut Vec<MeshEntry>) -> Result<(), Ended> {
    elements(reader, out, "meshCount", MIN_SIZE, |reader, i| {
        let name = name(reader).at(|| format!("meshes[{i}].name"))?;
        let image = reader.u16().at(|| format!("meshes[{i}].image"))?;
        let vertex_count = reader.u16().at(|| format!("meshes[{i}].vertexCount"))?;
        let index_count = reader.u32().at(|| format!("meshes[{i}].indexCount"))?;
        let vertices_at = offset(reader);
        reader
            .skip(vertex_count.into(), VERTEX_SIZE)
            .at(|| format!("meshes[{i}].vertices"))?;
        reader
            .skip(index_count as usize, 2)
            .at(|| format!("meshes[{i}].indices"))?;
        Ok(MeshEntry {
            name,
            image,
            vertex_count,
            index_count,
            vertices_at,
        })
    })
}

pub(super) fn write(writer: &mut Writer, meshes: &[MeshParts]) -> Result<(), WriteError> {
    writer.count16(meshes.len(), || "meshes".into())?;
    for (i, mesh) in meshes.iter().enumerate() {
        writer.string(&mesh.name, || format!("meshes[{i}].name"))?;
        writer.u16(mesh.image);
        writer.count16(mesh.vertices.len(), || format!("meshes[{i}].vertices"))?;
        writer.count32(mesh.indices.len(), || format!("meshes[{i}].indices"))?;
        for vertex in &mesh.vertices {
            writer.bytes(&vertex.to_record());
        }
        mesh.indices.iter().for_each(|index| writer.u16(*index));
    }
    Ok(())
}
