//! Index types, one for each kind of element.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            /// Returns the id as a slice index.
            #[must_use]
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }
    };
}

id!(
    /// Index of an image in its document.
    ImageId
);
id!(
    /// Index of a bone in its document.
    BoneId
);
id!(
    /// Index of a mesh in its document.
    MeshId
);
id!(
    /// Index of an animation in its document.
    AnimationId
);
