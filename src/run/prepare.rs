//! What is known before the first picture is drawn: the file, its images, and what is to be seen of it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::input::{self, Input, InputArgs};
use super::{Disk, Failure};
use crate::capture::{Backdrop, CaptureJob};
use crate::character::Character;
use crate::document::{Findings, Severity};
use crate::image::{Pixels, cover, decode_all, premultiply};
use crate::overlay::OverlayOptions;
use crate::pose::BindChoice;
use crate::scene::{Camera2d, Filter, Picture, Samples, ViewOptions};
use crate::view::plan::{KnownCamera, Plan, PlanJob};
use crate::view::{Background, FilterArg, Options, ViewError, select};

/// A file that was read, with its images.
pub(crate) struct Loaded {
    pub(crate) character: Character,
    /// The name that messages give the file.
    pub(crate) name: String,
    /// Premultiplied, one an image.
    pub(crate) images: Vec<Pixels>,
    /// What is odd about the file.
    pub(crate) findings: Findings,
    /// When it was read, from the start.
    pub(crate) read: Duration,
    /// When its images were decoded.
    pub(crate) decoded: Duration,
}

impl Loaded {
    /// Reads a file and decodes its images. Times count from `start`.
    ///
    /// # Errors
    /// Those of reading; [`Failure::Invalid`] also for an image that does not decode.
    pub(crate) fn read(
        disk: &Disk,
        path: &Path,
        args: InputArgs,
        start: Instant,
    ) -> Result<Self, Failure> {
        let input = input::read(disk, path, args)?;
        let read = start.elapsed();
        let (images, findings) = decode(&input)?;
        Ok(Self {
            character: Character::new(input.document, BindChoice::Auto),
            name: input.name,
            images,
            findings,
            read,
            decoded: start.elapsed(),
        })
    }
}

/// Decodes the images of a file, premultiplied, and says what is odd about it and them.
///
/// # Errors
/// [`Failure::Invalid`] for one that does not decode.
pub(crate) fn decode(input: &Input) -> Result<(Vec<Pixels>, Findings), Failure> {
    let mut findings = input.document.warnings().clone();
    let mut of_images = Findings::default();
    let images = decode_all(&input.document, &mut of_images);
    findings.extend(input.in_file(of_images));
    if findings.total(Severity::Error) > 0 {
        let file = input.name.clone();
        return Err(Failure::Invalid { file, findings });
    }
    Ok((images, findings))
}

/// Bind pose, view and overlays that are asked for.
pub(crate) struct Parts {
    /// With the bind pose.
    pub(crate) character: Character,
    view: ViewOptions,
    overlay: Option<OverlayOptions>,
}

impl Parts {
    /// Looks for the bind pose, meshes and bones that are asked for.
    ///
    /// # Errors
    /// [`ViewError`] for what is not there.
    pub(crate) fn new(options: &Options, character: &Character) -> Result<Self, ViewError> {
        Ok(Self {
            character: match select::bind(character, options)? {
                BindChoice::Auto => character.clone(),
                chosen => character.with_bind(chosen),
            },
            view: select::meshes(character, options)?,
            overlay: select::overlay(character, options)?,
        })
    }
}

/// Character, view and pictures of a capture.
pub(crate) struct Prepared {
    /// With the bind pose that is asked for.
    pub(crate) character: Character,
    pub(crate) plan: Plan,
    pub(crate) picture: Picture,
    pub(crate) samples: Samples,
    view: ViewOptions,
    overlay: Option<OverlayOptions>,
    backdrop: Backdrop,
}

impl Prepared {
    /// Looks for everything in the character that is asked for. `known` may know the camera of a picture.
    ///
    /// # Errors
    /// [`Failure::Usage`] for what is not there.
    pub(crate) fn new(
        disk: &Disk,
        job: &PlanJob<'_>,
        args: InputArgs,
        character: &Character,
        known: KnownCamera<'_>,
    ) -> Result<Self, Failure> {
        let Parts {
            character,
            view,
            overlay,
        } = Parts::new(job.options, character)?;
        let plan = job.run(&character, &view, known)?;
        let one = job.options.msaa == "1";
        Ok(Self {
            character,
            plan,
            picture: picture(job.options),
            samples: if one { Samples::One } else { Samples::Four },
            view,
            overlay,
            backdrop: backdrop(disk, job.options, args)?,
        })
    }

    /// The pictures to take, by `jobs` threads.
    pub(crate) fn job(&self, jobs: usize) -> CaptureJob<'_> {
        CaptureJob {
            subject: &self.character,
            view: &self.view,
            picture: self.picture,
            samples: self.samples,
            overlay: self.overlay,
            backdrop: self.backdrop.clone(),
            jobs,
        }
    }
}

fn picture(options: &Options) -> Picture {
    let mut clear = match options.background {
        Background::Transparent | Background::Checker { .. } | Background::Picture(_) => [0; 4],
        Background::Color(color) => color,
    };
    premultiply(&mut clear);
    let filter = match options.filter {
        FilterArg::Linear => Filter::Linear,
        FilterArg::Nearest => Filter::Nearest,
    };
    Picture {
        size: options.resolution.0,
        camera: Camera2d::default(),
        filter,
        mipmaps: options.mipmaps,
        clear,
    }
}

/// What is laid under the finished pictures.
fn backdrop(disk: &Disk, options: &Options, args: InputArgs) -> Result<Backdrop, Failure> {
    Ok(match &options.background {
        Background::Transparent | Background::Color(_) => Backdrop::None,
        Background::Checker { even, odd, size } => Backdrop::Checker {
            even: *even,
            odd: *odd,
            size: *size,
        },
        Background::Picture(path) => {
            // One at a time: before it is fitted it may be large.
            static ONE: Mutex<()> = Mutex::new(());
            let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
            let picture = input::background(disk, path, args)?;
            Backdrop::Picture(Arc::new(cover(&picture, options.resolution.0)))
        }
    })
}
