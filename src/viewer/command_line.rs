//! The view on screen as a command that captures the same pixels.

use std::path::{Path, PathBuf};

use pchr_tools::file_name;
use pchr_tools::view::Shown;

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
        let mut words = vec!["pchr-view".to_owned(), "capture".to_owned(), text(self.file)];
        if self.allow_outside {
            words.push("--allow-outside".to_owned());
        }
        words.extend(["-o".to_owned(), self.output()]);
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
        text(Path::new(&format!("{stem}-capture.png")))
    }
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
