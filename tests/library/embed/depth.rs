//! Tests of passes whose depths are written.

use pchr::glam::camera::rh::proj::directx::orthographic;
use pchr::glam::{Mat4, Vec3};
use pchr::scene::Filter;

use crate::embed::host::{BLUE, Host, NOTHING, RED, frame, pixel, with_depth};
use crate::fixture::Builder;

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
