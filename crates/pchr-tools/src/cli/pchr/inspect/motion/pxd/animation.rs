//! Builds the report about an animation.

use pchr_foreign::motion::{AnimationType, Motion, RootMotion, Track};

use super::clip;
use super::report::{AnimationReport, KeysOfTracks, TrackReport};
use crate::cli::pchr::inspect::motion::gather::keys;
use crate::cli::pchr::inspect::motion::report::KeysReport;

pub(super) fn report(motion: &Motion) -> AnimationReport<'_> {
    let clips = motion.sampled().map(|sampled| {
        let root = motion.root().and_then(RootMotion::sampled);
        let root = root.map(|root| clip::report(root, "root"));
        let all = std::iter::once(clip::report(sampled, "skeletal"));
        all.chain(root).collect()
    });
    let duration = motion.pxd_layout.stated_secs();
    AnimationReport {
        additive: motion.animation_type == AnimationType::Additive,
        compressed: motion.sampled().is_some(),
        duration: duration.filter(|secs| secs.is_finite()),
        seconds: motion.duration_secs(),
        frame_count: motion.frame_count,
        frames: motion.frames(),
        frame_rate: motion.frames_per_second(),
        tracks: motion.tracks().len(),
        root_motion: motion.root().is_some(),
        keys: clips.is_none().then(|| keys_of(motion)),
        clips,
    }
}

fn keys_of(motion: &Motion) -> KeysOfTracks {
    let tracks = motion.tracks().iter().enumerate();
    let tracks: Vec<TrackReport> = tracks.map(|(index, it)| track(motion, it, index)).collect();
    let sum = |of: fn(&TrackReport) -> Option<KeysReport>| {
        let keys = tracks.iter().filter_map(of);
        keys.map(|keys| keys.keys).sum()
    };
    let root = motion.root().and_then(RootMotion::keys);
    KeysOfTracks {
        translation_keys: sum(|track| track.translation),
        rotation_keys: sum(|track| track.rotation),
        scale_keys: sum(|track| track.scale),
        root: root.map(|root| track(motion, root, 0)),
        tracks,
    }
}

fn track(motion: &Motion, track: &Track, index: usize) -> TrackReport {
    let there = |keys: KeysReport| (keys.keys > 0).then_some(keys);
    let translation = motion.translation(track).map(keys).and_then(there);
    let rotation = motion.rotation(track).map(keys).and_then(there);
    let scale = motion.scale(track).map(keys).and_then(there);
    let lists = [translation, rotation, scale].into_iter().flatten();
    TrackReport {
        index,
        translation,
        rotation,
        scale,
        first_frame: lists.clone().filter_map(|keys| keys.first_frame).min(),
        last_frame: lists.clone().filter_map(|keys| keys.last_frame).max(),
        sorted: lists.clone().all(|keys| keys.sorted),
        offset: track.offset,
    }
}
