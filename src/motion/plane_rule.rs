//! The rules that a motion is held against where it is applied to a 2D character.

use crate::finding::rules;

rules! {
    /// A rule of motions on 2D characters: what a motion has beyond the plane, or beyond the character, is told and left out.
    PlaneRule "PLANE"

    /// Bones stay in the plane: their z is 0.
    Depth = Warning "101" "depth" {
        example: "tracks[3].translation: \"arm\" at frame 7: z is 12.5; 2 bones leave the plane",
        advice: "Nothing needs to be done if the depth is meant for the eye alone: draw order is the character's. Otherwise turn the motion into the x-y plane first.",
    }
    /// Bones turn about z alone.
    Tilt = Warning "102" "tilt" {
        example: "tracks[3].rotation: \"arm\" at frame 7: 30.000 degrees out of the plane; 2 bones tilt",
        advice: "Of such a turn the part about z is kept. Choose a motion that was made seen from its front, or turn its root.",
    }
    /// Scales along z are 1.
    ScaleDepth = Warning "103" "scale-depth" {
        example: "tracks[3].scale: \"arm\" at frame 7: the scale along z is 1.5; 2 bones grow out of the plane",
        advice: "Nothing needs to be done: a character has no depth that could grow.",
    }
    /// Each track moves a bone of the character.
    TrackUnmatched = Warning "104" "track-unmatched" {
        example: "tracks[5]: no bone of the character is called \"tag_weapon\"",
        advice: "Name the bones alike. Names match exactly, else without case, else behind their last colon.",
    }
    /// Values are finite.
    NotFinite = Warning "105" "not-finite" {
        example: "tracks[0].translation: \"arm\" at frame 7: not finite, or beyond 32 bits; 0 is written, and 1 for a scale; 3 transforms",
        advice: "Correct the value in the exporter.",
    }
    /// Offsets of bones are about as long as in the bind pose.
    MotionScale = Warning "106" "motion-scale" {
        example: "tracks[0].translation: offsets of bones are 0.0101 times those of the bind pose; a motion scale of 99.3 evens that out",
        advice: "Scale the motion: characters are measured in pixels, most motions in metres or centimetres.",
    }
    /// Scales of bones with children reach these.
    ParentScale = Warning "107" "parent-scale" {
        example: "tracks[3].scale: \"arm\" at frame 7: the scale is 1.5, which moves no child in the motion, but does in the character; 1 bone",
        advice: "Scale the ends of chains alone, or bake the motion for bones that inherit scale.",
    }
    /// The custom block of a motion that came from a character fits the motion, and the character that it is put on.
    Block = Warning "108" "block" {
        example: "custom: 24 frames, and 30 in the motion; visibility and draw order are the bind pose's",
        advice: "A program kept the block of an older motion, or the motion is another character's: nothing needs to be done.",
    }
    /// The character has a bind pose, which does not change.
    BindPose = Warning "109" "bind-pose" {
        example: "animation: the character had no frames; frame 0 of the new animation becomes its bind pose",
        advice: "Add an animation named bind, with one frame of the pose that the vertices are stored in.",
    }
}
