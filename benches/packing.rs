//! Packing of pictures on pages: time, and the share of the pages that they fill.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "made by criterion's macro; figures are for people"
)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pchr::image::Pixels;
use pchr_foreign::packing::{Options, Picture, pack};

/// Pictures of random sizes, no two the same.
fn pictures(count: u32, sizes: std::ops::RangeInclusive<u32>) -> Vec<Picture> {
    let mut state = u64::from(count);
    let mut size = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let range = u64::from(sizes.end() - sizes.start() + 1);
        sizes.start() + u32::try_from((state >> 33) % range).expect("a size")
    };
    let picture = |number: u32| {
        let [width, height] = [size(), size()];
        let mut rgba = vec![255; (width * height * 4) as usize];
        for (byte, own) in rgba.iter_mut().zip(number.to_le_bytes()) {
            *byte = own;
        }
        let pixels = Pixels { width, height, rgba };
        Picture::whole(format!("{number}x"), pixels)
    };
    (0..count).map(picture).collect()
}

fn packing(c: &mut Criterion) {
    let mut group = c.benchmark_group("packing");
    let sets = [
        ("300", pictures(300, 8..=128), 4096),
        ("1500", pictures(1500, 8..=128), 4096),
        ("1500, several pages", pictures(1500, 8..=128), 1024),
        ("10000", pictures(10_000, 4..=64), 4096),
        ("10000 of one size", pictures(10_000, 32..=32), 4096),
    ];
    for (name, pictures, most) in sets {
        let options = Options { page_size: [most; 2], padding: 0, ..Options::default() };
        let packed = pack(&pictures, &options).expect("pages");
        let used: u64 = pictures.iter().map(Picture::bytes).sum();
        let pages: u64 = packed.pages.iter().map(|page| page.rgba.len() as u64).sum();
        let [permille, count] = [used * 1000 / pages, packed.pages.len() as u64];
        println!("packing/{name}: {}.{} % full, pages: {count}", permille / 10, permille % 10);
        group.throughput(Throughput::Elements(pictures.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| black_box(pack(black_box(&pictures), &options).is_ok()));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = packing
}
criterion_main!(benches);
