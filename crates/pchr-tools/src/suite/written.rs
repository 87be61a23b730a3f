//! A path as written in a suite: `$NAME` and `${NAME}` are environment variables, `$$` is a dollar sign. Messages and reports
//! repeat it as written; the values of variables are used only for the file system.

use crate::text::shell::{Piece, Word};

/// A path with variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written(Vec<Piece>);

impl Written {
    /// Parses a path.
    ///
    /// # Errors
    /// The variable whose name is invalid.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            plain.push_str(before);
            let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let (name, behind) = match after.strip_prefix('{') {
                Some(braced) => braced
                    .split_once('}')
                    .ok_or_else(|| format!("${after:?} has no closing }}"))?,
                None => after.split_at(after.find(|c| !in_name(c)).unwrap_or(after.len())),
            };
            let is_name = |name: &str| {
                name.chars().all(in_name) && name.starts_with(|c: char| !c.is_ascii_digit())
            };
            if let Some(behind) = after.strip_prefix('$') {
                plain.push('$');
                rest = behind;
            } else if is_name(name) {
                pieces.extend(text_piece(&mut plain));
                pieces.push(Piece::Variable(name.to_owned()));
                rest = behind;
            } else if after.starts_with('{') {
                return Err(format!(
                    "invalid variable name {name:?}: expected letters, digits and _ (write $$ for a dollar sign)"
                ));
            } else {
                plain.push('$');
                rest = after;
            }
        }
        plain.push_str(rest);
        pieces.extend(text_piece(&mut plain));
        Ok(Self(pieces))
    }

    /// Returns the first variable.
    pub(super) fn variable(&self) -> Option<&str> {
        self.0.iter().find_map(|piece| match piece {
            Piece::Variable(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// Returns the path with variables expanded.
    ///
    /// # Errors
    /// The variable that is not set, or not UTF-8.
    pub(super) fn expanded(&self) -> Result<String, String> {
        let value = |piece: &Piece| match piece {
            Piece::Text(text) => Ok(text.clone()),
            Piece::Variable(name) => std::env::var(name)
                .map_err(|_| format!("the environment variable ${name} is not set")),
        };
        self.0.iter().map(value).collect()
    }

    /// Returns the path followed by a text, as a word of a command. It is never taken for an option.
    pub(super) fn word(&self, text: &str) -> Word {
        let mut pieces = self.0.clone();
        pieces.push(Piece::Text(text.to_owned()));
        let mut texts = Vec::new();
        for piece in pieces {
            match (texts.last_mut(), piece) {
                (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
                (_, piece) => texts.push(piece),
            }
        }
        if let Some(Piece::Text(first)) = texts.first_mut()
            && first.starts_with('-')
        {
            first.insert_str(0, "./");
        }
        Word(texts)
    }
}

fn text_piece(text: &mut String) -> Option<Piece> {
    (!text.is_empty()).then(|| Piece::Text(std::mem::take(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_names_and_a_dollar_is_written_twice() {
        let variable = |name: &str| Piece::Variable(name.to_owned());
        let text = |text: &str| Piece::Text(text.to_owned());
        for (path, pieces) in [
            ("", vec![]),
            ("a/b.pchr", vec![text("a/b.pchr")]),
            (
                "$A/${B_2}c$D-e",
                vec![
                    variable("A"),
                    text("/"),
                    variable("B_2"),
                    text("c"),
                    variable("D"),
                    text("-e"),
                ],
            ),
            ("$$A/$1/$", vec![text("$A/$1/$")]),
        ] {
            assert_eq!(Written::parse(path), Ok(Written(pieces)), "{path}");
        }
        for wrong in ["${A", "${a-b}", "${}", "${A:-$(touch pwned)}", "${1}"] {
            assert!(Written::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_word_keeps_variables_apart_from_what_follows() {
        let written = Written::parse("$ART/x").unwrap();
        let word = written.word("/$HOME.pchr");
        assert_eq!(
            word.0,
            [
                Piece::Variable("ART".into()),
                Piece::Text("/x/$HOME.pchr".into())
            ]
        );
        assert_eq!(Written::default().word("-rf"), "./-rf".into());
    }
}
