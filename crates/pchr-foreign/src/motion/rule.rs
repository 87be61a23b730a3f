//! The rules for SEAnim files and for motions that are shown, the source of messages and documentation.

use pchr::finding::rules;

rules! {
    /// A rule of SEAnim files. Faults of known writers are repaired, with a warning.
    SeanimRule "SEANIM"

    /// A file starts with the magic bytes "SEAnim".
    Magic = Error "001" "magic",
        example: "magic: \"seanim\", expected \"SEAnim\"",
        advice: "The file is in another format, or its first bytes are damaged: export it again, and check that it was copied as binary.";
    /// The version is 1.
    Version = Error "002" "version",
        example: "version: version 2, but this program reads version 1",
        advice: "Export as version 1; a newer version needs a newer pchr-view.";
    /// The file holds all the data that its counts declare.
    UnexpectedEnd = Error "003" "unexpected-end",
        example: "bones[4].rot: 12 keys take 204 bytes, but 80 are left",
        advice: "The file was cut short, or a count before this place is wrong. The Python library cuts off the end of names with non-ASCII letters: rename such bones before exporting with it.";
    /// The header has 28 bytes or more, including its size field.
    HeaderSize = Error "004" "header-size",
        example: "headerSize: 26, expected 28 or more: the size counts its own two bytes",
        advice: "Write 28 (0x1C), as all programs do, although the specification says that the size does not count itself.";
    /// A file has at most 1,000,000 bones and 1,000,000 notes.
    Limit = Error "005" "limit",
        example: "boneCount: 4294967295 bones, expected at most 1000000",
        advice: "Correct the count, or split the motion.";
    /// The text of a JSON mirror is valid JSON in UTF-8.
    JsonSyntax = Error "050" "json-syntax",
        example: "document: expected `,` or `}`",
        advice: "Correct the text at this line and column; comments and trailing commas are not JSON.";
    /// A value of a JSON mirror has the type and the range of its field; no field is missing, and no other is present.
    JsonValue = Error "051" "json-value",
        example: "bones[0].loc[1][2]: invalid type: null, expected a number, \"NaN\", \"Infinity\" or \"-Infinity\"",
        advice: "Give the field a value of the required type and range: `pchr schema seanim` prints them.";
    /// The animation type is 0 to 3.
    TypeUnknown = Warning "101" "type-unknown",
        example: "animType: 7, expected 0 (absolute), 1 (additive), 2 (relative) or 3 (delta); shown as absolute",
        advice: "Write one of the four types.";
    /// The frame rate is a number above 0.
    Rate = Warning "102" "frame-rate",
        example: "framerate: 0, as the Python library writes it unless a script sets it; played at 30",
        advice: "Set the frame rate before saving.";
    /// A motion has at least one frame.
    FrameCount = Warning "103" "frame-count",
        example: "frameCount: 0 frames; played up to the last key",
        advice: "Write the largest frame plus 1.";
    /// Reserved bits of flags are 0.
    FlagBits = Warning "104" "flag-bits",
        example: "dataPropertyFlags: 0x02 sets unknown bits; only 0x01 is known",
        advice: "Write 0 for reserved bits.";
    /// Reserved bytes are 0.
    Reserved = Warning "105" "reserved",
        example: "reserved1: 01 00, expected 0",
        advice: "Write 0 in reserved bytes.";
    /// A motion has bones or notes.
    BlocksNone = Warning "106" "blocks-none",
        example: "dataPresenceFlags: no bones and no notes",
        advice: "Export keys or notes: the specification requires at least one block other than a custom one.";
    /// A count is 0 where its block is absent.
    CountUnused = Warning "107" "count-unused",
        example: "boneCount: 2 bones, but the file has none",
        advice: "Write 0, or set the block's bits.";
    /// A modifier refers to a bone that exists.
    ModifierRange = Warning "108" "modifier-range",
        example: "modifiers[0]: bone 5, but there is 1 bone; the modifier is left out",
        advice: "Correct the index, counted from 0.";
    /// The type of a modifier is 0 to 3.
    ModifierType = Warning "109" "modifier-type",
        example: "modifiers[0]: type 7, expected 0 to 3; shown as absolute",
        advice: "Write one of the four types.";
    /// A bone has at most one modifier.
    ModifierTwice = Warning "110" "modifier-twice",
        example: "modifiers[3]: bone 2 already has a modifier; the last one is used",
        advice: "Write one modifier for each bone.";
    /// The header states the number of modifiers.
    ModifierCount = Warning "111" "modifier-count",
        example: "boneAnimModifierCount: 0, but the file has 1 modifier, which is read; the Python library (seanim.py) writes new clips like this",
        advice: "Convert the file to SEAnim again: other programs misread all of its bones.";
    /// Bones without any key are not in the file.
    BonesWithoutKeys = Warning "112" "bones-without-keys",
        example: "dataPresenceFlags: the bit for bones is not set, but the file has 2 bones, which are read; the Python library (seanim.py) and SELibDotNet write bones without keys like this",
        advice: "Convert the file to SEAnim again: other programs misread its notes.";
    /// The bit for notes is set if there are notes.
    NotesWithoutBit = Warning "113" "notes-without-bit",
        example: "dataPresenceFlags: the bit for notes is not set, but the file has 2 notes, which are read; SELibDotNet accepts this, too",
        advice: "Set bit 0x40, or convert the file to SEAnim again.";
    /// The custom block is present if its bit is set.
    CustomMissing = Warning "114" "custom-missing",
        example: "custom: the file ends before it; the Python library (seanim.py) keeps its bit and drops the block",
        advice: "Convert the file to SEAnim again; the content of the block is lost.";
    /// Indices are as wide as their count requires.
    IndexWidth = Warning "115" "index-width",
        example: "frameCount: 1-byte indices, expected 2-byte ones for 256 frames; read as programs of 2017 write them",
        advice: "Convert the file to SEAnim again: current programs cannot read it.";
    /// The file ends with its last block.
    Trailing = Warning "116" "trailing-bytes",
        example: "file: 8 bytes after the last block",
        advice: "Check that the whole file was copied, and that its counts are right.";
    /// Names are UTF-8.
    NameUtf8 = Warning "117" "name-utf8",
        example: "bones[0].name: byte 0xe9 is not UTF-8; shown as \"caf\u{fffd}\"",
        advice: "Encode names as UTF-8: programs look up bones by name, and the Python library refuses the file.";
    /// Names of bones are unique.
    NameDuplicate = Warning "118" "name-duplicate",
        example: "bones[1].name: \"a\" is also the name of bone 0; both are kept, but SELibDotNet refuses the file",
        advice: "Give each bone its own name.";
    /// Flags of a bone are 0 or 1.
    BoneFlags = Warning "119" "bone-flags",
        example: "bones[0].flags: 5, expected 0 (default) or 1 (cosmetic)",
        advice: "Write 0, or 1 for a cosmetic bone.";
    /// Keys ascend by frame.
    KeyOrder = Warning "120" "key-order",
        example: "bones[0].loc[1]: frame 0 comes after frame 9, as the Blender exporter writes it; sorted for playback",
        advice: "Sort keys by frame: programs that do not sort them play them wrongly.";
    /// A list has at most one key for each frame.
    KeyDuplicate = Warning "121" "key-duplicate",
        example: "bones[0].loc[2]: frame 4 already has a key; the last one is used",
        advice: "Write one key for each frame.";
    /// Keys lie within the motion.
    KeyRange = Warning "122" "key-range",
        example: "bones[0].loc[2]: frame 9, but there are 5 frames; the motion is extended to it",
        advice: "Write the largest frame plus 1 as frameCount.";
    /// Values are finite.
    NotFinite = Warning "123" "not-finite",
        example: "bones[0].loc[0]: [NaN, 1.0, 2.0] is not finite",
        advice: "Correct the value in the exporter: a bone with such a key has no position.";
    /// A rotation has the length 1.
    RotationLength = Warning "124" "rotation-length",
        example: "bones[0].rot[1]: rotation of length 2.0000, expected 1; normalised for playback",
        advice: "Normalise quaternions before saving; length 0 is not a rotation.";
    /// Notes lie within the motion.
    NoteRange = Warning "125" "note-range",
        example: "notes[0]: frame 9, but there are 5 frames; the motion is extended to it",
        advice: "Write the largest frame plus 1 as frameCount.";
    /// Notes are not grouped by name.
    NoteOrder = Warning "126" "note-order",
        example: "notes[2]: notes are grouped by name, as SELib and WraithX write them, instead of ordered by frame; they are sorted for playback",
        advice: "Nothing to do, but programs that read notes in file order reach them late.";
}

