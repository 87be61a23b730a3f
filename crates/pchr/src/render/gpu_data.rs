//! Data that shaders read from memory: the mirror of every WGSL struct, the vertex record, and the layouts of bind groups.

use bytemuck::{Pod, Zeroable};
use glam::{Affine2, Mat4};

use crate::document::VERTEX_SIZE;
use crate::image::Tint;
use crate::pose::Affine;
use crate::scene::{MaskedVertex, OverlayVertex, Picture};

/// Bones in one row of the palette texture. A bone takes two texels, so a row fits the smallest texture limit (2,048).
pub const BONES_PER_ROW: u32 = 1024;

/// Placement of the world in a target. Group 0, binding 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct GpuFrame {
    /// Clip coordinates of screen pixels, by column: any matrix.
    pub clip_from_screen: [[f32; 4]; 4],
    /// Screen pixels per world unit, along x and y (negative where y points up).
    pub screen_from_world_scale: [f32; 2],
    /// Screen position of the world's origin, in pixels.
    pub screen_from_world_offset: [f32; 2],
}
const _: () = assert!(size_of::<GpuFrame>() == 80, "keep in step with common_skinning.wgsl");

impl GpuFrame {
    /// Returns the frame data of a picture; one without an area shows nothing.
    #[must_use]
    pub fn new(picture: &Picture) -> Self {
        if picture.size.contains(&0) {
            return Self::zeroed(); // every corner is at (0, 0, 0, 0), and so clipped
        }
        let [[scale_x, _, x, _], [_, scale_y, y, _]] =
            picture.camera.screen_from_world(picture.size);
        Self {
            screen_from_world_scale: [scale_x, scale_y],
            screen_from_world_offset: [x, y],
            ..Self::of_screen(picture.size)
        }
    }

    /// Returns the frame data for vertices that are already in screen pixels.
    #[must_use]
    pub fn of_screen(size: [u32; 2]) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let [width, height] = size.map(|side| f64::from(side.max(1)) as f32);
        Self {
            clip_from_screen: [
                [2.0 / width, 0.0, 0.0, 0.0],
                [0.0, -2.0 / height, 0.0, 0.0],
                [0.0, 0.0, 1.0, 0.0],
                [-1.0, 1.0, 0.0, 1.0],
            ],
            screen_from_world_scale: [0.0; 2],
            screen_from_world_offset: [0.0; 2],
        }
    }

    /// Returns the frame data of any view: the world's plane lies at `z = 0` before `clip_from_world`, with one screen pixel a unit.
    #[must_use]
    pub fn of_matrix(clip_from_world: Mat4) -> Self {
        Self {
            clip_from_screen: clip_from_world.to_cols_array_2d(),
            screen_from_world_scale: [1.0; 2],
            screen_from_world_offset: [0.0; 2],
        }
    }
}

/// Layout of the vertex buffer of overlays: [`OverlayVertex`].
pub const OVERLAY_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<OverlayVertex>() as wgpu::BufferAddress,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2],
};

/// Layout of the vertex buffer of masked triangles: [`MaskedVertex`].
pub const MASKED_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<MaskedVertex>() as wgpu::BufferAddress,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Float32x2],
};

/// Data of one instance. Group 1, binding 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Model {
    /// Rows of the instance's placement in the world.
    pub world_from_model: Affine,
    /// 0 if no frame is posed and vertices stay as stored, else 1.
    pub moving: u32,
    /// Matrices of a palette of a crowd; not used by single instances.
    pub palette_len: u32,
    /// Padding.
    pub pad: [u32; 2],
}
const _: () = assert!(size_of::<Model>() == 48, "keep in step with common_skinning.wgsl");

/// Layout of the buffer of tints, after [`VERTEX_LAYOUT`]: red, green, blue and opacity as factors, one for each instance that is drawn.
pub const TINT_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 16,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![4 => Float32x4],
};

/// One figure of a crowd: `world_from_model` by columns, its colours, and its palette.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct CrowdMember {
    /// Where the model's x axis points in the world, and how long it is.
    pub x_axis: [f32; 2],
    /// The same of its y axis.
    pub y_axis: [f32; 2],
    /// Its origin in the world.
    pub origin: [f32; 2],
    /// Factors of red, green, blue and opacity in 1/255.
    pub tint: [u8; 4],
    /// Number of its palette, such as that of [`crate::scene::Bake::palette`].
    pub palette: u32,
}
const _: () = assert!(size_of::<CrowdMember>() == 32, "keep in step with crowd.wgsl");

