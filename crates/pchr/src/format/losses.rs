//! Contents that a format cannot express.

/// Contents that were lost in the conversion to another format, by kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses(Vec<Loss>);

/// One kind of lost content.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Name of the kind, in the plural.
    pub what: &'static str,
    /// Number of lost items.
    pub count: u64,
    /// Section and element of the first lost item, like `meshes[2].vertices[17]`.
    pub first: String,
    /// Largest errors of movements that are approximated; `None` for other kinds.
    pub error: Option<MovementError>,
}

/// Largest errors of movements, each regardless of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MovementError {
    /// Of rotations, in degrees.
    pub degrees: f64,
    /// Of places, in units of the skeleton.
    pub units: f64,
    /// Of scales.
    pub scale: f64,
}

impl MovementError {
    fn max(self, other: Self) -> Self {
        Self {
            degrees: self.degrees.max(other.degrees),
            units: self.units.max(other.units),
            scale: self.scale.max(other.scale),
        }
    }
}

impl Losses {
    /// Returns all losses, in the order in which they occurred.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.0.iter()
    }

    /// Returns true if nothing was lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds later losses, or those of another part.
    pub fn extend(&mut self, more: Self) {
        for loss in more.0 {
            let error = loss.error;
            self.add_many(loss.what, loss.count, || loss.first);
            self.widen(loss.what, error);
        }
    }

    /// Takes out all losses but those to keep.
    pub fn retain(&mut self, keep: impl FnMut(&Loss) -> bool) {
        self.0.retain(keep);
    }

    /// Adds a loss.
    pub fn add(&mut self, what: &'static str, path: impl FnOnce() -> String) {
        self.add_many(what, 1, path);
    }

    /// Adds a loss that occurs several times; `path` is where it does first.
    pub fn add_many(&mut self, what: &'static str, count: u64, path: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|loss| loss.what == what) {
            Some(loss) => loss.count = loss.count.saturating_add(count),
            None => self.0.push(Loss { what, count, first: path(), error: None }),
        }
    }

    /// Adds an approximated movement, with its error.
    pub fn add_movement(
        &mut self,
        what: &'static str,
        error: MovementError,
        path: impl FnOnce() -> String,
    ) {
        self.add(what, path);
        self.widen(what, Some(error));
    }

    fn widen(&mut self, what: &'static str, error: Option<MovementError>) {
        let loss = self.0.iter_mut().find(|loss| loss.what == what);
        if let Some((loss, error)) = loss.zip(error) {
            loss.error = Some(loss.error.unwrap_or_default().max(error));
        }
    }
}

impl<'a> IntoIterator for &'a Losses {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
