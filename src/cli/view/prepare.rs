//! What is known before the first picture is drawn: the file, its images, and what is to be seen of it.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::args::CaptureArgs;
use super::plan::{KnownCamera, Plan};
use super::select;
use super::values::FilterArg;
use crate::capture::{Backdrop, CaptureJob};
use crate::character::Character;
use crate::cli::input::{self, Input, InputArgs};
use crate::cli::{Disk, Failure};
use crate::finding::{Findings, Severity};
use crate::image::{Pixels, decode_all};
use crate::overlay::OverlayOptions;
use crate::pose::BindChoice;
use crate::scene::{Camera2d, Filter, Picture, Samples, ViewOptions};

/// A file that was read, with its images.
pub(super) struct Loaded {
    pub(super) character: Character,
    /// The file, for findings that come later.
    pub(super) input: Input,
    /// Premultiplied, one an image.
    pub(super) images: Vec<Pixels>,
    /// What is odd about the file.
    pub(super) findings: Findings,
    /// When it was read, from the start.
    pub(super) read: Duration,
    /// When its images were decoded.
    pub(super) decoded: Duration,
}

impl Loaded {
    /// Reads a file and decodes its images. Times count from `start`.
    ///
    /// # Errors
    /// Those of reading; [`Failure::Invalid`] also for an image that does not decode.
    pub(super) fn read(
        disk: &Disk,
        path: &Path,
        args: InputArgs,
        start: Instant,
    ) -> Result<Self, Failure> {
        let input = input::read(disk, path, args)?;
        let read = start.elapsed();
        let (images, findings) = decode(&input)?;
        Ok(Self {
            character: Character::new(input.document.clone(), BindChoice::Auto),
            input,
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
pub(super) fn decode(input: &Input) -> Result<(Vec<Pixels>, Findings), Failure> {
    let mut findings = input.document.warnings().clone();
    let mut of_images = Findings::default();
    let images = decode_all(&*input.document, &mut of_images);
    findings.extend(input.in_file(of_images));
    if findings.total(Severity::Error) > 0 {
        let file = input.name.clone();
        return Err(Failure::Invalid { file, findings });
    }
    Ok((images, findings))
}

/// Bind pose, view and overlays that are asked for.
struct Parts {
    character: Character,
    view: ViewOptions,
    overlay: Option<OverlayOptions>,
}

impl Parts {
    /// Looks for the bind pose, meshes and bones that are asked for.
    ///
    /// # Errors
    /// [`Failure::Usage`] for what is not there.
    fn new(args: &CaptureArgs, character: &Character) -> Result<Self, Failure> {
        let wishes = select::Wishes {
            hide: &args.hide,
            only: &args.only,
            show: &args.show,
            z_order: &args.z_order,
        };
        Ok(Self {
            character: match select::bind(character, args.bind.as_deref())? {
                BindChoice::Auto => character.clone(),
                chosen => character.with_bind(chosen),
            },
            view: select::meshes(character, wishes)?,
            overlay: select::overlay(character, &args.overlay, args.overlay_scale)?,
        })
    }
}

/// Character, view and pictures of a capture.
pub(super) struct Prepared {
    /// With the bind pose that is asked for.
    pub(super) character: Character,
    pub(super) plan: Plan,
    pub(super) picture: Picture,
    pub(super) samples: Samples,
    view: ViewOptions,
    overlay: Option<OverlayOptions>,
    backdrop: Backdrop,
}

impl Prepared {
    /// Looks for everything in the character that is asked for. `known` may know the camera of a picture.
    ///
    /// # Errors
    /// [`Failure::Usage`] for what is not there.
    pub(super) fn new(
        disk: &Disk,
        args: &CaptureArgs,
        character: &Character,
        known: KnownCamera<'_>,
    ) -> Result<Self, Failure> {
        let Parts {
            character,
            view,
            overlay,
        } = Parts::new(args, character)?;
        let plan = Plan::new(args, &character, &view, known)?;
        let one = args.msaa == "1";
        Ok(Self {
            character,
            plan,
            picture: picture(args),
            samples: if one { Samples::One } else { Samples::Four },
            view,
            overlay,
            backdrop: backdrop(disk, args)?,
        })
    }

    /// The pictures to take, by `jobs` threads.
    pub(super) fn job(&self, jobs: usize) -> CaptureJob<'_> {
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

fn picture(args: &CaptureArgs) -> Picture {
    let filter = match args.filter {
        FilterArg::Linear => Filter::Linear,
        FilterArg::Nearest => Filter::Nearest,
    };
    Picture {
        size: args.resolution.0,
        camera: Camera2d::default(),
        filter,
        mipmaps: args.mipmaps,
        clear: args.background.clear(),
    }
}

/// What is laid under the finished pictures.
fn backdrop(disk: &Disk, args: &CaptureArgs) -> Result<Backdrop, Failure> {
    // One at a time: before it is fitted a picture may be large.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    args.background.backdrop(args.resolution.0, |path| {
        input::background(disk, path, args.input)
    })
}
