//! Parts of a name, and the records that can hold it.

/// Endings with a number, from 1.
const ENDINGS: [&str; 5] = [".png", ".webp", ".jpg", ".jpeg", ".gif"];

/// Starts of a line that turn it into another record.
const RECORDS: [&str; 4] = ["P:", "F:", "B:", "A:"];

/// A sprite's name in its parts: `folder/stem.ending`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// Text before the last slash; `None` without a slash, or if nothing is before it.
    pub(super) folder: Option<&'a str>,
    /// The rest without the extension.
    pub(super) stem: &'a str,
    /// An extension that has a number.
    pub(super) ending: Option<Ending>,
}

/// An extension that has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ending(u8);

impl Ending {
    /// Returns the digit after `~`.
    pub(super) const fn digit(self) -> char {
        (b'1'.saturating_add(self.0)) as char
    }

    /// Returns the extension with its dot.
    pub(super) fn text(self) -> &'static str {
        ENDINGS.get(usize::from(self.0)).copied().unwrap_or("")
    }
}

impl<'a> Name<'a> {
    /// Returns the parts of a whole name.
    pub(super) fn new(whole: &'a str) -> Self {
        let (folder, rest) = match whole.rsplit_once('/') {
            Some(("", _)) | None => (None, whole),
            Some((folder, rest)) => (Some(folder), rest),
        };
        let ending = (0..).zip(ENDINGS).find_map(|(index, ending)| {
            let stem = rest.strip_suffix(ending)?;
            Some((stem, Ending(index)))
        });
        match ending {
            Some((stem, ending)) => Self {
                folder,
                stem,
                ending: Some(ending),
            },
            None => Self {
                folder,
                stem: rest,
                ending: None,
            },
        }
    }

    /// Returns true if it is valid on its own line.
    pub(super) fn fits_line(self) -> bool {
        let begins = |record: &str| self.stem.starts_with(record);
        let is_record = self.stem.starts_with('#') || RECORDS.iter().any(|record| begins(record));
        self.fits() && !self.stem.contains('|') && !(self.folder.is_none() && is_record)
    }

    /// Returns true if it is valid in a list: in a block or after an alias.
    pub(super) fn fits_list(self) -> bool {
        let is_empty = self.folder.is_none() && self.stem.is_empty();
        self.fits() && !is_empty && !self.stem.contains([',', '#'])
    }

    /// Returns true if aliases can refer to it.
    pub(super) fn fits_original(self) -> bool {
        self.fits() && !self.stem.contains('=')
    }

    /// Returns the reason why no record can hold it, if none can.
    pub(super) fn problem(self) -> Option<&'static str> {
        if self.has_line_break() {
            return Some("has a line break");
        }
        if self.ends_as_ending() {
            return Some("ends with \"~\" and a digit from 1 to 5, which stand for an extension");
        }
        if self.fits_line() || self.fits_list() {
            return None;
        }
        let has = |c| self.stem.contains(c);
        Some(match (has(','), has('#'), has('|')) {
            (true, _, true) => "contains both \",\" and \"|\"",
            (_, true, true) => "contains both \"#\" and \"|\"",
            _ if self.stem.starts_with('#') => "begins with \"#\", which selects a page",
            _ => "begins like a record and contains \",\" or \"#\"",
        })
    }

    fn fits(self) -> bool {
        !self.has_line_break() && !self.ends_as_ending()
    }

    fn has_line_break(self) -> bool {
        let breaks = |text: &str| text.contains(['\n', '\r']);
        breaks(self.stem) || self.folder.is_some_and(breaks)
    }

    fn ends_as_ending(self) -> bool {
        self.ending.is_none() && ends_with_index(self.stem)
    }
}

/// Returns true if a text ends like an extension index.
pub(super) fn ends_with_index(text: &str) -> bool {
    matches!(text.as_bytes(), [.., b'~', b'1'..=b'5'])
}

/// Returns true if a folder must be in the dictionary, because its name would be misread elsewhere.
pub(super) fn is_awkward(folder: &str) -> bool {
    let first = folder.split('/').next().unwrap_or_default();
    let is_index = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    is_index
        || folder.contains([',', '#', '|', '='])
        || RECORDS.iter().any(|record| folder.starts_with(record))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_parts() {
        let parts = |name| {
            let Name {
                folder,
                stem,
                ending,
            } = Name::new(name);
            (folder, stem, ending.map_or("", Ending::text))
        };
        assert_eq!(parts("a/b/c.png"), (Some("a/b"), "c", ".png"));
        assert_eq!(parts("/c.jpeg"), (None, "/c", ".jpeg"));
        assert_eq!(parts("//c"), (Some("/"), "c", ""));
        assert_eq!(parts("d/"), (Some("d"), "", ""));
        assert_eq!(parts("x.PNG"), (None, "x.PNG", ""));
        assert_eq!(Name::new("a.gif").ending.unwrap().digit(), '5');
    }

    #[test]
    fn names_that_no_record_can_hold_are_known() {
        let problem = |name| Name::new(name).problem();
        for name in [
            "a\nb", "a\r", "d\n/a", "a~1", "d/a~5", "a,b|c", "a#|", "#a", "P:a,b", "A:#",
        ] {
            assert!(problem(name).is_some(), "{name:?}");
        }
        for name in [
            "",
            ".png",
            "d/",
            "a,b",
            "a#b",
            "a|b",
            "P:a",
            "A:",
            "12/a",
            "d/#a",
            "d#/a|b",
            "a~1.png",
            "a~6",
            "/#a",
            "k=v",
            "~",
            "~1x",
            "a,b/P:c,d",
        ] {
            assert_eq!(problem(name), None, "{name:?}");
        }
    }
}
