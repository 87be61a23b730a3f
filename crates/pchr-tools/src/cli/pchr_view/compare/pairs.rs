//! Pictures that are compared: matched into pairs, and the comparison of a pair.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use parking_lot::Mutex;

use pchr::bytes::{Budget, has_room_for};
use pchr::compare::{self, Difference, Ignored, Tolerance, picture_of_sizes};
use pchr::image::{
    DEFAULT_BUDGET, Effort, Pixels, decode_straight, encode_png, png_size, png_text,
};

use super::CompareArgs;
use crate::cli::check_one_stdin;
use crate::file_name;
use crate::run::disk::Role;
use crate::run::walk::FoundFiles;
use crate::run::{Disk, Failure, input, output};
use crate::text::slashed;
use crate::text::words::count;
use crate::view::CameraReport;
use crate::view::cameras::{self, PictureView};

/// Two pictures that could be read.
#[derive(Debug)]
pub(super) struct ComparedPair {
    /// Width and height of both.
    pub(super) sizes: [[u32; 2]; 2],
    /// Camera and moment of each, where the file says them.
    pub(super) views: [Option<PictureView>; 2],
    /// Of pictures of one size.
    pub(super) difference: Option<MeasuredPair>,
}

/// Difference of two pictures of the same size.
#[derive(Debug)]
pub(super) struct MeasuredPair {
    pub(super) difference: Difference,
    pub(super) mean_flip: f64,
    /// True if the difference picture was written.
    pub(super) shown: bool,
}

/// In one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairVerdict {
    Same,
    /// They differ, but by no more than is tolerated.
    Within,
    /// They differ by more, or are of two sizes.
    Differs,
}

impl PairVerdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Within => "within",
            Self::Differs => "differs",
        }
    }
}

/// Options for every pair.
#[derive(Debug)]
pub(super) struct CompareJob<'a> {
    args: &'a CompareArgs,
    disk: &'a Disk,
    /// Mask: painted pixels are not compared.
    mask: Option<Pixels>,
    of_folders: bool,
    /// Held while large pictures are compared.
    large: Mutex<()>,
}

impl<'a> CompareJob<'a> {
    /// Reads the mask, if there is one.
    pub(super) fn new(
        args: &'a CompareArgs,
        of_folders: bool,
        disk: &'a Disk,
    ) -> Result<Self, Failure> {
        let read = |path| decode(path, &input::picture(disk, path, args.max_size)?);
        let mask = args.mask.as_deref().map(read).transpose()?;
        Ok(Self { args, disk, mask, of_folders, large: Mutex::default() })
    }

    /// Reads and compares both pictures, and writes the picture of their difference.
    pub(super) fn compare(&self, pair: &PicturePair) -> Result<ComparedPair, Failure> {
        if self.of_folders {
            // Reading a pipe that is called like a picture would never end.
            is_file(&pair.expected)?;
            is_file(&pair.actual)?;
        }
        let read = |path| input::picture(self.disk, path, self.args.max_size);
        let files = [read(&pair.expected)?, read(&pair.actual)?];
        let views = files.each_ref().map(|png| {
            let text = png_text(png, cameras::PNG_KEYWORD)?;
            PictureView::read(&text)
        });
        let _alone = files.iter().any(|png| is_large(png)).then(|| self.large.lock());
        self.check_room(pair, &files)?;
        let [expected, actual] = &files;
        let (expected, actual) =
            rayon::join(|| decode(&pair.expected, expected), || decode(&pair.actual, actual));
        let (expected, actual) = (expected?, actual?);
        drop(files);
        let sizes = [&expected, &actual].map(|pixels| [pixels.width, pixels.height]);
        let [size, other] = sizes;
        if size != other {
            if let Some(path) = &pair.diff {
                let drawn = picture_of_sizes(&expected, &actual, self.args.tolerance);
                let drawn = drawn.with_context(|| {
                    format!("{}: the picture of the differences does not fit in memory", pair.name)
                })?;
                self.write(path, &drawn)?;
            }
            return Ok(ComparedPair { sizes, views, difference: None });
        }
        let ignored = Ignored::new(size, &self.args.ignore, self.mask.as_ref());
        let ignored = ignored.map_err(|error| Failure::Usage(format!("{}: {error}", pair.name)))?;
        let both = match &ignored {
            Some(ignored) => compare::Pair::ignoring(&expected, &actual, ignored),
            None => compare::Pair::new(&expected, &actual),
        };
        let both = both.map_err(anyhow::Error::from)?;
        let difference = both.difference();
        // Of folders, only what differs is written; a file that was asked for is always written.
        let shown = pair.diff.as_ref();
        let shown = shown.filter(|_| !self.of_folders || difference.differing() > 0);
        if let Some(path) = shown {
            self.write(path, &both.picture(self.args.tolerance))?;
        }
        let difference =
            Some(MeasuredPair { mean_flip: both.mean_flip(), difference, shown: shown.is_some() });
        Ok(ComparedPair { sizes, views, difference })
    }

