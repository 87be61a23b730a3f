//! The notes about the smoothness of animations, the source of messages and documentation.

use crate::finding::rules;

rules! {
    /// A note about the smoothness of an animation, in a file of any format.
    SmoothnessRule "MOTION"

    /// An animation that loops goes on from its last frame to its first like from any other to the next.
    Loop = Note "001" "motion-loop" {
        example: "animations[2].frames[0][5]: \"walk\": loop jumps: bone \"hand\" by 34.2 px from the last frame to the first, at most 4.1 px before and after; the picture by 12.3 px, usually 2.0 px",
        advice: "Make the last frame the one before the first: add frames between them, or move the last keys. If the animation plays once, export it as such.",
    }
    /// A bone's step to a frame is in line with the steps before and after it.
    Pop = Note "002" "motion-pop" {
        example: "animations[2].frames[12][5]: \"walk\": bone \"hand\" jumps by 34.2 px, at most 4.1 px before and after",
        advice: "Look at the frames around it: a key may be missing or in the wrong place, a rotation may go the long way round, or the skin may have changed its bone. A cut that is meant needs no change.",
    }
    /// An animation whose file does not say whether it loops ends where it begins.
    End = Note "003" "motion-end" {
        example: "animations[0].frames[0][0]: \"jump\": loop does not close: bone \"hips\" ends 120 cm from where it begins",
        advice: "Nothing, if the animation plays once.",
    }
    /// Of a huge file, the first frames are measured.
    LeftOut = Note "004" "motion-left-out" {
        example: "animations[7].frames[2000][0]: \"long\": too large: frame 2000 and later were not measured",
        advice: "Check the animation in a file of its own.",
    }
}
