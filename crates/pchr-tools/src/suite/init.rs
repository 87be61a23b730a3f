//! `--init`: the first suite, with few pictures of each file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use indicatif::HumanBytes;

use pchr::document::AnimationId;
use pchr::scene::Subject;

use super::run::{Init, source};
use crate::file_name;
use crate::files::Companions;
use crate::run::input::{self, InputArgs};
use crate::run::messages::Messages;
use crate::run::walk::{CIRCLE, FoundFiles};
use crate::run::{Disk, Failure, output};
use crate::session::{Session, is_session};
use crate::stage::Stage;
use crate::text::slashed;
use crate::text::words::{self, count, toml_text};
use crate::view::select;

/// Name of the written file.
const NAME: &str = "suite.toml";

const HEAD: &str = r#"# A suite of captures, compared with baselines:
#
#   pchr-view test suite.toml --update    saves the pictures as baselines; commit the folder baselines/
#   pchr-view test suite.toml             compares; exits with 3 if a picture differs, 6 if a baseline is missing
#
# Any option of `pchr-view capture --help` can be set by its long name, here or in a case.

[defaults]
resolution = "256x256"
# renderer = "cpu"              # pixels that are equal on every machine; "gpu" tests the GPU path
# background = "checker"
# tolerance = 4                 # for pictures of adapters: how much a channel may differ, 0 to 255,
# max_outliers = "0.02%"        # and how many pixels may differ by more
"#;

const TAIL: &str = r#"
# Other options of a case:
#
# [[case]]
# name = "walk"                 # its baselines are baselines/walk/0000.png ...
# file = "characters/*.pchr"    # a pattern makes a case for each file: walk/hero, walk/fox ...
# animation = "walk"            # a name, an index, or "all"
# frame = "0..24:6"             # every 6th; also 7, 0..24, 0..=24, a list like 0,6,12, or "all"
# hide = ["shadow*"]
#
# For adapters of another class than the one that made the baselines:
#
# [adapter."llvmpipe"]
# tolerance = 8
# max_outliers = "0.1%"
"#;

/// Maximum number of pictures of one file.
const MOST: usize = 10;

/// Bytes of a picture of 256x256: the mean of 1,033 of six characters.
const PICTURE: u64 = 34_000;

/// Maximum number of animations without a picture that a comment names.
const LISTED: usize = 8;

/// Writes a suite for the files in a folder.
///
/// # Errors
/// [`Failure::Usage`] if there are no files, or a suite exists already; [`Failure::Running`] if a folder or file cannot be read, or
/// the suite cannot be written.
pub(crate) fn run(
    folder: &Path,
    which: Init,
    messages: &Messages,
    disk: &Disk,
) -> Result<(), Failure> {
    if folder.is_file() {
        return Err(Failure::Usage(format!(
            "{} is a file; --init expects the folder with the files",
            folder.display()
        )));
    }
    let path = folder.join(NAME);
    if path.exists() {
        return Err(Failure::Usage(format!("{} already exists", path.display())));
    }
    let files = find(disk, folder, messages)?;
    if files.is_empty() {
        return Err(Failure::Usage(format!(
            "no {} file in {} can be opened",
            disk.openers().endings(),
            folder.display()
        )));
    }
    let mut text = HEAD.to_owned();
    let mut pictures = 0_u64;
    for (file, name) in files.iter().zip(names(&files)) {
        // A $ would be read as that of a variable.
        let shown = toml_text(&slashed(file).replace('$', "$$"));
        let path = folder.join(file);
        let called = input::name(&path);
        let file = (path.as_path(), called.as_str());
        // A stage names its files, wherever they are, and more than these.
        let allow_outside = is_session(&path);
        let key = if allow_outside { "session" } else { "file" };
        let args = InputArgs { allow_outside, ..InputArgs::default() };
        match source::open(disk, file, args, &Companions::NONE) {
            Ok(opened) => {
                let subject = &*opened.subject;
                let plan = match which {
                    Init::Few => few(subject, &name),
                    Init::All => all(subject, &name),
                };
                pictures = pictures.saturating_add(plan.pictures);
                for (name, options) in plan.cases {
                    let name = toml_text(&name);
                    let _ = write!(text, "\n[[case]]\n{key} = {shown}\nname = {name}\n{options}");
                }
                text.push_str(&plan.comment);
            }
            // Half a suite would look like a whole one.
            Err(failure @ Failure::Running(_)) => return Err(failure),
            Err(failure) => {
                messages.warning(&format!("{failure}; its case will fail"));
                let name = toml_text(&name);
                let _ = write!(text, "\n[[case]]\n{key} = {shown}\nname = {name}\n");
            }
        }
    }
    text.push_str(TAIL);
    let say =
        |text: String| if messages.quiet { Ok(()) } else { output::write_text(text.as_bytes()) };
    say(format!(
        "{}: {} of 256x256, about {} as baselines\n",
        count(files.len() as u64, "file", "files"),
        count(pictures, "picture", "pictures"),
        HumanBytes(pictures.saturating_mul(PICTURE)),
    ))?;
    disk.write(&path, text.as_bytes())?;
    say(format!(
        "wrote {path}\nto save the first baselines: pchr-view test {path} --update\n",
        path = path.display()
    ))?;
    Ok(())
}

