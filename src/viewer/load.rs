//! Reads a file and decodes its images on a thread of its own; what comes of it is posted back.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, io, thread};

use crate::bytes::Budget;
use crate::document::{Document, Finding, Findings, ImageId, Invalid};
use crate::format;
use crate::image::{DEFAULT_BUDGET, Pixels, decode_or_placeholder};

/// Threads that decode images.
const DECODERS: usize = 8;

/// Where a document comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The sample that the program carries.
    Sample(&'static [u8]),
    /// A file; `-` is the standard input.
    File(PathBuf),
}

impl Source {
    /// What it is called in the window.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Sample(_) => "Sample".into(),
            Self::File(path) if path.as_os_str() == "-" => "standard input".into(),
            Self::File(path) => path.file_name().map_or_else(
                || path.display().to_string(),
                |name| name.to_string_lossy().into_owned(),
            ),
        }
    }

    /// The file's path, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Sample(_) => None,
            Self::File(path) => Some(path),
        }
    }
}

/// Tells the loads of a session apart; later ones are larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoadId(pub u64);

/// A document with its pixels.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub source: Source,
    pub document: Document,
    /// One an image, premultiplied; a placeholder for one that does not decode.
    pub images: Vec<Pixels>,
    /// What was found while decoding, in image order.
    pub image_findings: Vec<Finding>,
}

/// Why there is no document.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(String),
    /// It is no valid file.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// The end of a load.
#[derive(Clone, Debug)]
pub(crate) struct LoadDone {
    pub id: LoadId,
    pub source: Source,
    pub result: Result<Arc<Loaded>, LoadError>,
}

/// Ends of the same load are equal.
impl PartialEq for LoadDone {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.source == other.source
    }
}

/// Starts loads; a newer one makes those before it give up.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    newest: Arc<AtomicU64>,
}

impl Loader {
    /// Loads on a thread and posts the end of it, unless a newer load was started meanwhile.
    pub(crate) fn start(
        &self,
        id: LoadId,
        source: Source,
        post: impl FnOnce(LoadDone) + Send + 'static,
    ) {
        self.newest.store(id.0, Ordering::Relaxed);
        let newest = Arc::clone(&self.newest);
        thread::spawn(move || {
            let wanted = || newest.load(Ordering::Relaxed) == id.0;
            let result = load(&source, wanted).map(Arc::new);
            if wanted() {
                post(LoadDone { id, source, result });
            }
        });
    }
}

/// Reads `source` and decodes its images, as long as it is `wanted`.
pub(crate) fn load(source: &Source, wanted: impl Fn() -> bool + Sync) -> Result<Loaded, LoadError> {
    let document = match source {
        Source::Sample(bytes) => format::read(*bytes)?,
        Source::File(path) => format::read(read_file(path).map_err(LoadError::Io)?)?,
    };
    let (images, image_findings) = decode_images(&document, wanted);
    Ok(Loaded {
        source: source.clone(),
        document,
        images,
        image_findings,
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let result = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else if path.is_dir() {
        return Err("it is a folder, not a file".into());
    } else {
        fs::read(path)
    };
    result.map_err(|error| error.to_string())
}

type Decoded = (Pixels, Findings);

/// Decodes all images, several at once. The order of the results does not depend on the threads.
fn decode_images(
    document: &Document,
    wanted: impl Fn() -> bool + Sync,
) -> (Vec<Pixels>, Vec<Finding>) {
    let count = document.images().len();
    let slots: Vec<Mutex<Option<Decoded>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let budget = Budget::new(DEFAULT_BUDGET);
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores.min(count).min(DECODERS) {
            scope.spawn(|| {
                while let Some((slot, id)) = take(&next, &slots).filter(|_| wanted()) {
                    let mut findings = Findings::default();
                    let pixels = decode_or_placeholder(document, id, &budget, &mut findings);
                    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                    *slot = Some((pixels, findings));
                }
            });
        }
    });
    let mut findings = Vec::new();
    let images = slots.into_iter().map(|slot| {
        let slot = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (pixels, found) = slot.unwrap_or_else(|| (Pixels::transparent(), Findings::default()));
        findings.extend(found.iter().cloned());
        pixels
    });
    (images.collect(), findings)
}

fn take<'a, T>(next: &AtomicUsize, slots: &'a [T]) -> Option<(&'a T, ImageId)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    let id = ImageId(u16::try_from(i).ok()?);
    Some((slots.get(i)?, id))
}