    fn write(&self, path: &Path, drawn: &Pixels) -> Result<(), Failure> {
        let mut png = Vec::new();
        encode_png(drawn, Effort::Least, &mut png).map_err(anyhow::Error::from)?;
        if input::is_stdin(path) {
            return Ok(output::write_stdout(&png)?);
        }
        output::make_folders([path])?;
        Ok(self.disk.write_picture(path, &png)?)
    }

    /// Checks that two pictures fit in memory, with a copy for each of: work, ignored pixels, and the picture of their difference.
    fn check_room(&self, pair: &PicturePair, files: &[Vec<u8>; 2]) -> Result<(), Failure> {
        let sizes = files.each_ref().map(|png| png_size(png).unwrap_or_default()); // decoding says what is wrong
        let [expected, actual] = sizes.map(|[width, height]| {
            u64::from(width).saturating_mul(height.into()).saturating_mul(4)
        });
        if expected.max(actual) > DEFAULT_BUDGET {
            return Ok(()); // decoding refuses it
        }
        let is_masked = self.mask.is_some() || !self.args.ignore.is_empty();
        let copies = [true, is_masked, pair.diff.is_some()];
        let copies = copies.into_iter().filter(|is_made| *is_made);
        let parts = copies.map(|_| expected.max(actual));
        if has_room_for([expected, actual].into_iter().chain(parts)) {
            return Ok(());
        }
        let [[a, b], [c, d]] = sizes;
        let text =
            format!("not enough memory to compare pictures of {a} x {b} and {c} x {d} pixels");
        Err(Failure::Running(anyhow::anyhow!("{}: {text}", pair.name)))
    }
}

impl ComparedPair {
    /// Both views, if both are known.
    fn views(&self) -> Option<[&PictureView; 2]> {
        match &self.views {
            [Some(expected), Some(actual)] => Some([expected, actual]),
            _ => None,
        }
    }

    /// Both cameras, if they differ.
    pub(super) fn cameras(&self) -> Option<[&CameraReport; 2]> {
        let cameras = self.views()?.map(|view| &view.camera);
        let [expected, actual] = cameras;
        (expected != actual).then_some(cameras)
    }

    /// Both views, if their moments differ.
    pub(super) fn moments(&self) -> Option<[&PictureView; 2]> {
        let views = self.views()?;
        let [expected, actual] = views;
        (!expected.same_moment(actual)).then_some(views)
    }

    pub(super) fn verdict(&self, tolerance: &Tolerance) -> PairVerdict {
        match &self.difference {
            Some(MeasuredPair { difference, .. }) if difference.differing() == 0 => {
                PairVerdict::Same
            }
            Some(MeasuredPair { difference, .. }) if difference.is_within(tolerance) => {
                PairVerdict::Within
            }
            _ => PairVerdict::Differs,
        }
    }
}

fn is_file(path: &Path) -> Result<(), Failure> {
    match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            let why = "is not a regular file";
            Err(input::unreadable(&path.display().to_string(), &why))
        }
        _ => Ok(()), // reading says what is wrong
    }
}

