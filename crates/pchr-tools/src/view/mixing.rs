//! Cross-fades as they are typed: `A:B:T`.

use std::fmt;
use std::str::FromStr;

/// A cross-fade as it is typed: two animations with a colon between them, and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixing {
    /// `A:B`. Names may hold colons themselves.
    pub(super) names: String,
    /// Weight of B: 0..=1.
    pub(super) amount: f32,
}

impl Mixing {
    /// A cross-fade from one animation to another. Names with a colon are to be given by number.
    pub(super) fn new(from: &str, to: &str, amount: f32) -> Self {
        Self {
            names: format!("{from}:{to}"),
            amount,
        }
    }
}

impl FromStr for Mixing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || {
            format!(
                "invalid cross-fade {text:?}: expected A:B:T, like walk:run:0.5, with T from 0 to 1"
            )
        };
        let (names, amount) = text.rsplit_once(':').ok_or_else(form)?;
        let amount: f32 = amount.trim().parse().map_err(|_| form())?;
        if !names.contains(':') {
            return Err(form());
        }
        if !(0.0..=1.0).contains(&amount) {
            return Err(format!(
                "invalid T {amount}: expected 0 (only A) to 1 (only B)"
            ));
        }
        Ok(Self {
            names: names.to_owned(),
            amount: amount.abs(), // no -0
        })
    }
}

impl fmt::Display for Mixing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.names, self.amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_is_behind_the_last_colon() {
        for text in ["walk:run:0.5", "a:b:c:0", "#0:#1:1", "x:y:0.00001"] {
            let mixing: Mixing = text.parse().unwrap();
            assert_eq!(mixing.to_string().parse(), Ok(mixing));
        }
        for wrong in [
            "",
            "walk",
            "walk:0.5",
            "walk:run",
            "walk:run:",
            "walk:run:x",
            "walk:run:1.01",
            "walk:run:-0.1",
            "walk:run:nan",
            "walk:run:inf",
        ] {
            assert!(wrong.parse::<Mixing>().is_err(), "{wrong}");
        }
        assert_eq!("a:b:-0".parse::<Mixing>().unwrap().to_string(), "a:b:0");
    }
}
