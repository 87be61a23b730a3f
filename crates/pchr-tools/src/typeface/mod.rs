//! Text in every script, as small masks of coverage.
//!
//! Lines are ordered, shaped and drawn here, from font files alone: the same files give the same bits on each machine.

mod catalogue;
mod face;
mod line;
mod outline;

use std::path::PathBuf;

use pchr::document::{BoneId, MeshId};
use pchr::overlay::{Layer, Letters, OverlayOptions, WrittenName, needs_fonts};
use pchr::scene::Subject;

use self::catalogue::Catalogue;
use self::line::line;

pub use face::{FontError, FontFault};
pub use line::{Line, MAX_PIXELS, MIN_PIXELS};

/// Fonts of the machine, or of files, and the font of the interface.
#[derive(Debug, Default)]
pub struct Fonts {
    /// `None` until the first line is drawn.
    catalogue: Option<Catalogue>,
    /// `None` until the first name is written.
    interface: Option<Catalogue>,
    /// True for the fonts of files, which were chosen.
    are_chosen: bool,
}

impl Fonts {
    /// The fonts that are installed: looked for when the first line is drawn.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// The fonts of files and no others: the same letters on each machine.
    ///
    /// # Errors
    ///
    /// Refuses a file that cannot be read, or is not a font with outlines.
    pub fn from_files(paths: &[PathBuf]) -> Result<Self, FontError> {
        let catalogue = Some(Catalogue::from_files(paths)?);
        Ok(Self { catalogue, interface: None, are_chosen: true })
    }

    /// A line of text, `pixels` high unless letters reach further: at 13, capital letters fill rows 2 to 10.
    ///
    /// # Errors
    ///
    /// [`FontFault::TooMuch`] if a font file takes too much work to draw the text, now or in an earlier line. Of the fonts of the
    /// machine another is taken then.
    pub fn line(&mut self, text: &str, pixels: u16) -> Result<Line, FontError> {
        line(text, pixels, self.catalogue())
    }

    /// Writes a name in the font of the interface, which is the same on every machine, if it has all letters; else in the others.
    /// Chosen fonts write all that is not in Latin letters.
    fn name(&mut self, name: &str, pixels: u16) -> Result<Line, FontError> {
        let interface = self.interface.get_or_insert_with(Catalogue::interface);
        if !(self.are_chosen && needs_fonts(name)) && interface.draws_all(name) {
            return Ok(Line { families: Vec::new(), ..line(name, pixels, interface)? });
        }
        self.line(name, pixels)
    }

    fn catalogue(&mut self) -> &mut Catalogue {
        self.catalogue.get_or_insert_with(Catalogue::system)
    }
}

/// Names in an overlay that fonts have written.
#[derive(Clone, Debug)]
pub struct WrittenNames {
    /// Their pictures.
    pub letters: Letters,
    /// Families of the fonts, in the order of their first use. That of the interface is not among them.
    pub families: Vec<String>,
    /// Characters that no font has, each once.
    pub missing: Vec<char>,
}

/// Names written with one set of fonts, at most.
const MOST_NAMES: usize = 2048;
/// Pixels of their pictures, at most: many times what the atlas has room for.
const MOST_PIXELS: usize = 1 << 26;

impl WrittenNames {
    /// Writes the names in an overlay of a subject; `None` if there are none. A name that comes too late has the letters of
    /// [`pchr::overlay`].
    ///
    /// # Errors
    ///
    /// [`FontFault::TooMuch`] if a font file takes too much work to draw a name.
    pub fn new(
        subject: &dyn Subject,
        options: &OverlayOptions,
        fonts: &mut Fonts,
    ) -> Result<Option<Self>, FontError> {
        if !options.has(Layer::Names) {
            return Ok(None);
        }
        let bones = subject.bone_count();
        let of_bones = (0..=u16::MAX).map(BoneId).take(bones);
        let of_bones = of_bones.filter_map(|id| Some(subject.bone(id)?.name()));
        // Meshes are named where there are no bones.
        let meshes = if bones == 0 { subject.mesh_count() } else { 0 };
        let of_meshes = (0..=u16::MAX).map(MeshId).take(meshes);
        let of_meshes = of_meshes.filter_map(|id| Some(subject.mesh(id)?.name()));
        let names = of_bones.chain(of_meshes);
        let scale = u16::try_from(options.scale.clamp(1, 8)).unwrap_or(1);
        let mut lines: Vec<(&str, Line)> = Vec::new();
        let mut pixels = 0_usize;
        for name in names.take(MOST_NAMES) {
            let line = fonts.name(name, PIXELS.saturating_mul(scale))?;
            pixels = pixels.saturating_add(line.mask.len());
            if pixels > MOST_PIXELS {
                break;
            }
            lines.push((name, line));
        }
        if lines.is_empty() {
            return Ok(None);
        }
        let (mut families, mut missing) = (Vec::new(), Vec::new());
        for (_, line) in &lines {
            add(&mut families, &line.families);
            add(&mut missing, &line.missing);
        }
        let names = lines.iter().map(|(name, line)| WrittenName {
            name,
            size: [line.width, line.height],
            baseline: line.baseline,
            coverage: &line.mask,
        });
        Ok(Some(Self { letters: Letters::new(names, options.light, scale), families, missing }))
    }
}

/// Height of lines in design pixels: that of the built-in font.
const PIXELS: u16 = 13;

/// Adds the items that are new.
fn add<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for item in more {
        if !all.contains(item) {
            all.push(item.clone());
        }
    }
}
