//! The command line: options that the window starts with, the first view of a file (also that of a session), and the view on screen
//! as a command that captures the same pixels.

use std::path::{Path, PathBuf};

use pchr::playback::FrameSpec;
use pchr::render::GpuOptions;
use pchr_tools::file_name;
use pchr_tools::open::Openers;
use pchr_tools::session::{Session, WindowLook};
use pchr_tools::view::{Playing, Shown, ViewError};

use crate::viewer::loaded::Wish;
use crate::viewer::problem::Problem;

/// Initial state of the window. The default shows the sample, fitted and playing.
#[derive(Clone, Debug, Default)]
pub struct ViewerOptions {
    /// Files to show; Left and Right go through them. If empty, the sample is shown. `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Kinds of content that can be opened.
    pub openers: Openers,
    /// True if images that a JSON file names may lie outside its folder.
    pub allow_outside: bool,
    /// Built-in sample, a PCHR file.
    pub sample: &'static [u8],
    /// View of the first file; background, directions and companions also of others.
    pub shown: Shown,
    /// How it plays.
    pub playing: Playing,
    /// True if the looks of the last run, of the settings and of folders are left out.
    pub no_defaults: bool,
    /// Graphics adapter that draws.
    pub gpu: GpuOptions,
    /// Width and height of the window in logical pixels.
    pub window_size: Option<[u32; 2]>,
    /// True to start as a preview window.
    pub preview: bool,
}

impl ViewerOptions {
    /// Returns the look of the command line.
    pub(crate) fn look(&self) -> WindowLook {
        WindowLook::of_view(&self.shown, &self.playing)
    }

    /// Returns the names of the options of looks that the command line gives.
    pub(crate) fn given_look(&self) -> Vec<String> {
        match self.no_defaults {
            true => WindowLook::all_names(),
            false => self.look().names(),
        }
    }
}

/// Requests for the first file that opens.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Start {
    pub(crate) shown: Shown,
    pub(crate) playing: Playing,
    /// True if everything is as in the view, and false if that only adds to the window's.
    pub(crate) is_session: bool,
}

impl Start {
    /// Returns the view of a session.
    pub(crate) fn of(session: &Session) -> Self {
        Self { shown: session.shown.clone(), playing: session.playing.clone(), is_session: true }
    }

    /// Returns the view of a session with the options of a command line.
    pub(crate) fn over(self, session: &Session) -> Self {
        let merged = session.with(&self.shown, &self.playing);
        Self::of(merged.as_ref().unwrap_or(session))
    }

    /// Returns the properties of the first picture that are known before the file is read.
    pub(crate) fn wish(&self) -> Wish {
        let frame = match self.shown.frame {
            Some(FrameSpec::One(frame)) => frame.try_into().unwrap_or(u16::MAX),
            _ => 0,
        };
        let images = Some(self.shown.image.clone()).filter(|images| !images.is_empty());
        Wish { animation: self.shown.animation.clone(), frame, images, ..Wish::default() }
    }

    /// Returns the problem of options that the file cannot follow, if there are any.
    pub(crate) fn problem(errors: &[ViewError]) -> Option<Problem> {
        const TITLE: &str = "The view is not as requested";
        Some(match errors {
            [] => return None,
            [error] => match &error.candidates {
                Some(candidates) => {
                    let message = format!("Option {}: {candidates}", error.option);
                    Problem::new(sentence(&error.reason), message)
                }
                None => Problem::new(TITLE, sentence(&error.to_string())),
            },
            several => {
                let lines: Vec<String> = several.iter().map(|error| error.in_a_line()).collect();
                Problem::of_lines(TITLE, lines.iter().map(String::as_str))
            }
        })
    }
}

/// Returns a text with a capital first letter.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// A view, and the device that draws it.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine<'a> {
    pub file: &'a Path,
    pub shown: Shown,
    /// Name of the backend, as requested.
    pub backend: Option<&'a str>,
    /// Name of the adapter, as requested.
    pub adapter: Option<&'a str>,
    /// True if images outside the file's folder may be read.
    pub allow_outside: bool,
}