impl CrowdMember {
    /// Creates a figure in the model's own colours.
    #[must_use]
    pub fn new(world_from_model: Affine2, palette: u32) -> Self {
        let [x_axis, y_axis] = world_from_model.matrix2.to_cols_array_2d();
        let origin = world_from_model.translation.to_array();
        Self { x_axis, y_axis, origin, tint: [255; 4], palette }
    }

    /// Returns it with factors of red, green, blue and opacity, 0 to 1.
    #[must_use]
    pub fn tinted(self, tint: [f32; 4]) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped by the cast"
        )]
        let tint = tint.map(|factor| (255.0 * factor).round() as u8);
        Self { tint, ..self }
    }
}

/// Layout of the buffer of a crowd's members, after [`VERTEX_LAYOUT`].
pub const MEMBER_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<CrowdMember>() as wgpu::BufferAddress,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        4 => Float32x2,
        5 => Float32x2,
        6 => Float32x2,
        7 => Unorm8x4,
        8 => Uint32,
    ],
};

/// Tint of a ghost's layer. Group 1, binding 0, of its own pipeline.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct GpuGhost {
    /// RGB, 0 to 255, sRGB-encoded.
    pub color: [u32; 3],
    /// Share of this colour in the layer's, in 1/255.
    pub share: u32,
    /// Opacity of the layer, in 1/255.
    pub opacity: u32,
    /// Padding.
    pub pad: [u32; 3],
}
const _: () = assert!(size_of::<GpuGhost>() == 32, "keep in step with ghost.wgsl");

impl GpuGhost {
    /// Returns the data of a tint.
    #[must_use]
    pub fn new(tint: Tint) -> Self {
        Self {
            color: tint.color.map(u32::from),
            share: tint.share.into(),
            opacity: tint.opacity.into(),
            pad: [0; 3],
        }
    }
}

/// Layout of the vertex buffer: the file's records, unchanged: position, uv, bone ids, bone weights.
pub const VERTEX_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: VERTEX_SIZE as wgpu::BufferAddress,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x2,
        1 => Float32x2,
        2 => Uint16x4,
        3 => Float32x4,
    ],
};

/// The layouts of the three bind groups, shared by all pipelines. [`super::shaders`] has them as a table.
#[derive(Clone, Debug)]
pub struct Layouts {
    /// Group 0: a view and its sampler.
    pub frame: wgpu::BindGroupLayout,
    /// Group 1: an instance and its palette.
    pub model: wgpu::BindGroupLayout,
    /// Group 2: an image.
    pub texture: wgpu::BindGroupLayout,
}

impl Layouts {
    /// Creates the layouts. Layouts of one device are interchangeable.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
        let (vertex, fragment) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT);
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let (frame, model) = (uniform(size_of::<GpuFrame>()), uniform(size_of::<Model>()));
        let palette = texture(false, false);
        Self {
            frame: layout(device, "Layouts::frame", &[(vertex, frame), (fragment, sampler)]),
            model: layout(device, "Layouts::model", &[(vertex, model), (vertex, palette)]),
            texture: layout(device, "Layouts::texture", &[(fragment, texture(true, false))]),
        }
    }

    /// Returns the layouts of groups 0 to 2.
    pub(super) fn all(&self) -> [Option<&wgpu::BindGroupLayout>; 3] {
        [Some(&self.frame), Some(&self.model), Some(&self.texture)]
    }
}

/// Creates a layout with these bindings, from 0 on.
pub(super) fn layout(
    device: &wgpu::Device,
    label: &str,
    bindings: &[(wgpu::ShaderStages, wgpu::BindingType)],
) -> wgpu::BindGroupLayout {
    let entries = (0..).zip(bindings).map(|(binding, (visibility, ty))| {
        wgpu::BindGroupLayoutEntry { binding, visibility: *visibility, ty: *ty, count: None }
    });
    let entries: Vec<_> = entries.collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    })
}

/// Creates a bind group of these resources, from binding 0 on.
pub(super) fn bind_group<'a>(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> wgpu::BindGroup {
    let entries = (0..).zip(resources);
    let entries: Vec<_> =
        entries.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}

/// Creates a buffer of `size` bytes that the queue writes, or that is copied to.
pub(super) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

pub(super) fn uniform(size: usize) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(size as u64),
    }
}

pub(super) fn texture(filterable: bool, multisampled: bool) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled,
    }
}
