//! The rules for motions that are shown on a skeleton.

use pchr::finding::rules;

rules! {
    /// A rule of motions that are shown on a skeleton.
    ArmatureRule "ARMATURE"

    /// A skeleton or a motion that is shown with a file can be read.
    Companion = Error "001" "companion" {
        example: "file: wave.seanim: tracks: the file ends at byte 10482, 2300 more needed",
        advice: "Repair the file named at the start of the message, or choose another with --skeleton or --motion.",
    }
    /// Each track moves a bone of the skeleton.
    TrackUnmatched = Warning "101" "track-unmatched" {
        example: "tracks[5]: the skeleton has no bone named \"tag_weapon\"",
        advice: "Open the motion with its own skeleton. Names are matched exactly, then ignoring case, then by the part after the last colon.",
    }
    /// A skeleton has at most 32,767 bones, and a motion 65,535 frames.
    ShownLimit = Warning "102" "shown-limit" {
        example: "frames: 90000 frames; only the first 65535 can be shown",
        advice: "Split the motion to see all of it. Converting and inspecting have no such limit.",
    }
    /// A PXD motion has a track for each bone of its skeleton.
    BoneCount = Warning "104" "bone-count" {
        example: "tracks: 12 tracks, but the skeleton has 24 bones; it may belong to another motion",
        advice: "With --skeleton, choose the skeleton that the motion was made for.",
    }
    /// A skeleton has bones.
    NoBones = Warning "105" "no-bones" {
        example: "bones: none; nothing to show",
        advice: "Export the file with its skeleton.",
    }
    /// Bones reach at most 10,000,000,000 units from the origin, and lie more than 0.000001 apart.
    Extent = Warning "106" "extent" {
        example: "places: bones reach 1e30 units from the origin; beyond 1e10, pictures may be inexact",
        advice: "Export the file in another unit, or look for a bone that is far from the origin. Other commands use these positions unchanged.",
    }
    /// A track of the motion moves a bone of the skeleton.
    MotionUnmatched = Warning "107" "motion-unmatched" {
        example: "tracks: none of the 12 tracks of \"walk\" moves a bone of the skeleton",
        advice: "Open the motion with its own skeleton. Names are matched exactly, then ignoring case, then by the part after the last colon.",
    }
    /// Most tracks of a motion move bones of the skeleton.
    MotionPart = Warning "108" "motion-part" {
        example: "tracks: only 5 of the 46 tracks of \"wave\" move a bone of the skeleton",
        advice: "Open the motion with its own skeleton. Names are matched exactly, then ignoring case, then by the part after the last colon.",
    }
    /// The skeleton of a motion can be read.
    Skeleton = Warning "103" "skeleton" {
        example: "skeleton: hero.skl.pxd: the file ends at byte 64; the motion is shown without it",
        advice: "Repair the skeleton, or choose another with --skeleton.",
    }
}
