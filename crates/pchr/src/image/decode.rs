//! Decodes one image or all images of a subject to premultiplied texels, and names files that are no PNG.

use super::alpha::multiply;
use super::{Pixels, premultiply};
use crate::bytes::{Budget, BudgetError, Lease};
use crate::document::{Image, ImageFault, ImageFormat, ImageId, Images};
use crate::finding::Findings;

/// Memory limit for a subject's decoded images: 1 GiB.
pub const DEFAULT_BUDGET: u64 = Budget::DEFAULT;

/// Failure to decode a PNG.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// A chunk has another checksum than its bytes.
    #[error(
        "chunk {chunk} at byte {offset} is damaged: its checksum is {stored:#010x}, expected {computed:#010x}; export or copy the file again"
    )]
    Checksum {
        /// Type of the chunk, such as `IDAT`.
        chunk: String,
        /// Offset of the chunk's length in the file.
        offset: usize,
        /// Checksum in the file.
        stored: u32,
        /// Checksum of the bytes in the file.
        computed: u32,
    },
    /// Another damage.
    #[error(transparent)]
    Png(#[from] png::DecodingError),
}

impl DecodeError {
    /// Returns the first chunk of a PNG that must be read and has another checksum than its bytes.
    fn checksum(file: &[u8]) -> Option<Self> {
        let (mut offset, mut rest) = (8, file.get(8..)?);
        loop {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            let (chunk, after) = after.split_at_checked(length.checked_add(4)?)?;
            let (stored, after) = after.split_first_chunk::<4>()?;
            let name = chunk.get(..4)?;
            let (stored, computed) = (u32::from_be_bytes(*stored), crc32fast::hash(chunk));
            if stored != computed && name.first().is_some_and(u8::is_ascii_uppercase) {
                return Some(Self::Checksum {
                    chunk: String::from_utf8_lossy(name).into_owned(),
                    offset,
                    stored,
                    computed,
                });
            }
            (offset, rest) = (file.len().checked_sub(after.len())?, after);
        }
    }
}

