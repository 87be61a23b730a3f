//! Tests of many instances of several models in one pass, with depth and four samples, and of passes whose depths are written.

use pchr::glam::camera::rh::proj::directx::orthographic;
use pchr::glam::{Affine2, Mat4, Vec2, Vec3};
use pchr::image::Pixels;
use pchr::render::{Instance, TargetOptions};
use pchr::scene::{Filter, MeshView};

use crate::embed::host::{
    BLUE, FORMAT, Figure, GREEN, Host, NOTHING, RED, WHITE, frame, picture, pixel, with_depth,
};
use crate::fixture::{Builder, at};

/// A square of 4 units around the origin, which moves 8 units to the right in each of ten frames.
fn walker(color: [u8; 4]) -> Builder {
    let frames: Vec<_> = (0..10).map(|i| [at(8.0 * i as f32, 0.0)]).collect();
    Builder::rect(1, &[color], [-2.0, -2.0], [2.0, 2.0]).animation("walk", true, &frames)
}

/// Colour at the point (x, y) in pictures of 80 x 80 whose lower left corner is at -4, -4.
fn point(got: &Pixels, x: u32, y: u32) -> [u8; 4] {
    pixel(got, x + 4, 79 - (y + 4))
}

fn view_matrix() -> Mat4 {
    orthographic(-4.0, 76.0, -4.0, 76.0, -1.0, 1.0)
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_hundred_instances_in_one_pass_are_each_in_their_pose_place_and_tint() {
    let host = Host::new();
    let target = with_depth(4, false);
    let renderer = host.renderer(&target);
    let mut figure = host.figure(&walker(WHITE).document());
    let mut view = host.view();
    view.set_matrix(&host.queue, view_matrix());
    let tint = |row: u16, column: u16| [f32::from(row) / 10.0, f32::from(column) / 10.0, 1.0, 1.0];
    let cells = (0..10).flat_map(|row| (0..10).map(move |column| (row, column)));
    let crowd: Vec<Instance> = cells
        .clone()
        .map(|(row, column)| {
            // The pose sets its column, and the placement its row.
            let mut instance = figure.instance(&host, frame(0, column));
            instance.set_placement(Affine2::from_translation(Vec2::new(0.0, 8.0 * f32::from(row))));
            instance.set_tint(tint(row, column));
            instance.refresh(&host.device, &host.queue);
            instance
        })
        .collect();
    let shared = crowd[0].indices().unwrap();
    assert!(crowd.iter().all(|one| one.indices() == Some(shared)), "one index buffer for all");
    let got = host.draw([80, 80], &target, NOTHING, |pass| {
        for instance in &crowd {
            renderer.draw(pass, &view, &figure.model, instance);
        }
    });
    for (row, column) in cells {
        let (x, y) = (8 * u32::from(column), 8 * u32::from(row));
        let [r, g, b, a] = tint(row, column).map(|factor| (255.0 * factor).round() as u8);
        let colour = point(&got, x, y);
        let off = colour.iter().zip([r, g, b, a]).map(|(a, b)| a.abs_diff(b));
        assert!(off.max().unwrap() <= 1, "{row}, {column}: {colour:?}");
        assert_eq!(point(&got, x + 4, y), [0; 4], "beside {row}, {column}");
    }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn three_models_and_two_views_in_one_pass_lie_at_their_depths() {
    let host = Host::new();
    let target = with_depth(4, true);
    let renderer = host.renderer(&target);
    let mut figures = [RED, GREEN, BLUE].map(|color| host.figure(&walker(color).document()));
    let instances = figures.each_mut().map(|figure| figure.instance(&host, frame(0, 0)));
    // Farther back, and two to the right.
    let at_depth = |x: f32, z: f32| {
        let mut view = host.view();
        let there = Mat4::from_translation(Vec3::new(x, 0.0, -z));
        view.set_matrix(&host.queue, view_matrix() * there);
        view
    };
    let (near, far) = (at_depth(10.0, 0.2), at_depth(12.0, 0.6));
    let got = host.draw([80, 80], &target, NOTHING, |pass| {
        // Drawn later, but farther back.
        for (view, i) in [(&near, 0), (&far, 1)] {
            renderer.draw(pass, view, &figures[i].model, &instances[i]);
        }
        // In the same plane, so it covers the earlier one.
        renderer.draw(pass, &far, &figures[2].model, &instances[2]);
    });
    assert_eq!(point(&got, 9, 0), RED);
    assert_eq!(point(&got, 11, 0), RED, "both squares are here, and the red one is nearer");
    assert_eq!(point(&got, 12, 0), BLUE);
    assert_eq!(point(&got, 15, 0), [0; 4]);
}

/// Four meshes of 60,000 indices: one order fills the first buffer, which is replaced again and again.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn more_orders_than_are_kept_are_drawn_right_and_each_stays_while_an_instance_has_it() {
    let host = Host::new();
    let target = TargetOptions::new(FORMAT);
    let renderer = host.renderer(&target);
    let colors = [RED, GREEN, BLUE, WHITE];
    let mut builder = Builder::new().bones(1);
    for (i, color) in (0..).zip(colors) {
        builder = builder.image(1, &[color]).quad("quad", i, 0, [-4.0, -4.0], [4.0, 4.0]);
    }
    for mesh in &mut builder.parts.meshes {
        mesh.indices.resize(60_000, 0);
    }
    let mut figure = host.figure(&builder.still("still", true, 1).document());
    let view = host.view_of(&picture([8, 8]));
    let draw = |figure: &Figure, instance: &Instance| {
        let picture = host.draw([8, 8], &target, NOTHING, |pass| {
            renderer.draw(pass, &view, &figure.model, instance);
        });
        picture.rgba
    };
    let mut drawn_first = Vec::new();
    for front in 0..4_u16 {
        figure.options.meshes = vec![MeshView::default(); 4];
        figure.options.meshes[usize::from(front)].z_order = Some(1.0);
        drawn_first.push(figure.instance(&host, frame(0, 0)));
    }
    // More combinations of visible meshes and orders than any buffer holds, some of them again.
    let mut other = figure.instance(&host, frame(0, 0));
    for round in (0..24_u32).chain([0, 23, 1, 22]) {
        let visible = |mesh: u32| Some(round & (1 << mesh) != 0 || mesh == round % 4);
        let order = |mesh: u32| Some(f64::from(round * mesh % 5));
        let look = |mesh| MeshView { visible: visible(mesh), z_order: order(mesh) };
        figure.options.meshes = (0..4).map(look).collect();
        figure.pose(&host, &mut other, frame(0, 0));
        let top = figure.frame.draws().last().unwrap().image.index();
        assert_eq!(draw(&figure, &other), colors[top].repeat(64), "round {round}");
    }
    let first = drawn_first[0].indices();
    let replaced = drawn_first.iter().any(|later| later.indices() != first);
    assert!(replaced, "the buffer was replaced");
    for (instance, color) in drawn_first.iter().zip(colors) {
        assert_eq!(draw(&figure, instance), color.repeat(64));
    }
}

const HALF: [u8; 4] = [255, 0, 0, 128];

/// A square of 12 units, with columns of texels.
fn square(texels: &[[u8; 4]]) -> Builder {
    let width = u16::try_from(texels.len()).unwrap();
    Builder::rect(width, texels, [-6.0, -6.0], [6.0, 6.0]).still("still", true, 1)
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn what_is_transparent_hides_nothing_that_is_drawn_behind_it_later() {
    let host = Host::new();
    let mut near = host.figure(&square(&[RED, [0; 4], HALF]).document());
    let mut far = host.figure(&square(&[BLUE]).document());
    let (figure, wall) = (near.instance(&host, frame(0, 0)), far.instance(&host, frame(0, 0)));
    let view = |z: f32| {
        let mut view = host.view();
        let clip_from_world = orthographic(-6.0, 6.0, -6.0, 6.0, 0.0, 10.0);
        let away = Mat4::from_translation(Vec3::new(0.0, 0.0, -z));
        view.set_matrix(&host.queue, clip_from_world * away);
        view.set_sampling(&host.device, Filter::Nearest, false);
        view
    };
    let [close, behind] = [2.0, 5.0].map(view);
    for sample_count in [1, 4] {
        for writes in [true, false] {
            let target = with_depth(sample_count, writes);
            let renderer = host.renderer(&target);
            let got = host.draw([12, 12], &target, NOTHING, |pass| {
                renderer.draw(pass, &close, &near.model, &figure);
                renderer.draw(pass, &behind, &far.model, &wall);
            });
            let wanted = if writes { [RED, BLUE, [128, 0, 0, 128]] } else { [BLUE; 3] };
            let shown = [2, 6, 10].map(|x| pixel(&got, x, 6));
            assert_eq!(shown, wanted, "{sample_count} samples, depth written: {writes}");
        }
    }
}
