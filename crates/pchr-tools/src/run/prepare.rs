//! Preparation of pictures: the subject, its images, and the view of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use pchr::document::Images;
use pchr::finding::{Findings, Severity};
use pchr::image::{Pixels, decode_all, multiply, png_text};
use pchr::overlay::OverlayOptions;
use pchr::raster::RasterModel;
use pchr::scene::{Camera2d, Filter, Geometry, Picture, Samples, Subject, ViewOptions};

use super::input::{self, InputArgs};
use super::{Disk, Failure};
use crate::capture::{Against, AgainstMode, Arrangement, CaptureJob, Finish};
use crate::files::with_alike;
use crate::open::Opened;
use crate::text::words::few;
use crate::typeface::{FontError, FontFault, Fonts, WrittenNames};
use crate::view::cameras::{self, PictureView};
use crate::view::plan::{KnownCamera, PicturePlan, PlanJob};
use crate::view::{CameraOf, FilterArg, Resolved, SamplesArg, Shown, ViewError};

/// Decodes the images of a file, premultiplied, and returns the findings about it and them.
pub(crate) fn decode(opened: &Opened, name: &str) -> Result<(Vec<Pixels>, Findings), Failure> {
    let mut findings = opened.subject.warnings().clone();
    let mut of_images = Findings::default();
    let images = decode_all(opened.images(), &mut of_images);
    findings.extend(of_images);
    if findings.total(Severity::Error) > 0 {
        let file = name.to_owned();
        return Err(Failure::Invalid { file, findings });
    }
    Ok((images, findings))
}

/// Prepares a subject for the CPU renderer.
pub(crate) fn cpu_model(
    geometry: &dyn Geometry,
    images: Vec<Pixels>,
    mipmaps: bool,
) -> RasterModel {
    let mut model = RasterModel::new(geometry, images);
    if mipmaps {
        model.build_mips();
    }
    model
}

/// Replaces decoded images by the pictures of `--image`.
pub(crate) fn replace_images(
    disk: &Disk,
    options: &Shown,
    images: &dyn Images,
    args: InputArgs,
    pixels: &mut [Pixels],
) -> Result<(), Failure> {
    for swap in &options.image {
        let (id, file) = (swap.id(images)?, &swap.file);
        let picture = input::background(disk, file, args);
        let mut picture = picture.map_err(|why| input::unreadable(&input::name(file), &why))?;
        multiply(&mut picture.rgba, images.tint(id));
        if let Some(pixels) = pixels.get_mut(id.index()) {
            *pixels = picture;
        }
    }
    Ok(())
}

/// Subject, view and pictures of a capture.
pub(crate) struct Prepared {
    /// Subject with the requested bind pose.
    pub(crate) subject: Arc<dyn Subject>,
    pub(crate) plan: PicturePlan,
    pub(crate) picture: Picture,
    pub(crate) samples: Samples,
    view: ViewOptions,
    overlay: Option<OverlayOptions>,
    names: Option<WrittenNames>,
    finish: Finish,
    against: Option<PreparedAgainst>,
    /// Width and height of the finished pictures.
    pub(crate) size: [u32; 2],
}

/// The second file of the pictures.
struct PreparedAgainst {
    subject: Arc<dyn Subject>,
    view: ViewOptions,
    overlay: Option<OverlayOptions>,
    names: Option<WrittenNames>,
    model: RasterModel,
    arrangement: Arrangement,
}

impl Prepared {
    /// Finds everything that was requested in the subject. `known` may return the camera of a picture.
    pub(crate) fn new(
        disk: &Disk,
        job: &PlanJob<'_>,
        args: InputArgs,
        subject: &Arc<dyn Subject>,
        known: KnownCamera<'_>,
    ) -> Result<Self, Failure> {
        let subject = job.options.subject(subject)?;
        let Resolved { view, overlay, .. } = job.options.resolve(&*subject)?;
        let overlay = overlay.filter(|_| has_overlays(job.options, &*subject));
        let other = job.options.camera_of.as_deref();
        let other = other.map(|path| camera_of(disk, path, job.options, args));
        let mut plan = job.run(&*subject, &view, known, other.transpose()?.as_ref())?;
        let against = PreparedAgainst::new(disk, job, args, (&*subject, known), &mut plan)?;
        let names = overlay.map(|overlay| names(&*subject, &overlay, &job.options.font));
        let one = job.options.msaa == SamplesArg::One;
        Ok(Self {
            plan,
            picture: picture(job.options, &*subject),
            samples: if one { Samples::One } else { Samples::Four },
            view,
            overlay,
            names: names.transpose()?.flatten(),
            finish: finish(disk, job.options, args)?,
            against,
            size: job.options.size(),
            subject,
        })
    }

