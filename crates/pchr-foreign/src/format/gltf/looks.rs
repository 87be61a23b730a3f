//! The JSON of meshes, materials, textures and images, for writing.

use serde::Serialize;

/// Meshes and their looks, which are written only.
#[derive(Debug, Default, Serialize)]
pub(super) struct Looks {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<GltfMesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<GltfImage>,
}

#[derive(Debug, Serialize)]
pub(super) struct GltfMesh {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) primitives: [Primitive; 1],
}

#[derive(Debug, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: u32,
    pub(super) material: u16,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct Attributes {
    pub(super) position: u32,
    pub(super) texcoord_0: u32,
    pub(super) joints_0: u32,
    pub(super) weights_0: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) pbr_metallic_roughness: Surface,
    pub(super) alpha_mode: &'static str,
    pub(super) double_sided: bool,
    pub(super) extensions: MaterialExtensions,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Surface {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureUse>,
    pub(super) metallic_factor: u8,
}

#[derive(Debug, Serialize)]
pub(super) struct TextureUse {
    pub(super) index: u32,
}

/// Colours without light.
pub(super) const UNLIT: &str = "KHR_materials_unlit";

#[derive(Debug, Default, Serialize)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(super) unlit: Unlit,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Unlit {}

#[derive(Debug, Serialize)]
pub(super) struct Texture {
    pub(super) sampler: u32,
    pub(super) source: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureSampler {
    pub(super) mag_filter: u32,
    pub(super) min_filter: u32,
    pub(super) wrap_s: u32,
    pub(super) wrap_t: u32,
}

impl TextureSampler {
    /// Linear without mip-maps, clamped to the edge.
    pub(super) const LINEAR: Self =
        Self { mag_filter: 9729, min_filter: 9729, wrap_s: 33071, wrap_t: 33071 };
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GltfImage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) buffer_view: u32,
    pub(super) mime_type: &'static str,
}
