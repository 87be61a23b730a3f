//! A bare wgpu program, the reference for the GPU renderer and for captures: it draws prepared pictures and reads them back.
//!
//! It knows no formats, poses, draw orders, cameras or options. It uses the same shader, so that the adapter does the same work
//! for both; everything around it is as short as possible.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    reason = "each user takes a part; a reference ends where the program would report"
)]

use std::ops::Range;
use std::path::Path;

use pchr::document::Document;
use pchr::image::{Pixels, unpremultiply};
use pchr::pose::Pose;
use pchr::render::gpu_data::{self, BONES_PER_ROW};
use pchr::scene::{DrawList, Picture};
use wgpu::util::DeviceExt as _;

/// Everything that is drawn, in the form that the adapter takes.
#[derive(Debug, Default)]
pub struct Scene {
    pub size: [u32; 2],
    frame: Vec<u8>,
    vertices: Vec<u8>,
    indices: Vec<u8>,
    /// Image and range of indices for each draw, back to front.
    runs: Vec<(usize, Range<u32>)>,
    /// Width, height and premultiplied texels.
    images: Vec<([u32; 2], Vec<u8>)>,
    bones: u32,
    /// World-from-bind matrices, frame by frame.
    palettes: Vec<u8>,
}

impl Scene {
    pub fn new(
        document: &Document,
        images: &[Pixels],
        poses: &[Pose],
        list: &DrawList,
        picture: &Picture,
    ) -> Self {
        let mut first_vertex = 0;
        let firsts: Vec<u32> = document
            .meshes()
            .map(|mesh| {
                let first = first_vertex;
                first_vertex += mesh.vertex_count() as u32;
                first
            })
            .collect();
        let mut indices: Vec<u32> = Vec::new();
        let mut runs: Vec<(usize, Range<u32>)> = Vec::new();
        for draw in list.draws() {
            let (Some(mesh), Some(first)) =
                (document.mesh(draw.mesh), firsts.get(draw.mesh.index()))
            else {
                continue;
            };
            let start = indices.len() as u32;
            indices.extend(mesh.indices().map(|index| first + u32::from(index)));
            let end = indices.len() as u32;
            match runs.last_mut() {
                Some((image, range)) if *image == draw.image.index() => range.end = end,
                _ => runs.push((draw.image.index(), start..end)),
            }
        }
        let records = document.meshes().flat_map(|mesh| mesh.vertex_records());
        let matrices = poses.iter().flat_map(Pose::world_from_bind);
        Self {
            size: picture.size,
            frame: bytemuck::bytes_of(&gpu_data::GpuFrame::new(picture)).to_vec(),
            vertices: records.flatten().copied().collect(),
            indices: bytemuck::cast_slice(&indices).to_vec(),
            runs,
            images: images
                .iter()
                .map(|image| ([image.width, image.height], image.rgba.clone()))
                .collect(),
            bones: document.bones().len() as u32,
            palettes: matrices.flat_map(bytemuck::bytes_of).copied().collect(),
        }
    }

    /// Writes the scene to a file: numbers first, then the raw bytes.
    pub fn write(&self, path: &Path) {
        let mut numbers: Vec<u32> = vec![self.size[0], self.size[1], self.bones];
        let blobs = [&self.frame, &self.vertices, &self.indices, &self.palettes];
        numbers.extend(blobs.map(|blob| blob.len() as u32));
        numbers.push(self.runs.len() as u32);
        for (image, range) in &self.runs {
            numbers.extend([*image as u32, range.start, range.end]);
        }
        numbers.push(self.images.len() as u32);
        numbers.extend(self.images.iter().flat_map(|(size, _)| *size));
        let mut bytes = bytemuck::cast_slice(&numbers).to_vec();
        bytes.splice(0..0, (numbers.len() as u32).to_ne_bytes());
        blobs.iter().for_each(|blob| bytes.extend_from_slice(blob));
        self.images.iter().for_each(|(_, texels)| bytes.extend_from_slice(texels));
        std::fs::write(path, bytes).expect("the scene can be written");
    }

    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("the scene can be read");
        let (count, rest) = bytes.split_first_chunk().expect("a scene");
        let (numbers, mut rest) = rest.split_at(u32::from_ne_bytes(*count) as usize * 4);
        let mut numbers = numbers.as_chunks().0.iter().map(|number| u32::from_ne_bytes(*number));
        let mut number = || numbers.next().expect("a number");
        let mut blob = |len: u32| {
            let (blob, behind) = rest.split_at(len as usize);
            rest = behind;
            blob.to_vec()
        };
        let (size, bones) = ([number(), number()], number());
        let lens = [number(), number(), number(), number()];
        let runs = (0..number()).map(|_| (number() as usize, number()..number())).collect();
        let sizes: Vec<_> = (0..number()).map(|_| [number(), number()]).collect();
        let [frame, vertices, indices, palettes] = lens.map(&mut blob);
        let image = |[width, height]: [u32; 2]| ([width, height], blob(width * height * 4));
        Self {
            size,
            frame,
            vertices,
            indices,
            runs,
            images: sizes.into_iter().map(image).collect(),
            bones,
            palettes,
        }
    }

    pub fn frames(&self) -> usize {
        self.palettes.len() / (self.bones as usize * 32).max(1)
    }
}