/// Text of a suite's cases for one file.
#[derive(Default)]
struct FirstCases {
    pictures: u64,
    /// Names of its cases, and their lines after file and name.
    cases: Vec<(String, String)>,
    comment: String,
}

/// Returns cases with every frame of every animation.
fn all(subject: &dyn Subject, name: &str) -> FirstCases {
    let all = all_others(subject);
    let ids = (subject.animation_ids()).filter(|id| all.is_none_or(|all| all == *id));
    let frames = ids.map(|id| u64::from(subject.frame_count(id)));
    FirstCases {
        pictures: frames.sum::<u64>().max(1), // without frames, the stored pose
        cases: vec![(name.to_owned(), "animation = \"all\"\nframe = \"all\"\n".to_owned())],
        ..FirstCases::default()
    }
}

/// Returns a case for each animation that has a picture.
fn few(subject: &dyn Subject, name: &str) -> FirstCases {
    let chosen = first_frames(subject, MOST);
    let pictures: usize = chosen.iter().map(Vec::len).sum();
    if pictures == 0 {
        let cases = vec![(name.to_owned(), String::new())];
        return FirstCases { pictures: 1, cases, ..FirstCases::default() };
    }
    let mut plan = FirstCases { pictures: pictures as u64, ..FirstCases::default() };
    let mut taken = BTreeSet::new();
    let mut left_out = Vec::new();
    for (id, frames) in subject.animation_ids().zip(&chosen) {
        let animation = subject.animation_name(id);
        if all_others(subject) == Some(id) {
            continue; // the others show it
        }
        if frames.is_empty() {
            left_out.push(animation);
            continue;
        }
        let folder = file_name::case_folder(&file_name::safe(animation));
        let folder = match taken.insert(file_name::key(&folder)) {
            true => folder,
            false => format!("{folder}-{}", id.0),
        };
        let by_name = animation != "all"
            && select::animation(subject, animation).is_ok_and(|found| found == id);
        let wanted = if by_name { animation.to_owned() } else { format!("#{}", id.0) };
        let frames: Vec<String> = frames.iter().map(ToString::to_string).collect();
        let [wanted, frames] = [wanted, frames.join(",")].map(|text| toml_text(&text));
        let options = format!("animation = {wanted}\nframe = {frames}\n");
        plan.cases.push((format!("{name}/{folder}"), options));
    }
    if let [(case, _)] = plan.cases.as_mut_slice() {
        name.clone_into(case);
    }
    if !left_out.is_empty() {
        let names = left_out.iter().map(|name| toml_text(name));
        let names = words::few(names, LISTED, left_out.len()).replace(['\n', '\r'], " ");
        plan.comment = format!("# not in this suite: {names}\n");
    }
    plan
}

