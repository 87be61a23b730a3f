//! File formats that a document can come from.

/// Format of a file, recognised by its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// PCHR v1: the flat binary format.
    #[default]
    Pchr,
    /// Legacy packed: a header, Pachario JSON and one PNG.
    LegacyPacked,
    /// PCHR JSON: the mirror of the binary.
    PchrJson,
    /// Pachario JSON: the output of the Pachario exporter.
    PacharioJson,
}

impl FileFormat {
    /// Returns its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pchr => "PCHR v1",
            Self::LegacyPacked => "legacy packed PCHR",
            Self::PchrJson => "PCHR JSON",
            Self::PacharioJson => "Pachario JSON",
        }
    }

    /// Returns the dialect in which findings about such a file are worded.
    #[cfg(feature = "json")]
    pub(crate) const fn dialect(self) -> Self {
        match self {
            Self::LegacyPacked => Self::PacharioJson,
            other => other,
        }
    }

    /// Returns its name, for programs.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pchr => "pchr",
            Self::LegacyPacked => "legacy-packed",
            Self::PchrJson => "pchr-json",
            Self::PacharioJson => "pachario-json",
        }
    }
}
