//! Tests of unsupported targets: each is an error with a reason, without other effects.

use pchr::image::Pixels;
use pchr::render::{
    Blending, GpuImage, OverlayRenderer, Renderer, TargetOptions, UnsupportedTarget,
    UnsupportedTexture,
};
use pchr::wgpu;
use wgpu::{CompareFunction, TextureFormat};

use crate::embed::host::{Host, depth, device};

fn refused(host: &Host, target: &TargetOptions) -> UnsupportedTarget {
    refused_by(&host.device, &host.queue, target)
}

fn refused_by(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    target: &TargetOptions,
) -> UnsupportedTarget {
    let error = Renderer::new(device, target).unwrap_err();
    let overlays = OverlayRenderer::new(device, queue, &Pixels::transparent(), target);
    assert_eq!(overlays.unwrap_err(), error);
    println!("{error}");
    error
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn every_usual_target_is_drawn_into() {
    let host = Host::new();
    use TextureFormat::*;
    let usual = [Rgba8Unorm, Bgra8Unorm, Rgb10a2Unorm, Rgba16Float, Rgba8UnormSrgb, Bgra8UnormSrgb];
    for format in usual {
        for sample_count in [1, 4] {
            for blending in [Blending::Exact, Blending::Linear] {
                let target = TargetOptions { sample_count, blending, ..TargetOptions::new(format) };
                let encodes = format.is_srgb();
                let refused = match blending {
                    Blending::Exact => encodes,
                    Blending::Linear => !encodes && format.add_srgb_suffix() != format,
                };
                let made = Renderer::new(&host.device, &target);
                assert_eq!(made.is_err(), refused, "{target:?}: {made:?}");
            }
        }
    }
    for format in [TextureFormat::Depth32Float, TextureFormat::Depth24PlusStencil8] {
        host.renderer(&depth(format, false, CompareFunction::Less));
        host.renderer(&depth(format, true, CompareFunction::LessEqual));
        host.renderer(&depth(format, false, CompareFunction::Always));
    }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn every_impossible_target_is_an_error_that_says_why() {
    let host = Host::new();
    let of_format = |format| refused(&host, &TargetOptions::new(format));
    let (format, exact) = (TextureFormat::Rgba8UnormSrgb, TextureFormat::Rgba8Unorm);
    assert_eq!(of_format(format), UnsupportedTarget::SrgbIsLinear { format, exact });
    let said = of_format(TextureFormat::Bgra8UnormSrgb).to_string();
    assert!(said.contains("Blending::Linear") && said.contains("as Bgra8Unorm (with"), "{said}");
    let plain = TargetOptions::new(TextureFormat::Bgra8Unorm);
    let linear = TargetOptions { blending: Blending::Linear, ..plain };
    let said = refused(&host, &linear).to_string();
    assert!(said.contains("Blending::Exact") && said.contains("as Bgra8UnormSrgb (with"), "{said}");
    for format in [TextureFormat::Rgba8Uint, TextureFormat::R32Sint] {
        assert_eq!(of_format(format), UnsupportedTarget::WholeNumbers(format));
    }
    let format = TextureFormat::Depth32Float;
    assert_eq!(of_format(format), UnsupportedTarget::NotColor(format));
    let compressed = (TextureFormat::Bc1RgbaUnorm, wgpu::Features::TEXTURE_COMPRESSION_BC);
    for (format, missing) in OF_FEATURES.into_iter().chain([compressed]) {
        assert_eq!(of_format(format), UnsupportedTarget::Feature { format, missing });
    }
    let format = TextureFormat::Rgb9e5Ufloat;
    assert_eq!(of_format(format), UnsupportedTarget::NotDrawable(format));
    let format = TextureFormat::Rgba8Unorm;
    for asked in [0, 2, 3, 8, 64] {
        let target = TargetOptions { sample_count: asked, ..TargetOptions::new(format) };
        let error = UnsupportedTarget::SampleCount { format, asked, possible: vec![1, 4] };
        assert_eq!(refused(&host, &target), error);
    }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn depth_that_cannot_be_or_hides_parts_of_a_figure_is_an_error() {
    let host = Host::new();
    let format = TextureFormat::Rgba8Unorm;
    let of_color = depth(format, false, CompareFunction::Always);
    assert_eq!(refused(&host, &of_color), UnsupportedTarget::NotDepth(format));
    let is_of_depth = |target: &TargetOptions| {
        let error = refused(&host, target);
        assert!(matches!(error, UnsupportedTarget::Depth { .. }), "{error}");
    };
    for compare in [CompareFunction::Less, CompareFunction::Greater, CompareFunction::NotEqual] {
        is_of_depth(&depth(TextureFormat::Depth32Float, true, compare));
    }
    is_of_depth(&depth(TextureFormat::Stencil8, true, CompareFunction::LessEqual));
    let changed = |change: fn(&mut wgpu::DepthStencilState)| {
        let mut target = depth(TextureFormat::Depth32Float, true, CompareFunction::LessEqual);
        change(target.depth_stencil.as_mut().unwrap());
        is_of_depth(&target);
    };
    changed(|state| state.depth_write_enabled = None);
    changed(|state| state.depth_compare = None);
    changed(|state| {
        state.stencil.front.compare = CompareFunction::Equal;
        state.stencil.read_mask = 1;
    });
    let format = TextureFormat::Depth32FloatStencil8;
    let missing = wgpu::Features::DEPTH32FLOAT_STENCIL8;
    let of_stencil = refused(&host, &depth(format, false, CompareFunction::Less));
    assert_eq!(of_stencil, UnsupportedTarget::Feature { format, missing });
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_limit_that_is_too_low_is_named() {
    let target = TargetOptions::new(TextureFormat::Rgba8Unorm);
    let said = |change: fn(&mut wgpu::Limits)| {
        let (_, device, queue) = device(wgpu::Features::empty(), change);
        refused_by(&device, &queue, &target).to_string()
    };
    type Change = fn(&mut wgpu::Limits);
    let limits: [(Change, &str, [u32; 2]); 4] = [
        (|it| it.max_bind_groups = 2, "max_bind_groups", [2, 3]),
        (|it| it.max_bindings_per_bind_group = 1, "max_bindings_per_bind_group", [1, 2]),
        (|it| it.max_uniform_buffer_binding_size = 64, "max_uniform_buffer_binding_size", [64, 80]),
        (
            |it| it.max_color_attachment_bytes_per_sample = 4,
            "max_color_attachment_bytes_per_sample",
            [4, 8],
        ),
    ];
    for (change, limit, [is, least]) in limits {
        let wanted =
            format!("the device was opened with {limit} = {is}, expected at least {least}");
        assert_eq!(said(change), wanted);
    }
}

/// Formats that need features beside those that they exist by.
const OF_FEATURES: [(TextureFormat, wgpu::Features); 4] = [
    (TextureFormat::Rg11b10Ufloat, wgpu::Features::RG11B10UFLOAT_RENDERABLE),
    (TextureFormat::R32Float, wgpu::Features::FLOAT32_BLENDABLE),
    (TextureFormat::Rg32Float, wgpu::Features::FLOAT32_BLENDABLE),
    (TextureFormat::Rgba32Float, wgpu::Features::FLOAT32_BLENDABLE),
];

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_format_is_drawn_into_with_the_feature_that_its_error_names() {
    let host = Host::new();
    let offered = host.features;
    for (format, feature) in OF_FEATURES {
        if offered.contains(feature) {
            Host::with(feature, |_| {}).renderer(&TargetOptions::new(format));
        } else {
            println!("{format:?}: this adapter has no {feature:?}");
        }
    }
}

/// All other checks are left to the device, whose errors are returned and reported to nobody else.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn what_the_device_refuses_is_an_error_too() {
    let host = Host::with(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES, |_| {});
    let mut target = TargetOptions::new(TextureFormat::Rgba8Unorm);
    let mut refusals = 0;
    for sample_count in [1, 2, 4, 8, 16] {
        target.sample_count = sample_count;
        match Renderer::new(&host.device, &target) {
            Ok(_) => {}
            Err(UnsupportedTarget::Refused(why)) => {
                assert!(why.contains("ample") && !why.contains('\n'), "{why}");
                println!("{why}");
                refusals += 1;
            }
            Err(other) => panic!("{sample_count}: {other}"),
        }
    }
    println!("{refusals} of 5 counts of samples refused");
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_texture_that_cannot_be_drawn_from_is_an_error() {
    let host = Host::new();
    let bound = wgpu::TextureUsages::TEXTURE_BINDING;
    let attached = wgpu::TextureUsages::RENDER_ATTACHMENT;
    let of_layers = |layers, format, samples, usage| {
        let texture = host.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers: layers },
            mip_level_count: 1,
            sample_count: samples,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        });
        GpuImage::of_texture(&host.device, &host.layouts, &texture).map(|_| ())
    };
    let of = |format, samples, usage| of_layers(1, format, samples, usage);
    let plain = TextureFormat::Rgba8Unorm;
    assert_eq!(of(plain, 1, bound), Ok(()));
    assert_eq!(of_layers(2, plain, 1, bound), Err(UnsupportedTexture::Kind));
    assert_eq!(of(plain, 1, attached), Err(UnsupportedTexture::Kind));
    assert_eq!(of(plain, 4, attached | bound), Err(UnsupportedTexture::Kind));
    let srgb = TextureFormat::Rgba8UnormSrgb;
    assert_eq!(of(srgb, 1, bound), Err(UnsupportedTexture::Srgb(srgb)));
    for format in
        [TextureFormat::Rgba8Uint, TextureFormat::Depth32Float, TextureFormat::Rgba32Float]
    {
        assert_eq!(of(format, 1, bound), Err(UnsupportedTexture::NotFiltered(format)));
    }
}
