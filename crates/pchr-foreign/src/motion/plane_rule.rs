//! The rules for motions that are applied to a 2D character.

use pchr::finding::rules;

rules! {
    /// A rule of motions on 2D characters: content that does not fit the plane or the character is reported and left out.
    PlaneRule "PLANE"

    /// Bones stay in the plane: their z is 0.
    Depth = Warning "101" "depth" {
        example: "tracks[3].translation: \"arm\" at frame 7: z is 12.5; 2 bones leave the plane",
        advice: "Nothing to do if the depth is only visual: the character sets the draw order. Otherwise rotate the motion into the x-y plane first.",
    }
    /// Bones turn about z alone.
    Tilt = Warning "102" "tilt" {
        example: "tracks[3].rotation: \"arm\" at frame 7: 30.000 degrees out of the plane; 2 bones tilt",
        advice: "Only the rotation about z is kept. Choose a motion made to be seen from the front, or rotate its root.",
    }
    /// Scales along z are 1.
    ScaleDepth = Warning "103" "scale-depth" {
        example: "tracks[3].scale: \"arm\" at frame 7: the scale along z is 1.5; 2 bones grow out of the plane",
        advice: "Nothing to do: a character has no depth to scale.",
    }
    /// Each track moves a bone of the character.
    TrackUnmatched = Warning "104" "track-unmatched" {
        example: "tracks[5]: the character has no bone named \"tag_weapon\"",
        advice: "Give the bones the same names. Names are matched exactly, then ignoring case, then by the part after the last colon.",
    }
    /// Values are finite.
    NotFinite = Warning "105" "not-finite" {
        example: "tracks[0].translation: \"arm\" at frame 7: not finite, or beyond 32 bits; written as 0 (a scale as 1); 3 transforms",
        advice: "Correct the value in the exporter.",
    }
    /// Offsets of bones are about as long as in the bind pose.
    MotionScale = Warning "106" "motion-scale" {
        example: "tracks[0].translation: bone offsets are 0.0101 times those of the bind pose; correct this with --motion-scale 99.3",
        advice: "Scale the motion: characters are measured in pixels, most motions in metres or centimetres.",
    }
    /// The scale of a bone also scales its children.
    ParentScale = Warning "107" "parent-scale" {
        example: "tracks[3].scale: \"arm\" at frame 7: the scale is 1.5; in the motion it does not move children, but in the character it does; 1 bone",
        advice: "Scale only bones without children, or bake the motion for bones that inherit scale.",
    }
    /// The custom block of a motion that came from a character fits the motion, and the character that the motion is added to.
    Block = Warning "108" "block" {
        example: "custom: 24 frames, but the motion has 30; visibility and draw order come from the bind pose",
        advice: "Nothing to do: a program kept the block of an older motion, or the motion was made for another character.",
    }
    /// The character has a bind pose, which does not change.
    BindPose = Warning "109" "bind-pose" {
        example: "animation: the character had no frames; frame 0 of the new animation becomes the bind pose",
        advice: "Add an animation named `bind` with one frame: the pose in which the vertices are stored.",
    }
    /// Every track of the motion moves a bone of the character.
    MotionUnmatched = Warning "110" "motion-unmatched" {
        example: "tracks: only 3 of the 37 tracks move a bone of the character, not \"hips\", \"spine\", \"neck\" and 31 more",
        advice: "Choose a motion made for the character, or give the bones the same names. Names are matched exactly, then ignoring case, then by the part after the last colon.",
    }
}
