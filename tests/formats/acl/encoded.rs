//! Tests with clips of the tests' own encoder: values come back within the precision of their bits.

use pchr_foreign::acl::{Clip, Part, Storage, Transform};

use crate::encoder::{Encoder, Source, Track, busy, seal};

/// Bits per component, given the part (0 to 2), index among its animated tracks, and segment.
type Bits = fn(usize, usize, usize) -> u8;

fn read(chunk: &[u8]) -> Clip {
    match Clip::read(chunk, 0) {
        Ok((clip, found)) => {
            assert!(found.is_empty(), "{found:?}");
            clip
        }
        Err(invalid) => panic!("{invalid}"),
    }
}

/// Encoder with all kinds of storage, on tracks that are far apart.
pub(crate) fn mixed(starts: &[u32], bits: fn(usize, usize, usize) -> u8) -> Encoder {
    let moving = busy(5, 20, bits);
    let mut tracks = vec![Track::default(); 19];
    tracks[1].rotation = Source::Constant([0.6, 0.0, 0.0, 0.8]);
    tracks[2].translation = Source::Constant([1.0, -2.0, 3.0]);
    tracks[3].scale = Source::Constant([2.0, 2.0, 0.5]);
    for (place, track) in [4, 7, 8, 16, 18].into_iter().zip(moving.tracks) {
        tracks[place].rotation = track.rotation;
        tracks[place - 1].translation = track.translation.clone();
        tracks[place - 2].scale = track.translation;
    }
    Encoder { starts: starts.to_vec(), has_scale: true, tracks, ..moving }
}

/// Largest difference of a clip from the encoded values, over all samples. Checks its numbers of bits.
fn worst(encoder: &Encoder) -> f32 {
    fn value<const N: usize>(source: &Source<N>, frame: u32, rest: [f32; N]) -> [f32; N] {
        match source {
            Source::Default => rest,
            Source::Constant(value) => *value,
            Source::Animated(values) => values[frame as usize],
        }
    }
    let clip = read(&encoder.chunk());
    for (index, part) in Part::ALL.into_iter().enumerate() {
        for segment in 0..encoder.starts.len() {
            let tracks = 0..clip.track_count();
            let bits = tracks.filter_map(|track| clip.bit_count(part, track, segment));
            assert!(bits.eq((0..5).map(|track| (encoder.bits)(index, track, segment))), "{part:?}");
        }
    }
    let mut pose = Vec::new();
    let mut worst = 0.0_f32;
    for frame in 0..encoder.samples {
        clip.sample_frame(frame, &mut pose);
        assert_eq!(pose.len(), encoder.tracks.len());
        for (track, ours) in encoder.tracks.iter().zip(&pose) {
            let expected = Transform {
                rotation: value(&track.rotation, frame, [0.0, 0.0, 0.0, 1.0]),
                translation: value(&track.translation, frame, [0.0; 3]),
                scale: value(&track.scale, frame, [1.0; 3]),
            };
            let numbers = |it: &Transform| {
                let vectors = it.translation.into_iter().chain(it.scale);
                it.rotation.into_iter().chain(vectors).collect::<Vec<f32>>()
            };
            for (a, b) in numbers(ours).into_iter().zip(numbers(&expected)) {
                worst = worst.max((a - b).abs());
            }
        }
    }
    worst
}

#[test]
fn every_bit_count_comes_back_in_one_segment_and_in_three() {
    let bits: [(Bits, f32); 6] = [
        (|_, _, _| 3, 0.4),
        (|_, _, _| 8, 0.02),
        (|_, _, _| 13, 6e-4),
        (|_, _, _| 19, 2e-5),
        (|_, _, _| 32, 1e-6),
        (|part, track, segment| [16, 17, 18, 19, 32][(part + track + segment) % 5], 1e-4),
    ];
    for (bits, tolerance) in bits {
        for starts in [&[0][..], &[0, 7, 8]] {
            let worst = worst(&mixed(starts, bits));
            assert!(worst <= tolerance, "{starts:?}: {worst}, expected {tolerance}");
        }
    }
}