/// An adapter that is ready to draw a scene.
#[derive(Debug)]
pub struct Bare {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::RenderPipeline,
    frame: wgpu::BindGroup,
    model: wgpu::BindGroup,
    images: Vec<wgpu::BindGroup>,
    runs: Vec<(usize, Range<u32>)>,
    vertices: wgpu::Buffer,
    tint: wgpu::Buffer,
    indices: wgpu::Buffer,
    palette: wgpu::Texture,
    palettes: Vec<u8>,
    target: wgpu::Texture,
    view: wgpu::TextureView,
    read_back: wgpu::Buffer,
    size: [u32; 2],
}

impl Bare {
    /// `None` if there is no Vulkan driver.
    pub fn new(scene: Scene) -> Option<Self> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        descriptor.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(descriptor);
        let options = wgpu::RequestAdapterOptions::default();
        let adapter = pollster::block_on(instance.request_adapter(&options)).ok()?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits:
                wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits()),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        }))
        .ok()?;
        let source = [
            include_str!("../../crates/pchr/shaders/common_skinning.wgsl"),
            include_str!("../../crates/pchr/shaders/common_color_and_depth.wgsl"),
            include_str!("../../crates/pchr/shaders/skinned.wgsl"),
        ];
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.join("\n").into()),
        });
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let layouts = layouts(&device);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &layouts.each_ref().map(Some),
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_skinned"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[Some(gpu_data::VERTEX_LAYOUT), Some(gpu_data::TINT_LAYOUT)],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_skinned"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        let buffer = |contents: &[u8], usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: None,
                contents,
                usage,
            })
        };
        let texture = |[width, height]: [u32; 2], format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: extent([width, height]),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let group = |layout, resources: &[wgpu::BindingResource<'_>]| {
            let entries: Vec<_> = (0..)
                .zip(resources)
                .map(|(binding, resource)| wgpu::BindGroupEntry {
                    binding,
                    resource: resource.clone(),
                })
                .collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout,
                entries: &entries,
            })
        };
        let sampled = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let columns = scene.bones.clamp(1, BONES_PER_ROW);
        let palette = texture(
            [columns * 2, scene.bones.div_ceil(BONES_PER_ROW).max(1)],
            wgpu::TextureFormat::Rgba32Float,
            sampled,
        );
        let moving = gpu_data::Model {
            world_from_model: pchr::pose::IDENTITY,
            moving: 1,
            palette_len: 0,
            pad: [0; 2],
        };
        let uniforms = [scene.frame.as_slice(), bytemuck::bytes_of(&moving)]
            .map(|bytes| buffer(bytes, wgpu::BufferUsages::UNIFORM));
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            lod_max_clamp: 0.0,
            ..Default::default()
        });
        let [frame_layout, model_layout, image_layout] = &layouts;
        let [frame, model] = &uniforms;
        let frame = group(
            frame_layout,
            &[frame.as_entire_binding(), wgpu::BindingResource::Sampler(&sampler)],
        );
        let palette_view = palette.create_view(&wgpu::TextureViewDescriptor::default());
        let model = group(
            model_layout,
            &[model.as_entire_binding(), wgpu::BindingResource::TextureView(&palette_view)],
        );
        let images = scene.images.iter().map(|(size, texels)| {
            let image = texture(*size, format, sampled);
            write(&queue, &image, texels, size[0] * 4);
            let view = image.create_view(&wgpu::TextureViewDescriptor::default());
            group(image_layout, &[wgpu::BindingResource::TextureView(&view)])
        });
        let images = images.collect();
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let target = texture(scene.size, format, drawn);
        Some(Self {
            pipeline,
            frame,
            model,
            images,
            runs: scene.runs,
            vertices: buffer(&scene.vertices, wgpu::BufferUsages::VERTEX),
            tint: buffer(bytemuck::bytes_of(&[1.0_f32; 4]), wgpu::BufferUsages::VERTEX),
            indices: buffer(&scene.indices, wgpu::BufferUsages::INDEX),
            palette,
            palettes: scene.palettes,
            view: target.create_view(&wgpu::TextureViewDescriptor::default()),
            read_back: device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: u64::from(stride(scene.size)) * u64::from(scene.size[1]),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
            target,
            size: scene.size,
            device,
            queue,
        })
    }

    /// Draws a frame and reads it back, premultiplied.
    pub fn draw(&self, frame: usize, rgba: &mut Vec<u8>) {
        let size = self.palette.size();
        // Frames follow one another without padding; skeletons here fill whole rows.
        let len = size.width as usize * size.height as usize * 16;
        let palette = self.palettes.get(frame * len..(frame + 1) * len);
        write(&self.queue, &self.palette, palette.expect("a frame"), size.width * 16);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.frame, &[]);
        pass.set_bind_group(1, &self.model, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_vertex_buffer(1, self.tint.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        for (image, indices) in &self.runs {
            pass.set_bind_group(2, self.images.get(*image), &[]);
            pass.draw_indexed(indices.clone(), 0, 0..1);
        }
        drop(pass);
        let stride = stride(self.size);
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.read_back,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            extent(self.size),
        );
        self.queue.submit([encoder.finish()]);
        self.read_back.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        let view = self.read_back.get_mapped_range(..).expect("mapped");
        rgba.clear();
        for row in view.chunks(stride as usize) {
            rgba.extend_from_slice(row.get(..self.size[0] as usize * 4).unwrap_or_default());
        }
        drop(view);
        self.read_back.unmap();
    }

    /// Encodes a picture as PNG the way captures do: straight alpha, fastest setting.
    pub fn encode(&self, rgba: &mut [u8], png: &mut Vec<u8>) {
        unpremultiply(rgba);
        png.clear();
        let [width, height] = self.size;
        let mut encoder = png::Encoder::new(png, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fastest);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(rgba).expect("a picture");
        writer.finish().expect("an end");
    }
}