    /// Returns the families of the fonts for names that the built-in font cannot write.
    pub(crate) fn fonts(&self) -> &[String] {
        let names = self.names.as_ref();
        names.map_or(&[], |names| &names.families)
    }

    /// Returns notes about mipmaps and fonts, for people.
    pub(crate) fn notes(&self, options: &Shown) -> Vec<String> {
        let mut notes = Vec::new();
        if options.mipmaps == Some(true) && !self.picture.mipmaps {
            notes.push(
                "--mipmaps is ignored for an atlas: smaller copies of its pages would mix each sprite with its neighbours"
                    .to_owned(),
            );
        }
        let Some(WrittenNames { families, missing, .. }) = &self.names else { return notes };
        if !families.is_empty() {
            let list = families.join(", ");
            notes.push(match options.font.is_empty() {
                true => format!(
                    "names use fonts from this machine: {list}; with --font FILE they look the same everywhere"
                ),
                false => format!("names use {list}"),
            });
        }
        if !missing.is_empty() {
            let list = missing.iter().map(|it| format!("{it:?} (U+{:04X})", u32::from(*it)));
            let list = few(list, 8, missing.len());
            notes.push(format!(
                "no font has {list}, so boxes are drawn; choose a font with --font FILE"
            ));
        }
        notes
    }

    /// Returns the job that takes the pictures, with `jobs` threads.
    pub(crate) fn job(&self, jobs: usize) -> CaptureJob<'_> {
        let job = CaptureJob {
            subject: &*self.subject,
            view: &self.view,
            picture: self.picture,
            samples: self.samples,
            overlay: self.overlay,
            letters: self.names.as_ref().map(|names| &names.letters),
            finish: self.finish.clone(),
            against: None,
            jobs,
        };
        let against = self.against.as_ref().map(|other| Against {
            job: CaptureJob {
                subject: &*other.subject,
                view: &other.view,
                overlay: other.overlay,
                letters: other.names.as_ref().map(|names| &names.letters),
                ..job.clone()
            },
            model: &other.model,
            arrangement: other.arrangement,
        });
        CaptureJob { against: against.map(Box::new), ..job }
    }
}

/// Returns false for a picture of the differences, which the same drawings over both files would hide, of all but motions in space.
fn has_overlays(options: &Shown, subject: &dyn Subject) -> bool {
    let is_difference =
        options.against.is_some() && options.against_mode() == AgainstMode::Difference;
    subject.spatial().is_some() || !is_difference
}

