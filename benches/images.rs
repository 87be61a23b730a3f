//! Time to decode images to premultiplied texels, against the `png` crate alone.
#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "made by criterion's macro; what does not decode ends the bench"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "support/subjects.rs"]
mod subjects;

use std::hint::black_box;
use std::io::Cursor;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pchr::bytes::Budget;
use pchr::document::ImageFormat;
use pchr::image::{DEFAULT_BUDGET, decode};
use subjects::subjects;

fn images(c: &mut Criterion) {
    let mut group = c.benchmark_group("image");
    for subject in subjects() {
        let document = subject.document();
        let Some((id, image)) = document.image_ids().zip(document.images()).next() else {
            continue;
        };
        let (reference, data) = match image.format() {
            ImageFormat::Png => ("png (reference)", image.data()),
            ImageFormat::Rgba8888 => ("copy (reference)", image.data()),
        };
        let pixels = u64::from(image.width()) * u64::from(image.height());
        group.throughput(Throughput::Bytes(pixels * 4));
        group.bench_function(format!("{}/{reference}", subject.name), |b| {
            b.iter(|| match image.format() {
                ImageFormat::Rgba8888 => black_box(black_box(data).to_vec()),
                ImageFormat::Png => {
                    let decoder = png::Decoder::new(Cursor::new(black_box(data)));
                    let mut reader = decoder.read_info().expect("a PNG");
                    let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
                    reader.next_frame(&mut rgba).expect("a whole PNG");
                    black_box(rgba)
                }
            });
        });
        group.bench_function(format!("{}/decode", subject.name), |b| {
            b.iter(|| {
                let budget = Budget::new(DEFAULT_BUDGET);
                black_box(decode(&document, id, &budget).is_ok())
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = images
}
criterion_main!(benches);
