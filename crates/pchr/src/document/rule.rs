//! The rules for PCHR files, the source of messages and documentation.

use crate::finding::rules;

rules! {
    /// A rule of PCHR files: v1, JSON and legacy packed.
    PchrRule "PCHR"

    /// A file starts with the magic bytes "PCHR".
    Magic = Error "001" "magic",
        example: "magic: \"pchr\", expected \"PCHR\"",
        advice: "The file is in another format, or its first bytes are damaged: export it again, and check that it was copied as binary.";
    /// The version is 1.
    Version = Error "002" "version",
        example: "version: version 2, but this program reads version 1",
        advice: "Export as version 1, written as a little-endian uint32; a newer version needs a newer pchr-view.";
    /// The file holds all the data that its counts and lengths declare.
    UnexpectedEnd = Error "003" "unexpected-end",
        example: "animations[4].frames: the file ends at byte 1544, 10 bytes too early (138 needed from byte 1416, 128 left)",
        advice: "The file was cut short, or a count or length before this place is too large: copy or export it again. The path names the first field that does not fit.";
    /// Names are UTF-8.
    NameUtf8 = Error "004" "name-utf8",
        example: "bones[2].name: byte 0xff is not UTF-8",
        advice: "Encode names as UTF-8 in the exporter. A length that cuts a character in two has the same effect.";
    /// A file is smaller than 4 GiB, and its images fit in the memory budget.
    Limit = Error "005" "limit",
        example: "images[0].data: \"image 0\": 1.49 GiB of memory needed, 1 GiB left of the limit of 1 GiB",
        advice: "Split the character, or make its atlas images smaller: decoded, all of them must fit in 1 GiB of memory.";
    /// An image's format is 0 (png) or 1 (rgba8888).
    ImageFormat = Error "006" "image-format",
        example: "images[0].format: format 7, expected 0 (png) or 1 (rgba8888)",
        advice: "Store the image as PNG (0) or as raw RGBA (1).";
    /// An rgba8888 image has width x height x 4 bytes.
    ImageLength = Error "007" "image-length",
        example: "images[0].dataLength: 3 bytes, expected 4 (1 x 1 x 4)",
        advice: "Write width x height x 4 bytes of RGBA, or give the width and height that the data has.";
    /// An image's data can be decoded.
    ImageDecode = Error "008" "image-decode",
        example: "images[0].data: \"image 0\": not a PNG, but a GIF image; save it as PNG",
        advice: "Store a complete PNG, not a JPEG or a truncated PNG. The window shows a placeholder for it.";
    /// A bone's parent is -1 or a bone before it.
    BoneParentOrder = Error "012" "bone-parent-order",
        example: "bones[1].parent: bone 1 has parent 2, which comes after it; expected an earlier bone or -1",
        advice: "Write parents before their children, and -1 as the parent of a root.";
    /// A mesh uses an image that exists.
    MeshImage = Error "020" "mesh-image",
        example: "meshes[0].image: image 3, but there are 3 images",
        advice: "Correct the index, counted from 0, or add the image.";
    /// A mesh has three indices for each triangle.
    MeshIndexCount = Error "021" "mesh-index-count",
        example: "meshes[0].indexCount: 5 indices, not a multiple of 3",
        advice: "Write a list of triangles, three indices each; convert strips, fans and quads.";
    /// A triangle uses vertices that exist.
    MeshIndexRange = Error "022" "mesh-index-range",
        example: "meshes[0].indices[0]: vertex 4, but the mesh has 4 vertices",
        advice: "Count vertices from 0 in each mesh.";
    /// A vertex is moved by bones that exist.
    VertexBoneRange = Error "023" "vertex-bone-range",
        example: "meshes[0].vertices[0].boneIds[0]: bone 3 with weight 1, but there are 3 bones",
        advice: "Correct the id, counted from 0. An unused slot has weight 0; its id is ignored.";
    /// Positions, texture coordinates and weights are finite.
    VertexNotFinite = Error "024" "vertex-not-finite",
        example: "meshes[0].vertices[0].x: NaN is not finite",
        advice: "Look for a division by zero in the exporter; a vertex cannot hold NaN or infinities.";
    /// A legacy packed file's lengths add up to its size.
    LegacyLength = Error "040" "legacy-length",
        example: "legacy.imageLength: 9 bytes of image, but 8 bytes follow the JSON",
        advice: "Correct the length: the header (16 bytes), the JSON and the image add up to the file.";
    /// The file is PCHR v1, not the older layout with JSON inside.
    LegacyPacked = Error "041" "legacy-packed",
        example: "legacy.json: a legacy packed file (JSON and PNG in one), but this program was built without the feature json",
        advice: "Build the program with its feature `json`, or export the character as PCHR v1.";
    /// A legacy packed file holds one image, or none.
    LegacyImages = Error "042" "legacy-images",
        example: "images[1]: image \"grey\", path \"grey.png\": a legacy packed file holds one image",
        advice: "Put all images on one atlas page, or pack as PCHR v1, which holds any number.";
    /// A JSON file is valid JSON.
    JsonSyntax = Error "050" "json-syntax",
        example: "fps: expected value",
        advice: "Correct the text at this line and column; comments and trailing commas are not JSON.";
    /// A JSON value has the type and the range of its field; no field is missing or duplicated.
    JsonValue = Error "051" "json-value",
        example: "bones[0].parent: invalid type: string \"root\", expected -1 or the index of an earlier bone, at most 32767",
        advice: "Write the field once, with a value of the type and range that the format requires.";
    /// PCHR JSON has only the format's own keys.
    JsonKey = Error "052" "json-key",
        example: "bones[0].color: unknown field `color`, expected `name` or `parent`",
        advice: "Remove the key, or correct its spelling: PCHR JSON mirrors the binary and holds nothing else.";
    /// A frame has one transform for each bone.
    FrameLength = Error "053" "frame-length",
        example: "animations[0].frames[0]: 0 transforms, but there is 1 bone",
        advice: "Write one transform for each bone in each frame, in the order of the bones.";
    /// An image file lies in the folder of the JSON file.
    SidecarPath = Error "060" "sidecar-path",
        example: "images[0]: image \"grey\", path \"../grey.png\": the path leads outside the folder of the JSON file; allow this with --allow-outside",
        advice: "Put the image beside the JSON file, or below it; or allow this path with --allow-outside.";
    /// An image file exists and can be read.
    SidecarMissing = Error "061" "sidecar-missing",
        example: "images[0]: image \"grey\", path \"gray.png\": cannot read ./gray.png: No such file or directory",
        advice: "Put the image where the path says, relative to the JSON file, with the same capitalisation.";
    /// An image that becomes rgba8888 decodes to its declared size.
    SidecarPixels = Error "062" "sidecar-pixels",
        example: "images[0]: image \"grey\", path \"grey.png\": declared as 2 x 4, but the PNG is 2 x 2",
        advice: "Correct width and height, or provide an image of that size; if the image is stored as png, its size may differ.";
    /// An image to be unpacked has a name that is a valid file name.
    ImageFileName = Error "063" "image-file-name",
        example: "images[0].name: \"../atlas\" leads outside the folder; rename it with --safe-names",
        advice: "Rename the image, or unpack with --safe-names. The name only matters for unpacking, not for reading or validating.";
    /// The header's reserved flags are 0.
    HeaderFlags = Warning "101" "header-flags",
        example: "flags: 0x0001, expected 0: version 1 reserves these flags",
        advice: "Write 0.";
    /// The frame rate is not 0 (0 is played at 24).
    FpsZero = Warning "102" "fps-zero",
        example: "fps: 0 frames per second; played at 24",
        advice: "Write the frame rate at which the animations were sampled.";
    /// Nothing follows the last animation.
    TrailingBytes = Warning "103" "trailing-bytes",
        example: "end of file: 5 bytes follow the last animation",
        advice: "Remove these bytes, or check whether a count before them is too small.";
    /// Names are unique within their section.
    NameDuplicate = Warning "104" "name-duplicate",
        example: "bones[2].name: \"red\" is also the name of bones[1]",
        advice: "Give each element its own name; a name selects the first match.";
    /// A character has at least one image.
    ImagesNone = Warning "105" "images-none",
        example: "imageCount: no images; nothing can be drawn",
        advice: "Add an image, unless the file is meant to be a bare skeleton.";
    /// An image of raw pixels has a width and a height.
    ImageEmpty = Warning "106" "image-empty",
        example: "images[0].width: 0 x 1 pixels cannot become a texture",
        advice: "Remove the image, or give it pixels; meshes that use it are invisible.";
    /// A PNG has the size that its image declares.
    ImageSize = Warning "107" "image-size",
        example: "images[0].width: declared as 4 x 4, but the PNG is 2 x 2",
        advice: "Write the width and height of the PNG. Its real size is used; texture coordinates are relative to it.";
    /// A character has at least one bone.
    BonesNone = Warning "111" "bones-none",
        example: "boneCount: no bones; nothing moves",
        advice: "Add at least a root bone.";
    /// The matrix of a bone can be inverted in the bind pose.
    BoneBindDegenerate = Warning "112" "bone-bind-degenerate",
        example: "animations[0].frames[0][1]: bone \"red\" has no inverse in the bind pose; the vertices that it moves stay as stored",
        advice: "Give the bone a scale other than 0 in the bind pose (frame 0 of the animation `bind`, else of the first), or choose another with --bind.";
    /// A vertex has a positive weight.
    WeightNone = Warning "121" "weight-none",
        example: "meshes[0].vertices[0].boneWeights: all four weights are 0; the vertex lies at the origin",
        advice: "Weight the vertex to a bone: to the root, if nothing else moves it.";
    /// Weights are not negative.
    WeightNegative = Warning "122" "weight-negative",
        example: "meshes[0].vertices[0].boneWeights[1]: -0.25 is negative and contributes nothing",
        advice: "Clamp weights at 0 and normalise them in the exporter.";
    /// A vertex's weights sum to 1.
    WeightSum = Warning "123" "weight-sum",
        example: "meshes[0].vertices[0].boneWeights: weights sum to 0.5, not 1; they are not renormalised",
        advice: "Normalise weights after the four largest have been chosen, so that they sum to 1 within 0.001.";
    /// Texture coordinates lie in 0..1.
    UvRange = Warning "124" "uv-range",
        example: "meshes[0].vertices[0].u: 1.5 lies outside 0..1; the edge of the image is drawn",
        advice: "Keep texture coordinates within the image; images do not repeat.";
    /// A character has at least one animation.
    AnimationsNone = Warning "130" "animations-none",
        example: "animationCount: no animations; nothing plays",
        advice: "Add an animation, unless the character is meant to be still: its vertices are drawn as stored.";
    /// An animation's unknown flag bits are 0.
    AnimationFlags = Warning "131" "animation-flags",
        example: "animations[0].flags: 0x02 sets unknown bits; only bit 0 (looping) is known",
        advice: "Write 0, or 1 for an animation that loops.";
    /// An animation has frames.
    AnimationEmpty = Warning "132" "animation-empty",
        example: "animations[0].frameCount: no frames; it cannot be played",
        advice: "Sample at least one frame, or leave the animation out.";
    /// A transform's unknown flag bits are 0.
    TransformFlags = Warning "133" "transform-flags",
        example: "animations[1].frames[0][1].flags: 0x03 sets unknown bits; only bit 0 (visible) is known",
        advice: "Write 0, or 1 for a bone that is visible.";
    /// Transforms are finite.
    TransformNotFinite = Warning "134" "transform-not-finite",
        example: "animations[1].frames[0][1].x: inf is not finite; read as 0",
        advice: "Look for a division by zero in the exporter, such as the inverse of a parent with scale 0.";
    /// Pachario JSON has only the format's own keys.
    JsonKeyIgnored = Warning "150" "json-key-ignored",
        example: "bones[0].color: unknown key; its value is ignored",
        advice: "If the key is misspelt, correct it; extra data is harmless, but not kept.";
    /// A vertex has at most four influences.
    InfluencesDropped = Warning "151" "influences-dropped",
        example: "meshes[0].vertices[0].bones: 1 of 5 influences dropped, with a weight of 0.0001; the four largest are kept and not renormalised",
        advice: "Limit vertices to four influences, and normalise their weights before export.";
    /// A legacy packed file's image is named in its JSON.
    LegacyImageUnused = Warning "152" "legacy-image-unused",
        example: "legacy.image: 8 bytes of image, but the JSON names no image",
        advice: "Name the image in the JSON, or leave it out of the file.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Rule, Severity};

    #[test]
    fn ids_ascend_names_are_unique_and_ids_tell_the_severity() {
        let all: Vec<Rule> = PchrRule::ALL.iter().map(|rule| rule.rule()).collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                assert!(a < b && a.id() < b.id() && a.name() != b.name(), "{a:?} and {b:?}");
            }
            assert_eq!(a.id().contains("-E"), a.severity() == Severity::Error, "{a:?}");
            assert!(a.about().ends_with('.') && a.advice().ends_with('.'));
            assert!(a.example().contains(": "), "path and message: {a:?}");
        }
    }

    #[test]
    fn rule_and_schemas_name_the_rate_of_files_without_one() {
        let at = format!(" at {}", crate::document::FPS_WHEN_ZERO);
        let played = format!("0 is played{at}.");
        assert!(PchrRule::FpsZero.rule().about().contains(&format!("played{at})")));
        assert!(include_str!("../../../pchr-tools/schemas/pchr.schema.json").contains(&played));
        assert!(include_str!("../../../pchr-tools/schemas/pachario.schema.json").contains(&played));
    }
}