/// Reason why an image has no pixels.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The image does not exist.
    #[error("image {0} does not exist")]
    Absent(u16),
    /// It is in another format, which is named with the way out.
    #[error("not a PNG, but {0}")]
    Other(&'static str),
    /// It is in a format that is not known here; its first bytes.
    #[error("not a PNG: it begins with {0:02x?}, expected [89, 50, 4e, 47]; save the image as PNG")]
    Unknown(Vec<u8>),
    /// The PNG is damaged.
    #[error("the PNG does not decode: {0}")]
    Png(DecodeError),
    /// Its pixels do not fit in the budget.
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

impl ImageError {
    fn of_png(error: png::DecodingError, file: &[u8]) -> Self {
        if let Some(name) = name(file) {
            return Self::Other(name);
        }
        if !file.starts_with(b"\x89PNG") {
            return Self::Unknown(file.iter().copied().take(4).collect());
        }
        Self::Png(DecodeError::checksum(file).unwrap_or(DecodeError::Png(error)))
    }

    /// Returns the kind of the fault.
    #[must_use]
    pub fn fault(&self) -> ImageFault {
        match self {
            Self::Budget(_) => ImageFault::Memory,
            Self::Absent(_) | Self::Other(_) | Self::Unknown(_) | Self::Png(_) => ImageFault::Data,
        }
    }
}

/// Decodes an image. The texels' alpha is premultiplied, and the image's tint is applied.
///
/// A PNG whose size differs from the declared one keeps its own. Memory is charged to `budget` before it is allocated.
///
/// # Errors
/// [`ImageError`] if it has no pixels.
pub fn decode(images: &dyn Images, id: ImageId, budget: &Budget) -> Result<Pixels, ImageError> {
    let image = images.image(id).ok_or(ImageError::Absent(id.0))?;
    let mut pixels = match image.format() {
        ImageFormat::Png => decode_straight(image.data(), budget)?,
        ImageFormat::Rgba8888 => {
            let (width, height) = (u32::from(image.width()), u32::from(image.height()));
            budget.take(image.data().len() as u64, 1)?;
            // The check saw to the length.
            Pixels { width, height, rgba: image.data().to_vec() }
        }
    };
    if pixels.width == 0 || pixels.height == 0 {
        return Ok(Pixels::transparent());
    }
    premultiply(&mut pixels.rgba);
    multiply(&mut pixels.rgba, images.tint(id));
    Ok(pixels)
}

/// Returns the bytes of an image's decoded pixels; 0 if it states no size.
fn decoded_size(image: &Image<'_>) -> u64 {
    match image.format() {
        ImageFormat::Png => png_size(image.data()).map_or(0, |[width, height]| {
            u64::from(width).saturating_mul(height.into()).saturating_mul(4)
        }),
        ImageFormat::Rgba8888 => image.data().len() as u64,
    }
}

/// Decodes a PNG that belongs to no subject, with any colour type. Alpha is premultiplied.
///
/// # Errors
/// [`ImageError`] if it is damaged or not a PNG, or does not fit in the budget.
pub fn decode_picture(png: &[u8], budget: &Budget) -> Result<Pixels, ImageError> {
    let mut pixels = decode_straight(png, budget)?;
    premultiply(&mut pixels.rgba);
    Ok(pixels)
}

/// Describes a PNG whose size is not the declared one.
fn other_size(image: &Image<'_>, size: [u32; 2]) -> Option<String> {
    let announced = [image.width(), image.height()].map(u32::from);
    let differs = image.format() == ImageFormat::Png && announced != size;
    let ([width, height], [x, y]) = (announced, size);
    differs.then(|| format!("declared as {width} x {height}, but the PNG is {x} x {y}"))
}

/// Reads the size of a PNG, and adds a finding if it is not a PNG or has another size than declared. Its pixels are not decoded.
pub fn check_png(images: &dyn Images, id: ImageId, findings: &mut Findings) {
    let Some(image) = images.image(id) else { return };
    if image.format() != ImageFormat::Png {
        return;
    }
    let fault = match png_size(image.data()) {
        Ok(size) => other_size(&image, size).map(|message| (ImageFault::Size, message)),
        Err(error) => Some((ImageFault::Data, error.to_string())),
    };
    if let Some((fault, message)) = fault {
        findings.push(images.image_finding(id, fault, message));
    }
}

/// Returns the width and height of a PNG; its pixels are not decoded.
///
/// # Errors
/// [`ImageError`] if it is not a PNG, or damaged before its size.
pub fn png_size(data: &[u8]) -> Result<[u32; 2], ImageError> {
    let of_png = |error| ImageError::of_png(error, data);
    let mut decoder = png::Decoder::new(std::io::Cursor::new(data));
    let info = decoder.read_header_info().map_err(of_png)?;
    Ok([info.width, info.height])
}

/// Returns the text of a PNG that [`encode_png_with_text`](super::encode_png_with_text) wrote with a keyword.
#[must_use]
pub fn png_text(data: &[u8], keyword: &str) -> Option<String> {
    let decoder = png::Decoder::new(std::io::Cursor::new(data));
    let reader = decoder.read_info().ok()?;
    let mut texts = reader.info().utf8_text.iter();
    let text = texts.find(|text| text.keyword == keyword && !text.compressed)?;
    text.get_text().ok()
}

/// Returns true if a PNG has more frames than the decoded one.
pub fn png_is_animated(data: &[u8]) -> bool {
    let decoder = png::Decoder::new(std::io::Cursor::new(data));
    let info = decoder.read_info();
    info.is_ok_and(|read| (read.info().animation_control()).is_some_and(|all| all.num_frames > 1))
}

/// Decodes a PNG that belongs to no subject, with any colour type. Alpha stays straight.
///
/// # Errors
/// [`ImageError`] if it is damaged or not a PNG, or does not fit in the budget. Nothing is charged then.
pub fn decode_straight(data: &[u8], budget: &Budget) -> Result<Pixels, ImageError> {
    let (pixels, lease) = decode_leased(data, budget)?;
    lease.keep();
    Ok(pixels)
}

/// Decodes in the same way, and returns the lease of its pixels' memory.
pub(crate) fn decode_leased<'b>(
    data: &[u8],
    budget: &'b Budget,
) -> Result<(Pixels, Lease<'b>), ImageError> {
    let of_png = |error| ImageError::of_png(error, data);
    let mut decoder = png::Decoder::new(std::io::Cursor::new(data));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let (width, height) = {
        let info = decoder.read_header_info().map_err(of_png)?;
        (info.width, info.height)
    };
    let mut lease = budget.lease();
    lease.take(u64::from(width).saturating_mul(height.into()), 4)?;
    let mut reader = decoder.read_info().map_err(of_png)?;
    let mut rgba = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut rgba).map_err(of_png)?;
    rgba.truncate(info.buffer_size());
    if info.color_type == png::ColorType::GrayscaleAlpha {
        rgba = rgba
            .as_chunks::<2>()
            .0
            .iter()
            .flat_map(|[grey, alpha]| [*grey, *grey, *grey, *alpha])
            .collect();
    }
    let pixels = Pixels { width, height, rgba };
    Ok((pixels, lease))
}

/// Returns a conspicuous checkerboard.
fn placeholder() -> Pixels {
    const SIZE: u32 = 16;
    let pink = |i: u32| {
        if ((i / 4) ^ (i / (SIZE * 4))) & 1 == 0 { [224, 64, 176, 255] } else { [48, 16, 40, 255] }
    };
    Pixels { width: SIZE, height: SIZE, rgba: (0..SIZE * SIZE).flat_map(pink).collect() }
}