impl PreparedAgainst {
    /// Opens the second file, if there is one, and finds there what was requested. The cameras of `plan` come to hold both.
    fn new(
        disk: &Disk,
        job: &PlanJob<'_>,
        args: InputArgs,
        (first, known): (&dyn Subject, KnownCamera<'_>),
        plan: &mut PicturePlan,
    ) -> Result<Option<Self>, Failure> {
        let options = job.options;
        let Some(path) = &options.against else {
            options.check_against()?;
            return Ok(None);
        };
        let name = input::name(path);
        if input::is_stdin(path) {
            let text = "--against - (standard input): expected the path of a file";
            return Err(Failure::Usage(text.into()));
        }
        let opened = input::open(disk, path, &name, args, &options.companions())?;
        if opened.subject.spatial().is_some() != first.spatial().is_some() {
            return Err(Failure::Usage(format!(
                "--against {name}: the one is flat, and the other a 3D motion; choose a file of the same kind"
            )));
        }
        let about = |failure: ViewError| Failure::Usage(format!("--against {name}: {failure}"));
        // Parts that it lacks are named for the first.
        let (mut own, _) = options.without_missing(&*opened.subject);
        own.image.retain(|swap| swap.id(opened.images()).is_ok());
        let subject = own.subject(&opened.subject).map_err(about)?;
        let Resolved { view, overlay, .. } = own.resolve(&*subject).map_err(about)?;
        let overlay = overlay.filter(|_| has_overlays(options, &*subject));
        let (mut images, _) = decode(&opened, &name)?;
        replace_images(disk, &own, opened.images(), args, &mut images)?;
        let picture = picture(options, &*subject);
        plan.hold(options, first, (&*subject, &view), known).map_err(about)?;
        let names = overlay.map(|overlay| names(&*subject, &overlay, &options.font));
        Ok(Some(Self {
            model: cpu_model(&*subject, images, picture.mipmaps),
            names: names.transpose()?.flatten(),
            arrangement: Arrangement {
                mode: options.against_mode(),
                split: options.against_split(),
                size: options.size(),
            },
            subject,
            view,
            overlay,
        }))
    }
}

fn picture(options: &Shown, subject: &dyn Subject) -> Picture {
    let filter = match options.filter {
        FilterArg::Linear => Filter::Linear,
        FilterArg::Nearest => Filter::Nearest,
    };
    Picture {
        size: options.drawn_size(),
        camera: Camera2d::default(),
        filter,
        mipmaps: options.mipmaps == Some(true) && subject.allows_mipmaps(),
        clear: options.background().clear(),
    }
}

/// Reads the picture, or opens the file, whose camera is used.
fn camera_of(
    disk: &Disk,
    path: &Path,
    options: &Shown,
    args: InputArgs,
) -> Result<CameraOf, Failure> {
    let name = input::name(path);
    if input::is_stdin(path) {
        let text = "--camera-of - (standard input): expected the path of a file";
        return Err(Failure::Usage(text.into()));
    }
    let bytes = input::bytes(disk, path, &name, args)?;
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let text = png_text(&bytes, cameras::PNG_KEYWORD);
        let view = text.and_then(|text| PictureView::read(&text));
        return match view.and_then(|view| view.camera.camera()) {
            Some(camera) => Ok(CameraOf::Picture(camera)),
            None => Err(Failure::Usage(format!(
                "--camera-of {name}: the picture does not say its camera; expected a PNG file that capture wrote, or the file that it shows"
            ))),
        };
    }
    drop(bytes);
    let opened = input::open(disk, path, &name, args, &options.companions())?;
    let about = |failure: ViewError| Failure::Usage(format!("--camera-of {name}: {failure}"));
    let subject = options.subject(&opened.subject).map_err(about)?;
    let Resolved { view, .. } = options.resolve(&*subject).map_err(about)?;
    Ok(CameraOf::Subject(subject, view))
}

/// Renders names that the built-in font cannot write, in the fonts of these files or, if there are none, of this machine.
fn names(
    subject: &dyn Subject,
    overlay: &OverlayOptions,
    files: &[PathBuf],
) -> Result<Option<WrittenNames>, Failure> {
    // Looked for once: that takes a while.
    static SYSTEM: Mutex<Option<Fonts>> = Mutex::new(None);
    let unusable = |error| Failure::Running(anyhow::anyhow!("cannot use the font {error}"));
    if files.is_empty() {
        let mut system = SYSTEM.lock();
        let fonts = system.get_or_insert_with(Fonts::system);
        return WrittenNames::new(subject, overlay, fonts).map_err(unusable);
    }
    let fonts = Fonts::from_files(files).map_err(|FontError { path, fault }| match fault {
        FontFault::Unreadable(error) => {
            FontError { fault: FontFault::Unreadable(with_alike(&path, error)), path }
        }
        fault => FontError { path, fault },
    });
    let mut fonts = fonts.map_err(unusable)?;
    WrittenNames::new(subject, overlay, &mut fonts).map_err(unusable)
}

/// Returns the steps to the finished pictures.
fn finish(disk: &Disk, options: &Shown, args: InputArgs) -> Result<Finish, Failure> {
    // One at a time: before it is fitted a picture may be large.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    options.finish(options.size(), |path| {
        let name = format!("the background {}", path.display());
        input::background(disk, path, args).map_err(|why| input::unreadable(&name, &why))
    })
}