#[test]
fn tracks_stand_still_in_segments_and_take_no_bits() {
    let mut encoder = mixed(
        &[0, 10],
        |_, track, segment| {
            if (track + segment).is_multiple_of(2) { 0 } else { 19 }
        },
    );
    // Two poses, one for each segment.
    fn hold<const N: usize>(source: &mut Source<N>) {
        if let Source::Animated(values) = source {
            let (first, second) = (values[0], values[10]);
            values[..10].fill(first);
            values[10..].fill(second);
        }
    }
    for track in &mut encoder.tracks {
        hold(&mut track.translation);
        hold(&mut track.scale);
        hold(&mut track.rotation);
    }
    let worst = worst(&encoder);
    assert!(worst <= 1e-4, "{worst}");
    let clip = read(&encoder.chunk());
    assert_eq!(clip.bit_count(Part::Scale, 4, 0), None);
    assert_eq!(clip.bit_count(Part::Scale, 5, 2), None);
    // Between the last sample of one segment and the first of the next.
    let (mut before, mut after, mut between) = (Vec::new(), Vec::new(), Vec::new());
    clip.sample_frame(9, &mut before);
    clip.sample_frame(10, &mut after);
    clip.sample(9.5 / 30.0, &mut between);
    for ((a, b), half) in before.iter().zip(&after).zip(&between) {
        for ((a, b), half) in a.scale.iter().zip(b.scale).zip(half.scale) {
            assert!(((a + b) / 2.0 - half).abs() < 1e-5);
        }
    }
}

#[test]
fn times_beyond_the_ends_are_the_ends() {
    let clip = read(&mixed(&[0], |_, _, _| 12).chunk());
    let at = |seconds: f32| {
        let mut pose = Vec::new();
        clip.sample(seconds, &mut pose);
        pose
    };
    assert_eq!(clip.duration(), 19.0 / 30.0);
    let (first, last) = (at(0.0), at(clip.duration()));
    assert_ne!(first, last);
    assert_eq!(at(-1.0), first);
    assert_eq!(at(f32::NEG_INFINITY), first);
    assert_eq!(at(f32::NAN), first);
    assert_eq!(at(99.0), last);
    assert_eq!(at(f32::INFINITY), last);
    let mut pose = Vec::new();
    clip.sample_frame(u32::MAX, &mut pose);
    assert_eq!(pose, last);
}

#[test]
fn a_clip_says_what_it_holds() {
    let chunk = mixed(&[0, 7, 8], |_, _, _| 9).chunk();
    let mut file = chunk.clone();
    file.extend([0xff; 9]); // of the bytes that follow
    let clip = read(&file);
    assert_eq!(clip.bytes(), chunk);
    assert_eq!((clip.track_count(), clip.sample_count()), (19, 20));
    assert_eq!((clip.sample_rate(), clip.default_scale()), (30.0, 1.0));
    assert_eq!(clip.raw_size(), 19 * 20 * 40);
    assert_eq!(clip.storage(Part::Rotation, 1), Storage::Constant);
    assert_eq!(clip.storage(Part::Rotation, 18), Storage::Animated);
    assert_eq!(clip.storage(Part::Translation, 18), Storage::Default);
    assert_eq!(clip.storage(Part::Scale, 19), Storage::Default);
    assert_eq!(clip.count(Part::Scale, Storage::Animated), 5);
    let samples: Vec<u32> = clip.segments().iter().map(|it| it.samples).collect();
    assert_eq!(samples, [7, 1, 12]);
    let sizes = clip.sizes();
    assert_eq!(sizes.chunk, chunk.len() as u64);
    assert_eq!((sizes.headers, sizes.segments, sizes.types), (84, 64, 24));
    assert_eq!((sizes.constants, sizes.clip_ranges), (36, 15 * 24));
    assert_eq!((sizes.formats, sizes.segment_ranges), (3 * 18, 3 * 18 * 6));
    let pose = 15 * 3 * 9_u64;
    let poses = [7, 1, 12].map(|samples| (samples * pose).div_ceil(8));
    assert_eq!(sizes.samples, poses.iter().sum::<u64>());
}

#[test]
fn a_clip_may_have_no_tracks() {
    let mut chunk = mixed(&[0], |_, _, _| 9).chunk();
    chunk[16..24].fill(0);
    chunk.truncate(32 + 15);
    seal(&mut chunk);
    let clip = read(&chunk);
    assert_eq!((clip.track_count(), clip.segments().len()), (0, 0));
    let mut pose = vec![];
    clip.sample(1.0, &mut pose);
    clip.sample_frame(1, &mut pose);
    assert!(pose.is_empty());
}