rules! {
    /// A rule of motions on 2D characters: content that does not fit the plane or the character is reported and left out.
    PlaneRule "PLANE"

    /// Bones stay in the plane: their z is 0.
    Depth = Warning "101" "depth",
        example: "tracks[3].translation: \"arm\" at frame 7: z is 12.5; 2 bones leave the plane",
        advice: "Nothing to do if the depth is only visual: the character sets the draw order. Otherwise rotate the motion into the x-y plane first.";
    /// Bones turn about z alone.
    Tilt = Warning "102" "tilt",
        example: "tracks[3].rotation: \"arm\" at frame 7: 30.000 degrees out of the plane; 2 bones tilt",
        advice: "Only the rotation about z is kept. Choose a motion made to be seen from the front, or rotate its root.";
    /// Scales along z are 1.
    ScaleDepth = Warning "103" "scale-depth",
        example: "tracks[3].scale: \"arm\" at frame 7: the scale along z is 1.5; 2 bones grow out of the plane",
        advice: "Nothing to do: a character has no depth to scale.";
    /// Each track moves a bone of the character.
    TrackUnmatched = Warning "104" "track-unmatched",
        example: "tracks[5]: the character has no bone named \"tag_weapon\"",
        advice: "Give the bones the same names. Names are matched exactly, then ignoring case, then by the part after the last colon.";
    /// Values are finite.
    NotFinite = Warning "105" "not-finite",
        example: "tracks[0].translation: \"arm\" at frame 7: not finite, or beyond 32 bits; written as 0 (a scale as 1); 3 transforms",
        advice: "Correct the value in the exporter.";
    /// Offsets of bones are about as long as in the bind pose.
    MotionScale = Warning "106" "motion-scale",
        example: "tracks[0].translation: bone offsets are 0.0101 times those of the bind pose; correct this with --motion-scale 99.3",
        advice: "Scale the motion: characters are measured in pixels, most motions in metres or centimetres.";
    /// The scale of a bone also scales its children.
    ParentScale = Warning "107" "parent-scale",
        example: "tracks[3].scale: \"arm\" at frame 7: the scale is 1.5; in the motion it does not move children, but in the character it does; 1 bone",
        advice: "Scale only bones without children, or bake the motion for bones that inherit scale.";
    /// The character has a bind pose, which does not change.
    BindPose = Warning "109" "bind-pose",
        example: "animation: the character had no frames; frame 0 of the new animation becomes the bind pose",
        advice: "Add an animation named `bind` with one frame: the pose in which the vertices are stored.";
    /// Every track of the motion moves a bone of the character.
    MotionUnmatched = Warning "110" "motion-unmatched",
        example: "tracks: only 3 of the 37 tracks move a bone of the character, not \"hips\", \"spine\", \"neck\" and 31 more",
        advice: "Choose a motion made for the character, or give the bones the same names. Names are matched exactly, then ignoring case, then by the part after the last colon.";
}

