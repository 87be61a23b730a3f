//! Reports of a run: `report.json`, `index.html` and the pictures in one folder, JUnit, and text.

pub(crate) mod folder;
pub(crate) mod html;
pub(crate) mod junit;
pub(crate) mod merge;
pub(crate) mod results;
pub(crate) mod text;