fn decode(path: &Path, png: &[u8]) -> Result<Pixels, Failure> {
    let pixels = decode_straight(png, &Budget::new(DEFAULT_BUDGET));
    pixels.map_err(|error| input::unreadable(&input::name(path), &error))
}

/// Returns true if a picture takes so much memory that only one such pair should be compared at a time.
fn is_large(png: &[u8]) -> bool {
    /// 4096 x 4096, which are 64 MiB.
    const LARGE: u64 = 1 << 24;
    png_size(png).is_ok_and(|[width, height]| u64::from(width) * u64::from(height) > LARGE)
}

/// Two pictures that are compared.
#[derive(Debug)]
pub(super) struct PicturePair {
    /// Name of the pair: the path that both have in their folders, or both files.
    pub(super) name: String,
    pub(super) expected: PathBuf,
    pub(super) actual: PathBuf,
    /// Path of the picture of their difference.
    pub(super) diff: Option<PathBuf>,
}

/// All that is compared, sorted by path.
#[derive(Debug)]
pub(super) struct PicturePairs {
    /// True if two folders were given.
    pub(super) of_folders: bool,
    pub(super) pairs: Vec<PicturePair>,
    /// Paths in the first folder without a partner in the second, and vice versa.
    pub(super) alone: [Vec<PathBuf>; 2],
    /// Notes on files that are not compared.
    pub(super) notes: Vec<String>,
}

impl PicturePairs {
    pub(super) fn new(args: &CompareArgs, disk: &Disk) -> Result<Self, Failure> {
        let given = [&args.expected, &args.actual].map(PathBuf::as_path);
        let pairs = match given.map(|path| !input::is_stdin(path) && path.is_dir()) {
            [false, false] => Self::of_files(args)?,
            [true, true] => Self::of_folders(args)?,
            are_folders => {
                let absent = |path: &&Path| !input::is_stdin(path) && !path.exists();
                if let Some(absent) = given.into_iter().find(absent) {
                    input::picture(disk, absent, None)?; // says why it cannot be read
                }
                let [expected, actual] = given.map(input::name);
                let [a, b] = are_folders.map(|it| if it { "a folder" } else { "one picture" });
                return Err(Failure::Usage(format!(
                    "{expected} is {a}, {actual} is {b}: expected two files or two folders"
                )));
            }
        };
        // All inputs are known before the first difference is written.
        let read = pairs.pairs.iter().flat_map(|pair| [&pair.expected, &pair.actual]);
        for path in read.chain(&args.mask) {
            if input::is_stdin(path) { disk.note_stdin() } else { disk.note(path, Role::Input) }
        }
        let diffs = pairs.pairs.iter().filter_map(|pair| pair.diff.as_deref());
        disk.check(diffs.filter(|diff| !input::is_stdin(diff)))?;
        Ok(pairs)
    }

    fn of_files(args: &CompareArgs) -> Result<Self, Failure> {
        let CompareArgs { expected, actual, .. } = args;
        check_one_stdin([expected, actual])?;
        let pair = PicturePair {
            name: format!("{} and {}", input::name(expected), input::name(actual)),
            expected: expected.clone(),
            actual: actual.clone(),
            diff: args.diff.clone(),
        };
        Ok(Self {
            of_folders: false,
            pairs: vec![pair],
            alone: Default::default(),
            notes: Vec::new(),
        })
    }

