//! Looks: views without a file, which the window has by default, or for the files of a folder that has a [`FOLDER_LOOK`]. They are
//! written like sessions.
//!
//! ```toml
//! background = "#202020"
//! overlay = ["bones", "names"]
//!
//! [window]
//! speed = 0.5
//! ```

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::de::DeTable;

use super::{Entries, GRAMMAR, SessionError, SessionOptions};
use crate::view::option_rules::merged;
use crate::view::settings::{Setting, Settings};
use crate::view::{Background, MARKS, Mark, OverlayItem, PLAYING_MARKS, Playing, Shown};

/// Name of the file with the look of its folder.
pub const FOLDER_LOOK: &str = ".pchr-view.toml";

/// Background, overlays, filter, and how animations play, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WindowLook(Settings);

impl WindowLook {
    /// Reads the text of a look that lies in `folder`.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, SessionError> {
        Self::of(Entries::parse(text, folder))
    }

    /// Reads a table of a file that lies in `folder`. `line` returns the line of a place in its text.
    ///
    /// # Errors
    /// All faults of the table.
    pub fn of_table(
        table: &DeTable<'_>,
        line: impl Fn(usize) -> usize,
        folder: &Path,
    ) -> Result<Self, SessionError> {
        Self::of(Entries::read(table, line, folder))
    }

    fn of(entries: Entries) -> Result<Self, SessionError> {
        let Entries { shown, mut settings, lines, mut faults, .. } = entries;
        let others = lines.iter().filter(|(key, _)| options().all(|option| option != key));
        faults.extend(others.map(|(key, line)| (*line, format!("{key}: is for sessions only"))));
        let named = shown
            .overlays()
            .find(|item| !matches!(item, OverlayItem::Layer(_) | OverlayItem::Onion(_)));
        let line = lines.iter().find(|(key, _)| key == "overlay").map_or(1, |(_, line)| *line);
        faults.extend(named.map(|item| {
            (line, format!("overlay: {item} is for sessions only, since it names a part of a file"))
        }));
        if !faults.is_empty() {
            faults.sort();
            return Err(SessionError(faults));
        }
        if let Some(background @ Background::Picture(_)) = &shown.background {
            settings.put("background", Setting::One(background.to_string()));
        }
        Ok(Self(settings))
    }

    /// Returns the look of a view.
    #[must_use]
    pub fn of_view(shown: &Shown, playing: &Playing) -> Self {
        let mut settings = shown.settings();
        settings.extend(&playing.settings());
        Self::default().replaced(&Self::all_names(), &Self(settings))
    }

    /// Returns the look, replaced by another one where that says something.
    #[must_use]
    pub fn under(&self, over: &Self) -> Self {
        Self(merged(&self.0, &over.0, &GRAMMAR))
    }

    /// Returns the look without some options.
    #[must_use]
    pub fn without(&self, names: &[String]) -> Self {
        let mut look = self.clone();
        names.iter().for_each(|name| look.0.remove(name));
        look
    }

    /// Returns the look with some options as another one has them, or not.
    #[must_use]
    pub fn replaced(&self, names: &[String], by: &Self) -> Self {
        let mut look = self.without(names);
        for name in names {
            if let Some(setting) = by.0.get(name) {
                look.0.put(name, setting.clone());
            }
        }
        look
    }

    /// Returns the names of its options.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.0.names().map(str::to_owned).collect()
    }

    /// Returns the names of all options that looks can have.
    #[must_use]
    pub fn all_names() -> Vec<String> {
        options().map(str::to_owned).collect()
    }

    /// Returns true if it has an option.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    /// Returns the options as values; those that it does not have are the usual ones.
    #[must_use]
    pub fn view(&self) -> (Shown, Playing) {
        let read = self.0.parse::<SessionOptions>(&GRAMMAR);
        read.map_or_else(
            |_| Default::default(),
            |SessionOptions { shown, playing }| (shown, playing),
        )
    }
}

/// The look that a folder asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct FolderLook {
    /// Path of its file.
    pub path: PathBuf,
    /// The look, or the reason why it is ignored.
    pub look: Result<WindowLook, String>,
}

impl FolderLook {
    /// Reads the look of the folder of a file; `None` if there is none. `read` returns the text at a path, or why there is none, and
    /// what else the caller wants of it.
    #[must_use]
    pub fn of<T>(
        file: &Path,
        read: impl FnOnce(&Path) -> (Result<String, String>, T),
    ) -> Option<(Self, T)> {
        let folder = file.parent()?;
        let path = folder.join(FOLDER_LOOK);
        if !path.exists() {
            return None;
        }
        let (text, more) = read(&path);
        let look = text
            .and_then(|text| WindowLook::parse(&text, folder).map_err(|error| error.to_string()));
        Some((Self { path, look }, more))
    }
}

/// Returns the names of the options that looks can have.
fn options() -> impl Iterator<Item = &'static str> {
    let all = MARKS.iter().chain(PLAYING_MARKS);
    all.filter(|(_, marks)| marks.contains(&Mark::Look)).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<WindowLook, String> {
        WindowLook::parse(text, Path::new("/art")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_look_has_what_is_given_and_its_pictures_lie_beside_it() {
        let look = parse("background = \"wall.png\"\nfilter = \"linear\"\noverlay = \"bones,onion=2,2\"\n[window]\nspeed = 0.5\n").unwrap();
        let (shown, playing) = look.view();
        assert_eq!(shown.background, Some(Background::Picture("/art/wall.png".into())));
        assert_eq!(playing.speed, Some(0.5));
        assert!(look.has("filter") && look.has("overlay") && !look.has("loop"));
        assert!(!look.without(&["filter".to_owned()]).has("filter"));
        assert_eq!(look.names(), ["background", "filter", "overlay", "speed"]);
        assert_eq!(parse(""), Ok(WindowLook::default()));
    }

    #[test]
    fn what_needs_a_file_is_refused_with_its_line() {
        for (text, why) in [
            ("\nfile = \"a.pchr\"\n", "line 2: file: is for sessions only"),
            ("animation = \"walk\"\n", "line 1: animation: is for sessions only"),
            (
                "overlay = \"bones,mesh=a\"\n",
                "line 1: overlay: mesh=a is for sessions only, since it names a part of a file",
            ),
            ("speed = 2\n", "line 1: speed: belongs below [window]"),
            (
                "loop = \"maybe\"\n",
                "line 1: loop: invalid value \"maybe\": expected one of on, off",
            ),
        ] {
            assert_eq!(parse(text), Err(why.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_later_look_replaces_what_it_names() {
        let usual = parse("background = \"#102030\"\nloop = \"on\"\n").unwrap();
        let over = parse("loop = \"off\"\nfilter = \"linear\"\n").unwrap();
        let (shown, _) = usual.under(&over).view();
        let wanted = parse("background = \"#102030\"\nloop = \"off\"\n").unwrap().view().0;
        assert_eq!(shown, wanted);
        assert_eq!(WindowLook::of_view(&shown, &Playing::default()).view().0, shown);
        let turns = parse("[window]\nping-pong = true\n").unwrap();
        assert_eq!(usual.under(&turns).view().0.looping, None, "they cannot be combined");
    }
}