/// Runs the whole program: draws the first `frames` frames of a scene to numbered files.
pub fn run(scene: &Path, frames: usize, folder: &Path) {
    let bare = Bare::new(Scene::read(scene)).expect("a Vulkan driver");
    let (mut rgba, mut png) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        bare.draw(frame, &mut rgba);
        bare.encode(&mut rgba, &mut png);
        std::fs::write(folder.join(format!("{frame:03}.png")), &png).expect("written");
    }
}

fn layouts(device: &wgpu::Device) -> [wgpu::BindGroupLayout; 3] {
    let (vertex, fragment) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT);
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let texture = |filterable| wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let layout = |entries: &[(wgpu::ShaderStages, wgpu::BindingType)]| {
        let entries: Vec<_> = (0..)
            .zip(entries)
            .map(|(binding, (visibility, ty))| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: *visibility,
                ty: *ty,
                count: None,
            })
            .collect();
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        })
    };
    [
        layout(&[(vertex, uniform), (fragment, sampler)]),
        layout(&[(vertex, uniform), (vertex, texture(false))]),
        layout(&[(fragment, texture(true))]),
    ]
}

fn write(queue: &wgpu::Queue, texture: &wgpu::Texture, texels: &[u8], stride: u32) {
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(stride),
        rows_per_image: None,
    };
    queue.write_texture(texture.as_image_copy(), texels, layout, texture.size());
}

fn stride([width, _]: [u32; 2]) -> u32 {
    (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
