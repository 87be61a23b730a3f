//! Several files in one input: a text and the images beside it.
//!
//! ```text
//! {"version": 1, ...}
//! --file hero.png
//! <bytes>
//! --file deep/scarf.png
//! <bytes>
//! ```

use pchr::format::{SidecarError, Sidecars};

/// Start of a file; its name and a line break follow.
const MARK: &[u8] = b"\n--file ";

/// Path that is never found.
const GONE: &str = "gone";

/// Content for any other path that the input lacks, so that small inputs get past their images.
const WHITE: &[u8] = include_bytes!("white.png");

/// Files beside the first one of an input, by name.
#[derive(Clone, Debug, Default)]
pub struct Files {
    named: Vec<(String, Vec<u8>)>,
}

impl Files {
    /// Splits an input into the first file and those beside it.
    #[must_use]
    pub fn split(input: &[u8]) -> (Vec<u8>, Self) {
        let mut starts: Vec<usize> =
            (0..input.len()).filter(|at| input[*at..].starts_with(MARK)).collect();
        let first = starts.first().copied().unwrap_or(input.len());
        starts.push(input.len());
        let named = starts.windows(2).map(|ends| {
            let file = &input[ends[0] + MARK.len()..ends[1]];
            let line = file.iter().position(|byte| *byte == b'\n').unwrap_or(file.len());
            let name = String::from_utf8_lossy(&file[..line]).into_owned();
            (name, file.get(line + 1..).unwrap_or_default().to_vec())
        });
        (input[..first].to_vec(), Self { named: named.collect() })
    }

    /// Creates a set of named files.
    #[must_use]
    pub fn new(named: Vec<(String, Vec<u8>)>) -> Self {
        Self { named }
    }

    /// Contents of the files beside the first.
    pub fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.named.iter().map(|(_, bytes)| bytes.as_slice())
    }

    /// Joins a first file and these files into one input.
    #[must_use]
    pub fn join(&self, first: &[u8]) -> Vec<u8> {
        let mut input = first.to_vec();
        for (name, bytes) in &self.named {
            input.extend([MARK, name.as_bytes(), b"\n", bytes].concat());
        }
        input
    }
}

impl Sidecars for Files {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        match (self.named.iter().find(|(name, _)| name == path), path) {
            (Some((_, bytes)), _) => Ok(bytes.clone()),
            (None, GONE) => Err(SidecarError::Unreadable("no such file".into())),
            (None, _) if path.starts_with("../") => Err(SidecarError::Outside),
            (None, _) => Ok(WHITE.to_vec()),
        }
    }
}
