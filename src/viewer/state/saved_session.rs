//! The session that the view is saved to.

use std::path::{Path, PathBuf};

use pchr_tools::session::Session;

use super::State;
use super::files::SavedSession;
use crate::viewer::action::Action;
use crate::viewer::loaded::Source;
use crate::viewer::model::Model;
use crate::viewer::question::Question;

impl State {
    /// Returns the path of the session that the view is saved to; `None` if a new one is.
    pub(crate) fn session_path(&self) -> Option<&Path> {
        let loaded = self.model.as_ref()?.loaded();
        let saved = self.files.saved.as_ref();
        let again = saved.filter(|saved| saved.of.as_deref() == loaded.file());
        let path = again.map(|saved| saved.path.as_path());
        path.or(loaded.source.path().filter(|_| loaded.session.is_some()))
    }

    /// Returns true if a session, as a file has it now, is known: it was read or saved here.
    pub(crate) fn knows_session(&self, mut session: Session) -> bool {
        for (missing, found) in self.files.relocated() {
            session.relocate(missing, found);
        }
        let read = self.model.as_ref().filter(|_| !self.files.lacks_view);
        let read = read.and_then(|model| model.loaded().session.as_ref());
        let saved = self.files.saved.as_ref().map(|saved| &saved.session);
        [read, saved].contains(&Some(&session))
    }

    pub(super) fn session_saved(&mut self, path: PathBuf, session: Box<Session>) {
        let open = self.session_path().map(Path::to_owned);
        self.saved(path.clone());
        if let Some(open) = open.filter(|open| *open != path)
            && let Some(said) = &mut self.said
        {
            let open = Source::File(open).name();
            let why = match self.files.lacks_view {
                true => "asks for what the file lacks, and stays",
                false => "was changed in another program",
            };
            said.text = format!("{open} {why}; saved {}", path.display());
        }
        self.files.lacks_view = false;
        let asks_to_quit = |question: &Question| question.has_answer(&Action::Quit);
        self.question.take_if(|question| asks_to_quit(question));
        let is_open = { self.model.as_ref() }
            .is_some_and(|model| model.loaded().source.path() == Some(&*path));
        if let Some(model) = self.model.as_mut().filter(|_| is_open) {
            model.set_saved();
            self.files.is_stage_touched = false;
            self.files.drafts.remove(&path);
        }
        let loaded = self.model.as_ref().map(Model::loaded);
        self.files.saved = Some(SavedSession {
            path,
            session: *session,
            of: loaded.and_then(|loaded| loaded.file().map(Path::to_owned)),
        });
        if std::mem::take(&mut self.files.quits_when_saved) {
            self.apply(Action::Quit);
        }
    }
}
