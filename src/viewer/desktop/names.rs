//! Names in the picture that the built-in font cannot write.

use pchr::overlay::{Letters, OverlayOptions};
use pchr::scene::Subject;
use pchr_tools::typeface::{Fonts, WrittenNames};

/// Names of the current subject, in the system's fonts.
#[derive(Debug, Default)]
pub(super) struct Names {
    fonts: Fonts,
    of: Option<NamesOf>,
    written: Option<WrittenNames>,
}

/// Everything that written names depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NamesOf {
    /// Serial number of the model.
    serial: u64,
    light: bool,
    scale: u32,
}

impl Names {
    /// Writes the names of a model whose serial number is given, if they are wanted and others than before. Returns true if the atlas
    /// is another one now.
    pub(super) fn update(
        &mut self,
        subject: &dyn Subject,
        serial: u64,
        options: &OverlayOptions,
    ) -> bool {
        let of = NamesOf {
            serial,
            light: options.light,
            scale: options.scale,
        };
        if !options.names || self.of == Some(of) {
            return false;
        }
        self.of = Some(of);
        let before = self.written.is_some();
        // Of the fonts of the machine none is refused.
        self.written = WrittenNames::new(subject, options, &mut self.fonts).unwrap_or_default();
        before || self.written.is_some()
    }

    /// The names, if there are any.
    pub(super) fn letters(&self) -> Option<&Letters> {
        self.written.as_ref().map(|written| &written.letters)
    }
}
