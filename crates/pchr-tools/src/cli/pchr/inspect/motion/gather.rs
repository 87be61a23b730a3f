//! Builds the report about a motion.

use std::collections::HashMap;

use pchr_foreign::format::seanim::Outline;
use pchr_foreign::motion::{AnimationType, Channel, IndexWidth, Keys, Motion, Precision};

use super::report::{
    HeaderReport, KeysReport, ModifierReport, NoteReport, Report, SectionReport, Totals,
    TrackReport, TypeReport,
};
use crate::cli::pchr::findings::Fold;
use crate::cli::pchr::motion_input::MotionInput;

pub(super) fn gather<'a>(input: &'a MotionInput, folds: &'a [Fold]) -> Report<'a> {
    let MotionInput { name, size, file } = input;
    let (motion, outline) = (&file.motion, &file.outline);
    let tracks = tracks(motion, outline);
    let sections = outline.blocks.iter().map(|block| SectionReport {
        name: block.name,
        count: block.count,
        bytes: block.bytes.clone().into(),
    });
    let modifiers = motion.modifiers.iter().map(|modifier| ModifierReport {
        track: modifier.track,
        animation_type: type_report(modifier.animation_type),
        offset: modifier.offset,
    });
    let rate = f64::from(motion.frames_per_second());
    let notes = motion.notes_by_frame().into_iter().map(|note| NoteReport {
        frame: note.frame,
        seconds: f64::from(note.frame) / rate,
        name: note.name.text(),
        offset: note.offset,
    });
    Report {
        program_version: crate::version(),
        file: name,
        format: file.format.id(),
        format_name: file.format.name(),
        size: *size,
        header: header(motion, outline),
        totals: totals(motion, &tracks),
        sections: sections.collect(),
        findings: folds.iter().map(Into::into).collect(),
        tracks,
        modifiers: modifiers.collect(),
        notes: notes.collect(),
        custom_bytes: motion.custom.as_ref().map(Vec::len),
    }
}

fn header(motion: &Motion, outline: &Outline) -> HeaderReport {
    let channels = motion.channels();
    let all = [
        (Channel::Translation, "translation"),
        (Channel::Rotation, "rotation"),
        (Channel::Scale, "scale"),
    ];
    let stored = all.iter().filter(|(channel, _)| channels.has(*channel));
    let bytes = |width: Option<IndexWidth>| width.map_or(0, IndexWidth::bytes);
    HeaderReport {
        version: 1,
        header_size: outline.header_size,
        animation_type: type_report(motion.animation_type),
        looped: motion.looped,
        flags: outline.flags,
        frame_rate: motion.rate.is_finite().then_some(motion.rate),
        playback_rate: motion.frames_per_second(),
        frame_count: motion.frame_count,
        precision: match motion.precision() {
            Precision::Single => "single",
            Precision::Double => "double",
        },
        frame_index_bytes: bytes(outline.frame_width),
        bone_index_bytes: bytes(outline.bone_width),
        channels: stored.map(|(_, name)| *name).collect(),
    }
}

fn totals(motion: &Motion, tracks: &[TrackReport<'_>]) -> Totals {
    let keys = |of: fn(&TrackReport<'_>) -> Option<KeysReport>| {
        let keys = tracks.iter().filter_map(of);
        keys.map(|keys| keys.keys).sum()
    };
    Totals {
        tracks: tracks.len(),
        cosmetic: tracks.iter().filter(|track| track.cosmetic).count(),
        translation_keys: keys(|track| track.translation),
        rotation_keys: keys(|track| track.rotation),
        scale_keys: keys(|track| track.scale),
        modifiers: motion.modifiers.len(),
        notes: motion.notes.len(),
        frames: motion.frames(),
        seconds: motion.duration_secs(),
    }
}

fn tracks<'a>(motion: &'a Motion, outline: &Outline) -> Vec<TrackReport<'a>> {
    // The last modifier of a bone is used.
    let modifiers = motion.modifiers.iter();
    let modifiers: HashMap<u32, AnimationType> = modifiers
        .map(|modifier| (modifier.track, modifier.animation_type))
        .collect();
    let tracks = motion.tracks().iter().zip(0..);
    tracks
        .map(|(track, index)| {
            let translation = motion.translation(track).map(keys);
            let rotation = motion.rotation(track).map(keys);
            let scale = motion.scale(track).map(keys);
            let lists = [translation, rotation, scale].into_iter().flatten();
            let own = u32::try_from(index).ok();
            let own = own.and_then(|index| modifiers.get(&index));
            TrackReport {
                index,
                name: track.target.text(),
                cosmetic: track.flags & 1 != 0,
                flags: track.flags,
                animation_type: type_report(*own.unwrap_or(&motion.animation_type)),
                modified: own.is_some(),
                translation,
                rotation,
                scale,
                first_frame: lists.clone().filter_map(|keys| keys.first_frame).min(),
                last_frame: lists.clone().filter_map(|keys| keys.last_frame).max(),
                sorted: lists.clone().all(|keys| keys.sorted),
                name_offset: track.offset,
                bytes: outline.bones.get(index).cloned().map(Into::into),
            }
        })
        .collect()
}

pub(super) fn keys<const N: usize>(keys: Keys<'_, N>) -> KeysReport {
    KeysReport {
        keys: keys.len(),
        first_frame: keys.iter().map(|key| key.frame).min(),
        last_frame: keys.iter().map(|key| key.frame).max(),
        sorted: keys.is_sorted(),
    }
}

fn type_report(animation_type: AnimationType) -> TypeReport {
    TypeReport {
        code: animation_type.code(),
        name: match animation_type {
            AnimationType::Absolute => "absolute",
            AnimationType::Additive => "additive",
            AnimationType::Relative => "relative",
            AnimationType::Delta => "delta",
            AnimationType::Unknown(_) => "unknown",
        },
    }
}
