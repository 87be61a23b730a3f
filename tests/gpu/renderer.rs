//! Tests of the GPU renderer with small pictures that can be counted by hand.
//!
//! `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` choose the adapter. `gpu_corpus.rs` tests large pictures.
#![cfg(feature = "render")]

mod crowds;

use crate::fixture::{Builder, at, hidden, picture, read};
use crate::support::{Stage, at_z, count, frame, gpu, pixel, taken};
use pchr::document::{DocumentParts, ImageFormat, ImageParts, MeshParts};
use pchr::image::Pixels;
use pchr::render::{Gpu, GpuError, GpuOptions, OffscreenTarget};
use pchr::scene::{Camera2d, Filter, Picture, Samples};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const NOTHING: [u8; 4] = [0; 4];

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_rectangle_covers_its_pixels_and_no_others_the_right_way_up() {
    let gpu = gpu();
    let document = Builder::rect(2, &[RED, RED, BLUE, BLUE], [1.0, 2.0], [5.0, 6.0])
        .still("still", true, 1)
        .document();
    let mut stage = Stage::new(&gpu, &document, [20, 20], Samples::One, false);
    let mut picture = picture([20, 20]);
    picture.filter = Filter::Nearest;
    let got = stage.draw(frame(0), &picture);
    assert_eq!((count(&got, RED), count(&got, BLUE), count(&got, NOTHING)), (8, 8, 384));
    assert_eq!([(11, 4), (14, 5), (11, 7)].map(|(x, y)| pixel(&got, x, y)), [RED, RED, BLUE]);
    picture.camera.y_down = true;
    let got = stage.draw(frame(0), &picture);
    assert_eq!([pixel(&got, 11, 12), pixel(&got, 14, 15)], [BLUE, RED]);
    assert_eq!((count(&got, RED), count(&got, BLUE)), (8, 8));
    // A picture with a camera, whose rows do not fill those of the read-back buffer.
    picture = Picture {
        size: [33, 17],
        camera: Camera2d { center: [3.0, 4.0], zoom: 4.0, ..Camera2d::default() },
        clear: GREEN,
        ..picture
    };
    let got = stage.draw(frame(0), &picture);
    assert_eq!((got.width, got.height), (33, 17));
    assert_eq!(count(&got, RED) + count(&got, BLUE), 256);
    assert_eq!(count(&got, GREEN), 33 * 17 - 256);
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn bones_beyond_one_row_of_the_palette_move_their_vertices() {
    let gpu = gpu();
    let places = [0, 1, 1023, 1024, 2047, 2048, 2999_u16];
    let mut moved = vec![at_z(0); 3000];
    let mut builder = Builder::new().image(1, &[RED]).bones(3000);
    for (i, bone) in (0..).zip(places) {
        moved[usize::from(bone)].x = f32::from(i as u16) * 3.0;
        builder = builder.quad("quad", 0, bone, [-16.0, -1.0], [-14.0, 1.0]);
    }
    let document = builder.animation("move", true, &[vec![at_z(0); 3000], moved]).document();
    let mut stage = Stage::new(&gpu, &document, [32, 32], Samples::One, false);
    let picture = picture([32, 32]);
    assert_eq!(count(&stage.draw(frame(0), &picture), RED), 4);
    let got = stage.draw(frame(1), &picture);
    assert_eq!(count(&got, RED), 4 * places.len());
    for i in 0..places.len() as u32 {
        assert_eq!([0, 2].map(|x| pixel(&got, 3 * i + x, 16)), [RED, NOTHING], "place {i}");
    }
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn documents_with_none_of_something_are_drawn() {
    let gpu = gpu();
    fn boneless(parts: &mut DocumentParts) {
        for vertex in &mut parts.meshes[0].vertices {
            vertex.bone_ids = [u16::MAX; 4];
            vertex.bone_weights = [0.0, -1.0, -0.0, f32::MIN];
        }
    }
    type Change = fn(&mut DocumentParts);
    let cases: [(&str, Change, usize); 11] = [
        ("nothing", |it| *it = DocumentParts::default(), 0),
        ("bones only", |it| *it = Builder::new().bones(5).parts, 0),
        ("images only", |it| *it = Builder::new().image(1, &[RED]).parts, 0),
        ("no meshes", |it| it.meshes.clear(), 0),
        ("a mesh of nothing", |it| it.meshes[0] = MeshParts::default(), 0),
        (
            "a mesh without triangles beside another",
            |it| {
                let full = it.meshes[0].clone();
                let bare = MeshParts { indices: vec![], ..full.clone() };
                it.meshes = vec![bare, full, MeshParts::default()];
            },
            64,
        ),
        (
            "an image of nothing",
            |it| {
                let format = ImageFormat::Rgba8888;
                it.images[0] = ImageParts { height: 3, format, ..ImageParts::default() };
            },
            0,
        ),
        ("no frames", |it| it.animations.clear(), 64),
        (
            "no frames and no bones",
            |it| {
                boneless(it);
                it.animations.clear();
                it.bones.clear();
            },
            64,
        ),
        ("frames, and a mesh that no bone carries", boneless, 0),
        ("everything", |_| {}, 64),
    ];
    for (what, change, red) in cases {
        let square = Builder::rect(1, &[RED], [-4.0, -4.0], [4.0, 4.0]);
        let mut parts = square.still("still", true, 1).parts;
        change(&mut parts);
        let document = read(&parts);
        for samples in [Samples::One, Samples::Four] {
            let mut stage = Stage::new(&gpu, &document, [16, 16], samples, true);
            let got = stage.draw(frame(0), &picture([16, 16]));
            assert_eq!(count(&got, RED), red, "{what}");
            assert_eq!(count(&got, NOTHING), 256 - red, "{what}");
        }
    }
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn weights_are_not_renormalised_and_slots_without_weight_are_not_looked_at() {
    let gpu = gpu();
    let weighted = |weights: [f32; 4], ids: [u16; 4]| {
        let mut builder =
            Builder::rect(1, &[RED], [2.0, 2.0], [6.0, 6.0]).bones(1).still("still", true, 1);
        for vertex in &mut builder.parts.meshes[0].vertices {
            vertex.bone_weights = weights;
            vertex.bone_ids = ids;
        }
        builder.document()
    };
    let half = weighted([0.0, 0.5, -3.0, 0.0], [65_535, 1, 40_000, 65_535]);
    let mut stage = Stage::new(&gpu, &half, [16, 16], Samples::One, false);
    let got = stage.draw(frame(0), &picture([16, 16]));
    assert_eq!(count(&got, RED), 4);
    assert_eq!([pixel(&got, 9, 6), pixel(&got, 10, 5)], [RED, RED]);
    // Positions are as stored, whatever the weights.
    let got = stage.draw(None, &picture([16, 16]));
    assert_eq!(count(&got, RED), 16);
    assert_eq!(pixel(&got, 13, 2), RED);
    // And back to the pose.
    assert_eq!(count(&stage.draw(frame(0), &picture([16, 16])), RED), 4);

    let twice = weighted([0.5, 0.5, 0.5, 0.5], [0, 1, 0, 1]);
    let mut stage = Stage::new(&gpu, &twice, [32, 32], Samples::One, false);
    let got = stage.draw(frame(0), &picture([32, 32]));
    assert_eq!(count(&got, RED), 64);
    assert_eq!([pixel(&got, 20, 11), pixel(&got, 27, 4)], [RED, RED]);
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn texels_are_read_as_the_picture_asks() {
    let gpu = gpu();
    let (black, white) = ([0, 0, 0, 255], [255; 4]);
    let squares: Vec<_> =
        (0..64 * 64).map(|i| if (i ^ (i / 64)) & 1 == 0 { black } else { white }).collect();
    let document = Builder::new()
        .image(64, &squares)
        .image(2, &[black, white])
        .bones(2)
        .quad("a", 0, 0, [-4.0, -4.0], [4.0, 4.0])
        .quad("b", 1, 1, [-4.0, -4.0], [4.0, 4.0])
        .animation("turns", true, &[[at_z(0), hidden()], [hidden(), at_z(0)]])
        .document();
    let mut stage = Stage::new(&gpu, &document, [8, 8], Samples::One, true);
    let mut picture = picture([8, 8]);
    // Eight texels per pixel: mipmaps make it grey, a single texel does not.
    picture.mipmaps = true;
    for pixel in stage.draw(frame(0), &picture).rgba.as_chunks::<4>().0 {
        near(*pixel, [128, 128, 128, 255], 1);
    }
    picture.filter = Filter::Nearest;
    let got = stage.draw(frame(0), &picture);
    assert_eq!(count(&got, black) + count(&got, white), 64);
    picture.mipmaps = false;
    assert_eq!(stage.draw(frame(0), &picture), got);
    // Four pixels per texel.
    let got = stage.draw(frame(1), &picture);
    assert_eq!((count(&got, black), count(&got, white)), (32, 32));
    picture.filter = Filter::Linear;
    let got = stage.draw(frame(1), &picture);
    let row: Vec<_> = (0..8).map(|x| pixel(&got, x, 2)[0]).collect();
    for (got, wanted) in row.iter().zip([0, 0, 32, 96, 159, 223, 255, 255]) {
        assert!(got.abs_diff(wanted) <= 2, "{row:?}");
    }
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_picture_may_be_part_of_a_target() {
    let gpu = gpu();
    let document = Builder::rect(2, &[RED, GREEN, BLUE, [255; 4]], [-9.0, -3.0], [7.0, 5.0])
        .still("still", true, 1)
        .document();
    for samples in [Samples::One, Samples::Four] {
        let mut stage = Stage::new(&gpu, &document, [20, 12], samples, false);
        let mut picture = picture([20, 12]);
        picture.clear = [9, 9, 9, 255];
        let alone = stage.draw(frame(0), &picture);
        let mut target = OffscreenTarget::new(&gpu, [64, 48], samples, 1).unwrap();
        let whole = taken(&gpu, &mut target, picture.clear, |pass| {
            pass.set_viewport(30.0, 20.0, 20.0, 12.0, 0.0, 1.0);
            pass.set_scissor_rect(30, 20, 20, 12);
            stage.record(pass);
        });
        for (x, y) in (0..48).flat_map(|y| (0..64).map(move |x| (x, y))) {
            let inside = (30..50).contains(&x) && (20..32).contains(&y);
            let wanted = if inside { pixel(&alone, x - 30, y - 20) } else { picture.clear };
            assert_eq!(pixel(&whole, x, y), wanted, "{x}, {y}");
        }
    }
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn frames_in_flight_keep_their_own_pictures() {
    let gpu = gpu();
    let frames: Vec<_> = (0..9_u8).map(|i| [at(i.into(), 0.0)]).collect();
    let document = Builder::rect(1, &[RED], [-8.0, -8.0], [-7.0, 8.0])
        .animation("walk", true, &frames)
        .document();
    let mut stage = Stage::new(&gpu, &document, [16, 16], Samples::One, false);
    let mut target = OffscreenTarget::new(&gpu, [16, 16], Samples::One, 3).unwrap();
    let mut flying = std::collections::VecDeque::new();
    let mut pixels = Pixels::transparent();
    let mut check = |target: &mut OffscreenTarget, (at, ticket)| {
        target.wait(&gpu, ticket, &mut pixels).unwrap();
        assert_eq!(count(&pixels, RED), 16, "frame {at}");
        assert_eq!(pixel(&pixels, u32::from(at), 7), RED, "frame {at}");
    };
    for at in 0..9_u16 {
        if flying.len() == 3 {
            assert!(matches!(target.submit(&gpu, NOTHING, |_| {}), Err(GpuError::Busy(3))));
            // Tickets may be waited for in any order, not only the oldest first.
            check(&mut target, flying.remove(usize::from(at % 3)).unwrap());
        }
        stage.pose(frame(at));
        stage.prepare(&picture([16, 16]));
        let ticket = target.submit(&gpu, NOTHING, |pass| {
            stage.record(pass);
        });
        flying.push_back((at, ticket.unwrap()));
    }
    for flight in flying {
        check(&mut target, flight);
    }
    let mut other = OffscreenTarget::new(&gpu, [1, 1], Samples::One, 0).unwrap();
    let ticket = other.submit(&gpu, RED, |_| {}).unwrap();
    assert!(matches!(target.wait(&gpu, ticket, &mut Pixels::transparent()), Err(GpuError::Ticket)));
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn an_image_that_is_too_large_is_made_smaller_and_a_picture_refused() {
    let gpu = gpu();
    let limit = gpu.device.limits().max_texture_dimension_2d;
    for size in [[limit + 1, 1], [1, limit + 1], [0, 5], [5, 0]] {
        let refused = OffscreenTarget::new(&gpu, size, Samples::One, 1);
        assert!(matches!(refused, Err(GpuError::Size { .. })), "{size:?}");
    }
    let Ok(width) = u16::try_from(limit + 10) else {
        return; // no image in this format is that large
    };
    let half = usize::from(width / 2);
    let row: Vec<_> = (0..usize::from(width)).map(|x| if x < half { RED } else { GREEN }).collect();
    let document = Builder::rect(width, &[row.clone(), row].concat(), [-4.0, -4.0], [4.0, 4.0])
        .still("still", true, 1)
        .document();
    let mut stage = Stage::new(&gpu, &document, [8, 8], Samples::One, false);
    let warnings = stage.model.warnings().join("; ");
    let wanted = format!("images[0]: drawn at {limit} x 1 instead of {width} x 2; ");
    assert_eq!(warnings, wanted + "the adapter takes no larger images");
    let got = stage.draw(frame(0), &picture([8, 8]));
    assert_eq!((count(&got, RED), count(&got, GREEN)), (32, 32));
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn an_adapter_is_found_by_its_name_in_any_case_and_a_foreign_backend_is_an_error() {
    let here = gpu();
    let named = Gpu::headless(&GpuOptions {
        adapter: Some(here.info.name.to_uppercase()),
        ..GpuOptions::default().with_environment().unwrap()
    });
    assert_eq!(named.unwrap().info.name, here.info.name);
    let foreign =
        if cfg!(target_vendor = "apple") { wgpu::Backend::Dx12 } else { wgpu::Backend::Metal };
    let options = GpuOptions { backend: Some(foreign), adapter: None };
    let text = Gpu::headless(&options).unwrap_err().to_string();
    assert!(text.ends_with("not on this platform"), "{text}");
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn what_the_device_reports_is_kept_and_no_panic() {
    let gpu = gpu();
    gpu.check().unwrap();
    // Larger than any device allows.
    let _buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("too large"),
        size: u64::MAX / 8 * 4,
        usage: wgpu::BufferUsages::VERTEX,
        mapped_at_creation: false,
    });
    assert!(matches!(gpu.check(), Err(GpuError::Fault(_))));
    gpu.check().unwrap();
    gpu.device.destroy();
    let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
    assert!(matches!(gpu.check(), Err(GpuError::Lost(_))));
    assert!(matches!(gpu.check(), Err(GpuError::Lost(_))));
}

fn near(got: [u8; 4], wanted: [u8; 4], tolerance: u8) {
    let off = got.iter().zip(wanted).map(|(a, b)| a.abs_diff(b)).max();
    assert!(off <= Some(tolerance), "{got:?} is not {wanted:?}");
}
