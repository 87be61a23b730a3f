//! Tests of views: those of captures, several in one submission, rotated ones, and perspective.

use pchr::character::Character;
use pchr::glam::camera::rh::proj::directx::{orthographic, perspective};
use pchr::glam::camera::rh::view::look_at_mat4;
use pchr::glam::{Affine2, Mat4, Vec2, Vec3};
use pchr::image::{Pixels, unpremultiply};
use pchr::render::{Gpu, GpuOptions, TargetOptions};
use pchr::scene::{Picture, Samples, ViewOptions};
use pchr_tools::capture::{CaptureJob, Drawer, GpuDrawer, Shot};

use crate::captured;
use crate::embed::host::{
    FORMAT, Host, NOTHING, RED, difference, frame, images, picture, pixel, portrait, sample,
};
use crate::fixture::Builder;

/// Pictures of the sample as captures draw them.
pub(crate) fn captured(picture: Picture, samples: Samples, shots: &[Shot]) -> Vec<Pixels> {
    let gpu = Gpu::headless(&GpuOptions::default().with_environment().unwrap()).unwrap();
    let (document, view) = (sample(), ViewOptions::default());
    let images = images(&document);
    let drawer = GpuDrawer::new(gpu, samples, &document, &images, picture.mipmaps).unwrap();
    let character = Character::from(document);
    let job = CaptureJob::plain(&character, &view, picture, samples);
    captured::pictures(&job, shots, &mut Drawer::Gpu(Box::new(drawer)))
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_picture_in_an_own_pass_is_the_capture_bit_by_bit() {
    let host = Host::new();
    let camera = portrait().camera.into();
    let shots = [0, 7, 19].map(|at| Shot { at: frame(2, at), mix: None, camera });
    for samples in [Samples::One, Samples::Four] {
        let target = TargetOptions { sample_count: samples.count(), ..TargetOptions::new(FORMAT) };
        let mut figure = host.figure(&sample());
        let view = host.view_of(&portrait());
        for (shot, wanted) in shots.iter().zip(captured(portrait(), samples, &shots)) {
            let (at, instance) = (shot.at, figure.instance(&host, shot.at));
            let size = portrait().size;
            let mut got = host.show(size, &target, &view, &figure.model, &instance);
            unpremultiply(&mut got.rgba);
            assert!(got == wanted, "{samples:?}, {at:?}: {:?}", difference(&got, &wanted));
            let drawn = got.rgba.as_chunks::<4>().0.iter().filter(|p| p[3] > 0);
            assert!(drawn.count() > 5_000, "something is drawn");
        }
    }
}

/// A square of ten units around the origin.
fn square() -> Builder {
    Builder::rect(1, &[RED], [-10.0, -10.0], [10.0, 10.0]).still("still", true, 1)
}

/// Checks that a picture shows a convex polygon, ignoring the pixels along its sides.
fn is_polygon(got: &Pixels, corners: &[Vec2; 4]) {
    let middle = corners.iter().sum::<Vec2>() / 4.0;
    let mut inside = 0;
    for (y, x) in (0..got.height).flat_map(|y| (0..got.width).map(move |x| (y, x))) {
        let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let distances = (0..4).map(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % 4]);
            let out = (b - a).perp().normalize();
            let out = if out.dot(middle - a) > 0.0 { -out } else { out };
            out.dot(at - a)
        });
        let distance = distances.fold(f32::MIN, f32::max);
        if distance < -1.0 {
            inside += 1;
            assert_eq!(pixel(got, x, y), RED, "{x}, {y} is inside");
        } else if distance > 1.0 {
            assert_eq!(pixel(got, x, y), [0; 4], "{x}, {y} is outside");
        }
    }
    assert!(inside > 100, "{inside} pixels");
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn any_matrix_and_any_placement_put_vertices_where_glam_does() {
    let host = Host::new();
    let target = TargetOptions::new(FORMAT);
    let mut figure = host.figure(&square().document());
    let mut instance = figure.instance(&host, frame(0, 0));
    let mut view = host.view();
    let size = [96, 64];
    let eye = look_at_mat4(Vec3::new(12.0, -20.0, 40.0), Vec3::ZERO, Vec3::Y);
    let views = [
        orthographic(-24.0, 24.0, -16.0, 16.0, -1.0, 1.0),
        orthographic(-24.0, 24.0, -16.0, 16.0, -40.0, 40.0)
            * Mat4::from_rotation_z(0.4)
            * Mat4::from_rotation_x(0.9),
        perspective(1.0, 1.5, 1.0, 100.0) * eye,
    ];
    let placements = [
        Affine2::IDENTITY,
        Affine2::from_scale_angle_translation(Vec2::new(0.8, -0.5), 0.7, Vec2::new(3.0, -2.0)),
    ];
    for (clip_from_world, world_from_model) in
        views.iter().flat_map(|view| placements.map(|at| (*view, at)))
    {
        view.set_matrix(&host.queue, clip_from_world);
        instance.set_placement(world_from_model);
        instance.refresh(&host.device, &host.queue);
        let got = host.show(size, &target, &view, &figure.model, &instance);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
            let world = world_from_model.transform_point2(10.0 * Vec2::new(x, y));
            let clip = clip_from_world.project_point3(world.extend(0.0));
            Vec2::new(1.0 + clip.x, 1.0 - clip.y) * Vec2::new(size[0] as f32, size[1] as f32) / 2.0
        });
        is_polygon(&got, &corners);
    }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn views_of_one_submission_do_not_disturb_each_other_and_those_without_an_area_show_nothing() {
    let host = Host::new();
    let target = TargetOptions::new(FORMAT);
    let renderer = host.renderer(&target);
    let mut figure = host.figure(&square().document());
    let instance = figure.instance(&host, frame(0, 0));
    let near = host.view_of(&picture([64, 64]));
    let mut far = picture([64, 64]);
    far.camera.zoom = 0.5;
    far.camera.center = [-40.0, 0.0];
    let far = host.view_of(&far);
    let empty = [[0, 0], [0, 5], [5, 0]].map(|size| host.view_of(&picture(size)));
    let unset = host.view();
    let got = host.draw([64, 64], &target, NOTHING, |pass| {
        for view in [&near, &far, &unset].into_iter().chain(&empty) {
            renderer.draw(pass, view, &figure.model, &instance);
        }
    });
    let mut count = 0;
    for (y, x) in (0..64).flat_map(|y| (0..64).map(move |x| (y, x))) {
        let by_near = (22..42).contains(&x) && (22..42).contains(&y);
        let by_far = (47..57).contains(&x) && (27..37).contains(&y);
        let wanted = if by_near || by_far { RED } else { [0; 4] };
        assert_eq!(pixel(&got, x, y), wanted, "{x}, {y}");
        count += u32::from(wanted == RED);
    }
    assert_eq!(count, 500);
}
