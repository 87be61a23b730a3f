//! The rules that a file is held against: one table, from which programs and documentation are made.

/// How much a broken rule matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file is shown all the same.
    Warning,
    /// The file is not loaded.
    Error,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $variant:ident = $severity:ident $number:literal $name:literal,)+) => {
        /// A rule with its stable id. The ids are a contract: they are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Rule {
            /// Every rule, errors first, in the order of a file's sections.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable id, like `PCHR-E012`.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => rules!(@id $severity $number),)+ }
            }

            /// A readable name, like `bone-parent-order`; as stable as the id.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Whether breaking it stops the load.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// What the rule demands, in one sentence.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
    (@id Error $number:literal) => { concat!("PCHR-E", $number) };
    (@id Warning $number:literal) => { concat!("PCHR-W", $number) };
}

rules! {
    /// A file starts with the magic bytes "PCHR".
    Magic = Error "001" "magic",
    /// The version is 1.
    Version = Error "002" "version",
    /// The data holds everything that its counts and lengths announce.
    UnexpectedEnd = Error "003" "unexpected-end",
    /// Names are UTF-8.
    NameUtf8 = Error "004" "name-utf8",
    /// A file is smaller than 4 GiB, and its images fit in the memory budget.
    Limit = Error "005" "limit",
    /// An image's format is 0 (png) or 1 (rgba8888).
    ImageFormat = Error "006" "image-format",
    /// An rgba8888 image has width x height x 4 bytes.
    ImageLength = Error "007" "image-length",
    /// An image's data can be decoded.
    ImageDecode = Error "008" "image-decode",
    /// A bone's parent is -1 or a bone before it.
    BoneParentOrder = Error "012" "bone-parent-order",
    /// A mesh names an image that exists.
    MeshImage = Error "020" "mesh-image",
    /// A mesh has three indices for each triangle.
    MeshIndexCount = Error "021" "mesh-index-count",
    /// A triangle names vertices that exist.
    MeshIndexRange = Error "022" "mesh-index-range",
    /// A vertex is moved by bones that exist.
    VertexBoneRange = Error "023" "vertex-bone-range",
    /// Positions, texture coordinates and weights are finite.
    VertexNotFinite = Error "024" "vertex-not-finite",
    /// A legacy packed file's lengths add up to its size.
    LegacyLength = Error "040" "legacy-length",
    /// The file is PCHR v1, not the older layout with JSON inside.
    LegacyPacked = Error "041" "legacy-packed",
    /// A legacy packed file holds one image, or none.
    LegacyImages = Error "042" "legacy-images",
    /// A JSON file is well formed.
    JsonSyntax = Error "050" "json-syntax",
    /// A JSON value has the type and the range of its field, and none is missing or there twice.
    JsonValue = Error "051" "json-value",
    /// PCHR JSON has no keys but those of the format.
    JsonKey = Error "052" "json-key",
    /// A frame has one transform for each bone.
    FrameLength = Error "053" "frame-length",
    /// An image file lies in the folder of the JSON file.
    SidecarPath = Error "060" "sidecar-path",
    /// An image file is there and can be read.
    SidecarMissing = Error "061" "sidecar-missing",
    /// An image that becomes rgba8888 decodes, to the size that is announced.
    SidecarPixels = Error "062" "sidecar-pixels",
    /// An image that is unpacked has a name that a file in the folder can have.
    ImageFileName = Error "063" "image-file-name",
    /// The header's reserved flags are 0.
    HeaderFlags = Warning "101" "header-flags",
    /// The frame rate is not 0 (it plays at 24 then).
    FpsZero = Warning "102" "fps-zero",
    /// Nothing follows the last animation.
    TrailingBytes = Warning "103" "trailing-bytes",
    /// Names are unique within their section.
    NameDuplicate = Warning "104" "name-duplicate",
    /// There is an image to draw from.
    ImagesNone = Warning "105" "images-none",
    /// An image has a width and a height.
    ImageEmpty = Warning "106" "image-empty",
    /// A PNG has the size that its image announces.
    ImageSize = Warning "107" "image-size",
    /// There is a bone to pose.
    BonesNone = Warning "111" "bones-none",
    /// A bone can be inverted in the bind pose.
    BoneBindDegenerate = Warning "112" "bone-bind-degenerate",
    /// A vertex has a positive weight.
    WeightNone = Warning "121" "weight-none",
    /// Weights are not negative.
    WeightNegative = Warning "122" "weight-negative",
    /// A vertex's weights sum to 1.
    WeightSum = Warning "123" "weight-sum",
    /// Texture coordinates lie in 0..1.
    UvRange = Warning "124" "uv-range",
    /// An animation's unknown flag bits are 0.
    AnimationFlags = Warning "131" "animation-flags",
    /// An animation has frames.
    AnimationEmpty = Warning "132" "animation-empty",
    /// A transform's unknown flag bits are 0.
    TransformFlags = Warning "133" "transform-flags",
    /// Transforms are finite.
    TransformNotFinite = Warning "134" "transform-not-finite",
    /// Pachario JSON has no keys but those of the format.
    JsonKeyIgnored = Warning "150" "json-key-ignored",
    /// A vertex has at most four influences.
    InfluencesDropped = Warning "151" "influences-dropped",
    /// A legacy packed file's image is named in its JSON.
    LegacyImageUnused = Warning "152" "legacy-image-unused",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_names_are_unique_and_ids_tell_the_severity() {
        for (i, a) in Rule::ALL.iter().enumerate() {
            for b in &Rule::ALL[i + 1..] {
                assert!(a.id() != b.id() && a.name() != b.name(), "{a:?} and {b:?}");
            }
            assert_eq!(
                a.id().contains("-E"),
                a.severity() == Severity::Error,
                "{a:?}"
            );
            assert!(a.about().ends_with('.'));
        }
    }
}
