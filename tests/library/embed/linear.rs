//! Tests of sRGB targets: exact results through a view, and the error of linear blending.

use pchr::render::{Blending, TargetOptions};
use pchr::wgpu;

use crate::embed::host::{FORMAT, Host, difference, frame, portrait, sample};

const SRGB: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Clear colour for a target: sRGB targets take the decoded colour.
fn clear([r, g, b, a]: [f64; 4], srgb: bool) -> wgpu::Color {
    let [r, g, b] = [r, g, b].map(|c| match srgb {
        true if c <= 0.04045 => c / 12.92,
        true => ((c + 0.055) / 1.055).powf(2.4),
        false => c,
    });
    wgpu::Color { r, g, b, a }
}

const GREY: [f64; 4] = [128.0 / 255.0, 128.0 / 255.0, 128.0 / 255.0, 1.0];

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_view_without_srgb_of_an_srgb_texture_is_exact() {
    let host = Host::new();
    if !host.has_view_formats {
        println!("this adapter has no views in other formats");
        return;
    }
    for sample_count in [1, 4] {
        let target =
            TargetOptions { sample_count, ..TargetOptions::new(SRGB.remove_srgb_suffix()) };
        let renderer = host.renderer(&target);
        let mut figure = host.figure(&sample());
        let instance = figure.instance(&host, frame(2, 7));
        let view = host.view_of(&portrait());
        let draw = |format| {
            host.draw_as(portrait().size, &target, format, clear(GREY, false), |pass| {
                renderer.draw(pass, &view, &figure.model, &instance);
            })
        };
        assert!(draw(SRGB) == draw(FORMAT), "{sample_count} samples");
    }
}

/// Checks the figures in the documentation of `Blending::Linear`.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn linear_blending_is_as_far_off_as_it_says() {
    let host = Host::new();
    let mut figure = host.figure(&sample());
    let instance = figure.instance(&host, frame(2, 7));
    let view = host.view_of(&portrait());
    let draw = |format: wgpu::TextureFormat, blending, behind| {
        let target = TargetOptions { blending, sample_count: 4, ..TargetOptions::new(format) };
        let renderer = host.renderer(&target);
        host.draw(portrait().size, &target, clear(behind, format.is_srgb()), |pass| {
            renderer.draw(pass, &view, &figure.model, &instance);
        })
    };
    for (name, behind) in [("white", [1.0; 4]), ("grey", GREY), ("nothing", [0.0; 4])] {
        let exact = draw(FORMAT, Blending::Exact, behind);
        let linear = draw(SRGB, Blending::Linear, behind);
        let (mean, worst) = difference(&exact, &linear);
        let pairs = exact.rgba.as_chunks::<4>().0.iter().zip(linear.rgba.as_chunks::<4>().0);
        let off = |(a, b): &(&[u8; 4], &[u8; 4])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2);
        let share = pairs.clone().filter(off).count() as f64 / pairs.len() as f64;
        println!("over {name}: {mean:.2} on average, {worst} at worst; {share} by more than 2");
        assert!(mean < 0.6 && worst < 75 && share < 0.06, "{name}: {mean}, {worst}, {share}");
    }
}