rules! {
    /// A rule of motions that are shown on a skeleton.
    ArmatureRule "ARMATURE"

    /// A skeleton or a motion that is shown with a file can be read.
    Companion = Error "001" "companion",
        example: "file: wave.seanim: tracks: the file ends at byte 10482, 2300 more needed",
        advice: "Repair the file named at the start of the message, or choose another with --skeleton or --motion.";
    /// Each track moves a bone of the skeleton.
    TrackUnmatched = Warning "101" "track-unmatched",
        example: "tracks[5]: the skeleton has no bone named \"tag_weapon\"",
        advice: "Open the motion with its own skeleton. Names are matched exactly, then ignoring case, then by the part after the last colon.";
    /// A skeleton has at most 32,767 bones, and a motion 65,535 frames.
    ShownLimit = Warning "102" "shown-limit",
        example: "frames: 90000 frames; only the first 65535 can be shown",
        advice: "Split the motion to see all of it. Converting and inspecting have no such limit.";
    /// A PXD motion has a track for each bone of its skeleton.
    BoneCount = Warning "104" "bone-count",
        example: "tracks: 12 tracks, but the skeleton has 24 bones; it may belong to another motion",
        advice: "With --skeleton, choose the skeleton that the motion was made for.";
    /// A skeleton has bones.
    NoBones = Warning "105" "no-bones",
        example: "bones: none; nothing to show",
        advice: "Export the file with its skeleton.";
    /// Bones reach at most 10,000,000,000 units from the origin, and lie more than 0.000001 apart.
    Extent = Warning "106" "extent",
        example: "places: bones reach 1e30 units from the origin; beyond 1e10, pictures may be inexact",
        advice: "Export the file in another unit, or look for a bone that is far from the origin. Other commands use these positions unchanged.";
    /// A track of the motion moves a bone of the skeleton.
    MotionUnmatched = Warning "107" "motion-unmatched",
        example: "tracks: none of the 12 tracks of \"walk\" moves a bone of the skeleton",
        advice: "Open the motion with its own skeleton. Names are matched exactly, then ignoring case, then by the part after the last colon.";
    /// Most tracks of a motion move bones of the skeleton.
    MotionPart = Warning "108" "motion-part",
        example: "tracks: only 5 of the 46 tracks of \"wave\" move a bone of the skeleton",
        advice: "Open the motion with its own skeleton. Names are matched exactly, then ignoring case, then by the part after the last colon.";
    /// The skeleton of a motion can be read.
    Skeleton = Warning "103" "skeleton",
        example: "skeleton: hero.skl.pxd: the file ends at byte 64; the motion is shown without it",
        advice: "Repair the skeleton, or choose another with --skeleton.";
}