/// Decodes all images of a subject within [`Budget::DEFAULT`], several at once with the feature `threads`.
///
/// Placeholders replace images that cannot be decoded; `findings` names them and the reasons, in the order of the images.
#[must_use]
pub fn decode_all(images: &dyn Images, findings: &mut Findings) -> Vec<Pixels> {
    decode_each(images, &Budget::default(), true, findings, |_, pixels, _| pixels)
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
    let ids = images.image_ids().collect();
    let made: Vec<(T, Findings)> = run_all(ids, at_once, || (), |_, id| decode(id));
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
        let Some(image) = images.image(id) else { return placeholder() };
        let decoded = match self.0.get(id.index()) {
            Some(Ok(size)) => decode(images, id, &Budget::new(*size)),
            Some(Err(error)) => Err(ImageError::Budget(*error)),
            None => Err(ImageError::Absent(id.0)),
        };
        let (pixels, fault) = match decoded {
            Ok(pixels) => {
                let other = other_size(&image, [pixels.width, pixels.height]);
                (pixels, other.map(|message| (ImageFault::Size, message)))
            }
            Err(error) => (placeholder(), Some((error.fault(), error.to_string()))),
        };
        if let Some((fault, message)) = fault {
            findings.push(images.image_finding(id, fault, message));
        }
        pixels
    }
}

/// Does a job for each item, with memory that is reused; several at once if that is wanted and the feature `threads` is on. The
/// results have the order of the items.
pub(crate) fn run_all<I: Send, S, T: Send>(
    items: Vec<I>,
    at_once: bool,
    scratch: impl Fn() -> S + Sync + Send,
    job: impl Fn(&mut S, I) -> T + Sync + Send,
) -> Vec<T> {
    #[cfg(feature = "threads")]
    if at_once && items.len() > 1 {
        use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
        return items.into_par_iter().map_init(scratch, job).collect();
    }
    let _ = at_once;
    let mut scratch = scratch();
    items.into_iter().map(|item| job(&mut scratch, item)).collect()
}

/// First bytes.
const STARTS: &[(&[u8], &str)] = &[
    (b"\xff\xd8\xff", "a JPEG image; save it as PNG"),
    (b"GIF8", "a GIF image; save it as PNG"),
    (b"BM", "a BMP image; save it as PNG"),
    (b"II*\0", "a TIFF image; save it as PNG"),
    (b"MM\0*", "a TIFF image; save it as PNG"),
    (b"8BPS", "a Photoshop document; export it as PNG"),
    (b"DDS ", "a DDS texture; export it as PNG"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"PK\x03\x04", "a zip file; unpack it first"),
    (b"%PDF", "a PDF document; export it as PNG"),
    (b"<<<<<<<", "a merge conflict; choose one side with `git checkout --ours` or `--theirs`"),
    (b"\xabKTX ", "a KTX texture; export it as PNG"),
    (
        b"version https://git-lfs.github.com/spec/v1",
        "a Git LFS pointer; fetch the image with `git lfs pull`",
    ),
    (b"\x89PNG\r\n\x1a\n\0\0\0\x04CgBI", CGBI),
    (b"\x89PNG\r\n\x1a\n\0\0\0\x08CgBI", CGBI),
    (b"\x89PNG\r\n\x1a\n", ""),
    (
        b"\x89PNG",
        "a damaged one: its line ends were changed; copy it as binary, in Git with `*.png binary` in .gitattributes",
    ),
    (b"\xef\xbf\xbdPNG", "a damaged one: it was saved as text; copy it as binary"),
];

const CGBI: &str = "a variant for Apple devices (CgBI); use the original, or restore it with `pngcrush -revert-iphone-optimizations`";

/// First characters of texts, after white space, in lower case.
const TEXTS: &[(&[u8], &str)] = &[
    (b"<!doctype html", "an HTML page; download the image itself"),
    (b"<html", "an HTML page; download the image itself"),
    (b"<svg", "an SVG image; export it as PNG"),
    (b"<?xml", "an XML file, such as SVG; export it as PNG"),
    (b"{", "a JSON file; name the image"),
];

/// Returns the format of a file that is no PNG, and the way out.
fn name(file: &[u8]) -> Option<&'static str> {
    if file.is_empty() {
        return Some("an empty file; save it again as PNG");
    }
    if let Some((_, name)) = STARTS.iter().find(|(start, _)| file.starts_with(start)) {
        return Some(*name).filter(|name| !name.is_empty());
    }
    let kind = file.get(8..12).unwrap_or_default();
    match (file.get(..4), file.get(4..8)) {
        (Some(b"RIFF"), _) if kind == b"WEBP" => return Some("a WebP image; save it as PNG"),
        (_, Some(b"ftyp")) if kind == b"avif" || kind == b"heic" => {
            return Some("an AVIF or HEIC image; save it as PNG");
        }
        _ => {}
    }
    if file.ends_with(b"TRUEVISION-XFILE.\0") {
        return Some("a TGA image; save it as PNG");
    }
    let mut start = file.trim_ascii_start();
    start = start.get(..16).unwrap_or(start);
    let is =
        |text: &[u8]| start.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    TEXTS.iter().find(|(text, _)| is(text)).map(|(_, name)| *name)
}
