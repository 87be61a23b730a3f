//! The fonts that text is drawn with.

use super::catalogue::Catalogue;
use super::error::FontError;
use super::line::{Line, line};
use std::path::PathBuf;

/// Fonts of the machine, or of files.
#[derive(Debug)]
pub struct Fonts {
    /// `None` until the first line is drawn.
    catalogue: Option<Catalogue>,
}

impl Fonts {
    /// The fonts that are installed: looked for when the first line is drawn.
    #[must_use]
    pub fn system() -> Self {
        Self { catalogue: None }
    }

    /// The fonts of files and no others: the same letters on each machine.
    ///
    /// # Errors
    ///
    /// Refuses a file that cannot be read, or is not a font with outlines.
    pub fn from_files(paths: &[PathBuf]) -> Result<Self, FontError> {
        let catalogue = Some(Catalogue::from_files(paths)?);
        Ok(Self { catalogue })
    }

    /// Looks for the fonts if that was not done yet, which takes a while on some machines.
    pub fn load(&mut self) {
        self.catalogue();
    }

    /// A line of text, `pixels` high unless letters reach further: at 13, capital letters fill rows 2 to 10.
    ///
    /// # Errors
    ///
    /// [`FontError::TooMuch`] if a font file takes too much work to draw the text, now or in an earlier line. Of the fonts of the
    /// machine another is taken then.
    pub fn line(&mut self, text: &str, pixels: u16) -> Result<Line, FontError> {
        line(text, pixels, self.catalogue())
    }

    fn catalogue(&mut self) -> &mut Catalogue {
        self.catalogue.get_or_insert_with(Catalogue::system)
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Self::system()
    }
}