    fn of_folders(args: &CompareArgs) -> Result<Self, Failure> {
        let CompareArgs { expected, actual, .. } = args;
        if let Some(diff) = &args.diff {
            if input::is_stdin(diff) {
                let text = "--diff - writes one picture; for two folders, expected a folder";
                return Err(Failure::Usage(text.into()));
            }
            if let Some(folder) = [expected, actual].into_iter().find(|of| output::is_in(diff, of))
            {
                let (diff, folder) = (diff.display(), folder.display());
                let text = format!(
                    "--diff {diff} lies in {folder}, which is compared; choose another folder"
                );
                return Err(Failure::Usage(text));
            }
        }
        let found = [FolderPictures::in_folder(expected)?, FolderPictures::in_folder(actual)?];
        let notes = [expected, actual].into_iter().zip(&found);
        let notes = notes.flat_map(|(folder, found)| found.notes(folder)).collect();
        let [in_expected, in_actual] = found.map(|found| found.pictures);
        if in_expected.is_empty() && in_actual.is_empty() {
            let (expected, actual) = (expected.display(), actual.display());
            return Err(Failure::Usage(format!("no .png files in {expected} or {actual}")));
        }
        let pair = |path: &PathBuf| PicturePair {
            name: slashed(path),
            expected: expected.join(path),
            actual: actual.join(path),
            diff: args.diff.as_ref().map(|folder| folder.join(path)),
        };
        let alone = |here: &BTreeSet<PathBuf>, there| here.difference(there).cloned().collect();
        Ok(Self {
            of_folders: true,
            pairs: in_expected.intersection(&in_actual).map(pair).collect(),
            alone: [alone(&in_expected, &in_actual), alone(&in_actual, &in_expected)],
            notes,
        })
    }
}

/// Files of a folder at any depth, by relative path.
#[derive(Debug, Default)]
struct FolderPictures {
    /// Files named like PNG files.
    pictures: BTreeSet<PathBuf>,
    /// Files that are called otherwise.
    others: BTreeSet<PathBuf>,
    /// Links to folders that contain them. They are not followed.
    circles: BTreeSet<PathBuf>,
}

impl FolderPictures {
    fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let found = FoundFiles::of(folder, usize::MAX);
        let mut found = found.map_err(|error| input::unreadable(&input::name(folder), &error))?;
        let is_png = |path: &PathBuf| {
            let extension = path.extension();
            extension.is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
        };
        // Comparing a broken link that is named like a picture reports the error.
        let broken: Vec<PathBuf> = found.dangling.extract_if(.., |path| is_png(path)).collect();
        if let Some((path, why)) = found.first_unread() {
            return Err(input::unreadable(&input::name(path), &why));
        }
        let inside = |path: PathBuf| path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path);
        let all = [found.files, found.irregular, broken, found.dangling];
        let (pictures, others): (Vec<_>, Vec<_>) = all.concat().into_iter().partition(is_png);
        let within = |paths: Vec<PathBuf>| paths.into_iter().map(inside).collect();
        Ok(Self {
            pictures: within(pictures),
            others: within(others),
            circles: within(found.circles),
        })
    }

    /// Files that are not compared.
    fn notes(&self, folder: &Path) -> Vec<String> {
        /// Paths that are named.
        const NAMED: usize = 3;
        let note = |paths: &BTreeSet<PathBuf>, one: &str, many: &str| {
            let first = paths.iter().take(NAMED).map(|path| slashed(path));
            let mut names: Vec<String> = first.collect();
            if paths.len() > NAMED {
                names.push("…".to_owned());
            }
            (!names.is_empty()).then(|| {
                let (folder, names) = (folder.display(), names.join(", "));
                format!("{folder}: {} ({names})", count(paths.len(), one, many))
            })
        };
        let others = note(
            &self.others,
            "file without the extension .png is not compared",
            "files without the extension .png are not compared",
        );
        let circles = note(
            &self.circles,
            "link to a folder that contains it is not followed",
            "links to folders that contain them are not followed",
        );
        [others, circles].into_iter().flatten().collect()
    }
}

/// A path of `others` that differs from `path` only in upper and lower case, or in the form of its accents.
pub(super) fn alike<'a>(path: &Path, others: &'a [PathBuf]) -> Option<&'a Path> {
    let folded = |path: &Path| file_name::key(&slashed(path));
    let wanted = folded(path);
    let mut others = others.iter().map(PathBuf::as_path);
    others.find(|other| folded(other) == wanted)
}