impl<'a> CommandLine<'a> {
    /// Returns a command without a choice of the device.
    #[cfg(test)]
    pub(crate) fn new(file: &'a Path, shown: Shown) -> Self {
        Self { file, shown, backend: None, adapter: None, allow_outside: false }
    }

    /// Returns the command and its arguments.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = capture_words(self.file, self.allow_outside, self.output());
        words.extend(["--renderer", "gpu"].map(str::to_owned));
        if let Some(backend) = self.backend {
            words.extend(["--backend", backend].map(str::to_owned));
        }
        if let Some(adapter) = self.adapter {
            words.push(format!("--adapter={adapter}"));
        }
        let mut shown = self.shown.clone();
        for path in shown.paths_mut() {
            *path = PathBuf::from(text(path));
        }
        words.extend(shown.words());
        words
    }

    /// Returns the output file, named after the file and in the shell's folder. The stem gets a suffix, since
    /// `hero.png` may be the atlas of the character. Braces are doubled, since single ones are placeholders for names.
    fn output(&self) -> String {
        let stem = file_name::stem(self.file);
        let stem = stem.replace('{', "{{").replace('}', "}}");
        format!("{stem}-capture.png")
    }
}

/// Returns the command that shows a file in a window as it is shown here.
pub(crate) fn window_words(session: &Session) -> Vec<String> {
    let mut words = vec!["pchr-view".to_owned(), text(&session.file), "--no-defaults".to_owned()];
    if session.allow_outside {
        words.push("--allow-outside".to_owned());
    }
    let mut shown = session.shown.clone().in_window();
    for path in shown.paths_mut() {
        *path = PathBuf::from(text(path));
    }
    words.extend(shown.words());
    words.extend(session.playing.words());
    words
}

/// Returns the beginning of a command that captures a file.
pub(crate) fn capture_words(file: &Path, allow_outside: bool, output: String) -> Vec<String> {
    let mut words = vec!["pchr-view".to_owned(), "capture".to_owned(), text(file)];
    if allow_outside {
        words.push("--allow-outside".to_owned());
    }
    words.extend(["-o".to_owned(), text(Path::new(&output))]);
    words
}

/// Returns a path that is not mistaken for an option. `-` alone is standard input.
fn text(path: &Path) -> String {
    let text = path.to_string_lossy();
    match text.starts_with('-') && text != "-" {
        true => format!("./{text}"),
        false => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_and_reading_are_named() {
        let command = CommandLine {
            file: Path::new("art/hero.pchr"),
            shown: Shown::default(),
            backend: Some("vulkan"),
            adapter: Some("llvm pipe"),
            allow_outside: true,
        };
        let words = "pchr-view capture art/hero.pchr --allow-outside -o hero-capture.png --renderer gpu \
                     --backend vulkan --adapter=llvm pipe";
        assert_eq!(command.words().join(" "), words);
    }

    #[test]
    fn a_window_gets_no_options_of_captures() {
        let session = Session {
            file: PathBuf::from("-a.pchr"),
            shown: Shown { zoom: Some(2.0), overlay_scale: Some(2), ..Shown::default() },
            playing: Playing { speed: Some(0.5), ..Playing::default() },
            ..Session::default()
        };
        let words = window_words(&session);
        assert_eq!(words.join(" "), "pchr-view ./-a.pchr --no-defaults --zoom 2 --speed 0.5");
    }

    #[test]
    fn the_picture_is_named_like_the_file_and_no_file_is_an_option() {
        let of = |file: &str| {
            let words = CommandLine::new(Path::new(file), Shown::default()).words();
            (words[2].clone(), words[4].clone())
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            of("/a b/{frame}.x.pchr"),
            pair("/a b/{frame}.x.pchr", "{{frame}}.x-capture.png")
        );
        assert_eq!(of("-f.pchr"), pair("./-f.pchr", "./-f-capture.png"));
        assert_eq!(of("-").0, "-");
    }
}
