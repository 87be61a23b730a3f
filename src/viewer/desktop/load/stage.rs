//! Stages that were changed in the window, and are read as they are there.

use std::path::Path;
use std::sync::Arc;

use pchr_tools::open::Opened;
use pchr_tools::session::Session;
use pchr_tools::stage::{Layout, Stage};

/// The layout of the window, and the index of its first character without a place.
pub(super) type StagedLayout = (Layout, usize);

/// Returns the text of a stage with the layout of the window, or with the places of files that the user found; `None` for a session
/// of a file.
pub(super) fn text(session: &Session, staged: Option<&StagedLayout>) -> Option<Vec<u8>> {
    let stage = session.stage.as_ref()?;
    let layout = staged.map_or(stage, |(layout, _)| layout);
    let session = Session { stage: Some(layout.clone()), ..session.clone() };
    let text = session.text(session.file.parent().unwrap_or(Path::new("")));
    text.ok().map(String::into_bytes)
}

/// Returns a stage with its new characters beside the others, and its layout. Its text is not that of its file, so its lines are left
/// out.
pub(super) fn lined_up(opened: Opened, (layout, from): &StagedLayout) -> (Opened, Layout) {
    let Some(stage) = opened.subject.data().and_then(|data| data.downcast_ref::<Stage>()) else {
        return (opened, layout.clone());
    };
    let lined_up = match *from < layout.members.len() {
        true => stage.lined_up(layout, *from),
        false => layout.clone(),
    };
    let stage = stage.placed(&lined_up);
    (opened.with_subject(Arc::new(stage)), lined_up)
}
