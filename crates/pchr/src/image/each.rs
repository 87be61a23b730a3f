//! All images of a subject, decoded within one budget.

use super::Pixels;
use super::decode::{ImageError, decode, decoded_size, or_placeholder};
use crate::bytes::{Budget, BudgetError};
use crate::document::{ImageId, Images};
use crate::finding::Findings;

/// Decodes all images of a subject within [`Budget::DEFAULT`], several at once with the feature `threads`.
///
/// Placeholders replace images that cannot be decoded; `findings` names them and the reasons, in the order of the images.
#[must_use]
pub fn decode_all(images: &dyn Images, findings: &mut Findings) -> Vec<Pixels> {
    decode_each(
        images,
        &Budget::default(),
        true,
        findings,
        |_, pixels, _| pixels,
    )
}

/// Decodes all images of a subject within a budget, and returns the results of `each`, in the order of the images. The pixels
/// are passed to `each` and not kept here, so that not all images need to be in memory at once.
///
/// A placeholder replaces an image that cannot be decoded; `each` gets the finding, and so does `findings`. [`ImageRooms`]
/// determines which images exceed the budget. With `at_once` and the feature `threads` several are decoded at the same time.
pub fn decode_each<T: Send>(
    images: &dyn Images,
    budget: &Budget,
    at_once: bool,
    findings: &mut Findings,
    each: impl Fn(ImageId, Pixels, &Findings) -> T + Sync + Send,
) -> Vec<T> {
    let rooms = ImageRooms::new(images, budget);
    let decode = |id: ImageId| {
        let mut findings = Findings::default();
        let pixels = rooms.decode(images, id, &mut findings);
        (each(id, pixels, &findings), findings)
    };
    let made: Vec<(T, Findings)> = run(images.image_ids().collect(), at_once, decode);
    let found = |(made, found)| {
        findings.extend(found);
        made
    };
    made.into_iter().map(found).collect()
}

/// Reserved memory for the pixels of each image of a subject. It is charged to the budget in image order before any image is
/// decoded. So the same images exceed the budget in whichever order they are decoded.
#[derive(Clone, Debug)]
pub struct ImageRooms(Vec<Result<u64, BudgetError>>);

impl ImageRooms {
    /// Reserves memory for all images that fit.
    #[must_use]
    pub fn new(images: &dyn Images, budget: &Budget) -> Self {
        let room = |image| {
            let size = decoded_size(&image);
            budget.take(size, 1).map(|()| size)
        };
        Self(images.images().map(room).collect())
    }

    /// Returns the bytes of all images that fit.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.iter().flatten().sum()
    }

    /// Decodes an image, and adds faults to `findings`. A placeholder replaces an image that cannot be decoded, or does not fit.
    pub fn decode(&self, images: &dyn Images, id: ImageId, findings: &mut Findings) -> Pixels {
        let pixels = match self.0.get(id.index()) {
            Some(Ok(size)) => decode(images, id, &Budget::new(*size)),
            Some(Err(error)) => Err(ImageError::Budget(*error)),
            None => Err(ImageError::Absent(id.0)),
        };
        or_placeholder(images, id, pixels, findings)
    }
}

#[cfg(feature = "threads")]
fn run<I: Send, T: Send>(
    items: Vec<I>,
    at_once: bool,
    job: impl Fn(I) -> T + Sync + Send,
) -> Vec<T> {
    use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
    if at_once && items.len() > 1 {
        items.into_par_iter().map(job).collect()
    } else {
        items.into_iter().map(job).collect()
    }
}

#[cfg(not(feature = "threads"))]
fn run<I, T>(items: Vec<I>, _at_once: bool, job: impl Fn(I) -> T) -> Vec<T> {
    items.into_iter().map(job).collect()
}
