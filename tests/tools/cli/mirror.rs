//! Tests of mirrored pictures.

use crate::desk::{Desk, Picture, succeeded};

/// Captures the sample with a renderer, plain and mirrored: the one is the other flipped, but for the rounding of edges.
fn flips(renderer: &str) {
    let desk = Desk::new();
    desk.put_bytes("sample.pchr", include_bytes!("../../../assets/sample.pchr"));
    let capture = |name: &str, more: &[&str]| {
        let args =
            ["capture", "sample.pchr", "-a", "jump", "-f", "22", "-s", "201x160", "-o", name];
        let args = [&args[..], &["--renderer", renderer], more].concat();
        succeeded(&desk.run(&args));
        desk.picture(name)
    };
    let plain = capture("plain.png", &[]);
    let mirrored = capture("mirrored.png", &["--mirror"]);
    let Picture { width, height, .. } = plain;
    let off = |x: usize, y: usize| {
        let [a, b] = [plain.at(x, y), mirrored.at(width - 1 - x, y)];
        a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max() > Some(32)
    };
    let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let outliers = all.filter(|(x, y)| off(*x, *y)).count();
    assert!(outliers < width * height / 1000, "{outliers} pixels differ");
    assert_ne!(plain, mirrored);
}

#[test]
fn a_mirrored_picture_is_the_picture_flipped() {
    flips("cpu");
}

#[cfg(feature = "render")]
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_mirrored_picture_of_an_adapter_is_the_picture_flipped() {
    flips("gpu");
}