/// Returns the animation that shows the content of all others. That of a stage shows what its play lists do not.
fn all_others(subject: &dyn Subject) -> Option<AnimationId> {
    let is_stage = subject.data().is_some_and(|data| data.is::<Stage>());
    subject.all().filter(|_| !is_stage)
}

/// Returns the files in a folder and below that can be opened, and stages, by their relative paths. Other sessions are views of files.
fn find(disk: &Disk, folder: &Path, messages: &Messages) -> Result<Vec<PathBuf>, Failure> {
    let found = FoundFiles::of(folder, usize::MAX);
    let found = found.with_context(|| format!("cannot read {}", folder.display()))?;
    if let Some((path, why)) = found.first_unread() {
        return Err(input::unreadable(&path.display().to_string(), &why));
    }
    for path in &found.circles {
        messages.note(&format!("skipped {}: {CIRCLE}", path.display()));
    }
    let is_stage = |path: &Path| {
        let text = is_session(path).then(|| input::read_text(disk, path).ok()).flatten();
        let session = text.and_then(|text| Session::parse(&text, path).ok());
        session.is_some_and(|session| session.stage.is_some())
    };
    let files = found.files.iter().filter(|path| disk.openers().is_in(path) || is_stage(path));
    let inside = files.filter_map(|path| path.strip_prefix(folder).ok());
    // The paths of a suite are text, with `/` between folders.
    let is_text =
        |path: &Path| path.to_str().is_some_and(|text| Path::new(&text.replace('\\', "/")) == path);
    let (named, unnamed): (Vec<_>, Vec<_>) =
        inside.map(Path::to_owned).partition(|path| cfg!(windows) || is_text(path));
    for path in unnamed {
        messages.note(&format!(
            "skipped {}: a suite cannot hold its name",
            folder.join(path).display()
        ));
    }
    Ok(named)
}

/// Returns the names of the files' cases: as short as possible while distinct, and valid as folders on every system.
fn names(files: &[PathBuf]) -> Vec<String> {
    let stem = |file: &Path| file_name::case_folder(&file_name::plain_stem(file));
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let count = met.entry(file_name::key(&stem(file))).or_default();
        *count = count.saturating_add(1);
    }
    let mut taken = BTreeSet::new();
    let mut name = |file: &PathBuf| {
        let stem = stem(file);
        let name = match met.get(&file_name::key(&stem)) {
            Some(1) => stem,
            _ => file_name::case_folder(&slashed(&file.with_extension("")).replace('/', "-")),
        };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| taken.insert(file_name::key(name))).unwrap_or(name)
    };
    files.iter().map(&mut name).collect()
}

/// Chooses at most `most` frames over all animations: the first of each, then the last of each, then those in the middle. The result has
/// one sorted entry per animation. It is empty for an animation that shows the content of all others.
fn first_frames(subject: &dyn Subject, most: usize) -> Vec<Vec<u16>> {
    let frames_of = |id: AnimationId| {
        let count = Some(subject.frame_count(id)).filter(|_| all_others(subject) != Some(id));
        let last = count.and_then(|count| count.checked_sub(1));
        last.map(|last| [0, last, last / 2])
    };
    let candidates: Vec<Option<[u16; 3]>> = subject.animation_ids().map(frames_of).collect();
    let mut chosen = vec![Vec::new(); candidates.len()];
    let mut left = most;
    for turn in 0..3 {
        for (candidates, chosen) in candidates.iter().zip(&mut chosen) {
            let frame = candidates.and_then(|frames| frames.get(turn).copied());
            if let Some(frame) = frame.filter(|frame| left > 0 && !chosen.contains(frame)) {
                chosen.push(frame);
                left -= 1;
            }
        }
    }
    chosen.iter_mut().for_each(|frames| frames.sort_unstable());
    chosen
}
