//! Characters that are shown together: adding, placing, ordering and removing them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr_tools::file_name;
use pchr_tools::session::{Session, WindowLook, is_session};
use pchr_tools::stage::{Layout, Member};

use super::{Request, State};
use crate::viewer::action::{Action, FileAction, Message, StageAction};
use crate::viewer::loaded::{Source, Staged, is_input};
use crate::viewer::order::OrderStep;
use crate::viewer::question::Question;

/// Ending of the name of a stage that was made in the window.
const NEW: &str = "-stage.pchr-view.toml";

impl State {
    /// Returns the characters of the open stage as they are placed now; `None` if no stage is open.
    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.model.as_ref()?.loaded().layout.as_ref()
    }

    /// Returns the same, as they are once the stage was read again.
    pub(super) fn wanted_layout(&self) -> Option<&Layout> {
        self.files.layout_asked.as_ref().or(self.layout())
    }

    /// Returns the index of the chosen character of the stage.
    pub(crate) fn chosen_member(&self) -> Option<usize> {
        let count = self.layout()?.members.len();
        self.chosen_member.filter(|chosen| *chosen < count)
    }

    /// Returns the session of the open stage as its file has it.
    pub(crate) fn stage_session(&self) -> Option<&Session> {
        let loaded = self.model.as_ref()?.loaded();
        let saved = self.files.saved.as_ref();
        let saved = saved.filter(|saved| loaded.source.path() == Some(&*saved.path));
        let read = loaded.session.as_ref().filter(|_| loaded.layout.is_some())?;
        Some(saved.map_or(read, |saved| &saved.session))
    }

    /// Returns true if the stage differs from its session.
    pub(crate) fn is_stage_unsaved(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.loaded().is_draft)
    }

    /// Returns true if the file of an unsaved stage was changed in another program.
    pub(crate) fn is_stage_behind(&self) -> bool {
        let loaded = self.model.as_ref().map(|model| model.loaded());
        let loaded = loaded.filter(|loaded| loaded.is_draft);
        let saved = self.files.saved.as_ref().map(|saved| &saved.session);
        loaded.is_some_and(|loaded| {
            let there = loaded.on_disk.as_ref();
            there.is_some() && ![loaded.session.as_ref(), saved].contains(&there)
        })
    }

    /// Shows an unsaved stage as its file has it.
    fn discard_stage(&mut self) {
        let Some(loaded) = self.model.as_ref().map(|model| Arc::clone(model.loaded())) else {
            return;
        };
        if !loaded.is_draft || loaded.on_disk.is_none() {
            let why = match loaded.is_draft {
                true => "The stage was never saved: there is nothing to go back to",
                false => "No stage has unsaved changes",
            };
            self.said = Some(Message::new(why));
            return;
        }
        if let Some(path) = loaded.source.path() {
            self.files.drafts.remove(path);
        }
        self.request(loaded.source.clone(), true);
    }

    pub(super) fn on_stage(&mut self, action: StageAction) {
        match action {
            StageAction::Dialog => self.requests.push(Request::StageDialog),
            StageAction::Add(paths) => self.add_members(paths),
            StageAction::Discard => self.discard_stage(),
            StageAction::Choose(member) => self.chosen_member = member,
            StageAction::Set(index, changed) => {
                self.change_member(index, |member| *member = *changed)
            }
            StageAction::Grab(at) => {
                let (camera, size) = (self.view.camera, self.view.size);
                let picks = self.model.as_mut().map(|model| model.picks(at, camera, size));
                let mesh = picks.and_then(|picks| picks.first().map(|pick| pick.mesh));
                let stage = self.model.as_ref().and_then(|model| model.stage());
                let member = mesh.zip(stage).and_then(|(mesh, stage)| stage.member_of(mesh));
                self.chosen_member = member.map(|(member, _)| member);
            }
            StageAction::Drag([right, down]) => {
                let camera = self.view.camera;
                let x = if camera.mirror { -right } else { right } / camera.zoom;
                let y = if camera.y_down { down } else { -down } / camera.zoom;
                if let Some(chosen) = self.chosen_member() {
                    self.change_member(chosen, |member| {
                        let [at_x, at_y] = member.at.map(f64::from);
                        #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
                        let at = [(at_x + x) as f32, (at_y + y) as f32];
                        member.at = at;
                    });
                }
            }
            StageAction::Reorder(index, step) => {
                let other = match step {
                    OrderStep::Up => index.checked_add(1),
                    OrderStep::Down => index.checked_sub(1),
                };
                let layout = self.layout().cloned();
                if let (Some(mut layout), Some(other)) = (layout, other)
                    && index.max(other) < layout.members.len()
                {
                    layout.members.swap(index, other);
                    self.chosen_member = Some(other);
                    self.set_layout(layout);
                }
            }
            StageAction::Remove(index) => {
                let layout = self.layout().cloned();
                if let Some(mut layout) = layout.filter(|layout| layout.members.len() > 1)
                    && index < layout.members.len()
                {
                    layout.members.remove(index);
                    self.chosen_member = None;
                    self.set_layout(layout);
                }
            }
        }
    }

    fn change_member(&mut self, index: usize, change: impl FnOnce(&mut Member)) {
        let Some(mut layout) = self.wanted_layout().cloned() else {
            return;
        };
        if let Some(member) = layout.members.get_mut(index) {
            change(member);
            self.set_layout(layout);
        }
    }

    /// Shows the stage with another layout. It is read again if that has other files, names, tints or another order.
    pub(super) fn set_layout(&mut self, layout: Layout) {
        let Some(model) = &mut self.model else {
            return;
        };
        if model.set_layout(&layout) {
            return self.show();
        }
        let count = layout.members.len();
        let session = model.loaded().session.clone().unwrap_or_default();
        let source = model.loaded().source.clone();
        self.files.staged = Some(Staged::new(session, layout.clone(), count));
        self.request(source, true);
        self.files.layout_asked = Some(layout);
    }

    /// The unsaved stage, to be read again.
    pub(super) fn draft(&self) -> Option<Box<Staged>> {
        let loaded = self.model.as_ref()?.loaded();
        let layout = loaded.layout.clone().filter(|_| loaded.is_draft)?;
        let (session, count) = (loaded.session.clone()?, layout.members.len());
        Some(Staged::new(session, layout, count))
    }

    /// Keeps an unsaved stage that is left; it is shown again with its session.
    pub(super) fn keep_draft(&mut self) {
        let loaded = self.model.as_ref().map(|model| model.loaded());
        let path = loaded.and_then(|loaded| loaded.source.path()).map(Path::to_owned);
        if let Some((path, draft)) = path.zip(self.draft()) {
            let name = Source::File(path.clone()).name();
            let text = format!("{name} is not saved; its changes stay until the window closes");
            let back = FileAction::Open(vec![path.clone()]);
            self.said = Some(Message::new(text).offering(Action::Files(back)));
            self.files.drafts.insert(path, draft);
        }
    }

    /// Asks before unsaved stages are lost. Returns false if there are none, or if it has asked.
    pub(super) fn asks_to_quit(&mut self) -> bool {
        let open = self.model.as_ref().filter(|_| self.is_stage_unsaved());
        let open = open.map(|model| model.loaded().source.clone());
        let left = self.files.drafts.keys().next().map(|path| Source::File(path.clone()));
        let Some(source) = open.or(left) else {
            return false;
        };
        let question = Question::of_unsaved(&source.name(), self.is_stage_unsaved());
        let has_asked = self.question.as_ref() == Some(&question);
        self.question = Some(question);
        !has_asked
    }

    fn add_members(&mut self, paths: Vec<PathBuf>) {
        self.files.hovering_ends();
        let new = paths.into_iter().map(Member::new);
        if let Some(layout) = self.layout() {
            let from = layout.members.len();
            let members = layout.members.iter().cloned().chain(new).collect();
            let loaded = self.model.as_ref().map(|model| model.loaded());
            let session = loaded.and_then(|loaded| loaded.session.clone()).unwrap_or_default();
            let source = loaded.map(|loaded| loaded.source.clone());
            self.files.staged = Some(Staged::new(session, Layout { members }, from));
            return source.map_or((), |source| self.request(source, true));
        }
        let open = self.model.as_ref().and_then(|model| model.loaded().file());
        let open = open.filter(|path| !is_input(path) && !is_session(path)).map(Path::to_owned);
        let mut members: Vec<Member> = open.into_iter().map(Member::new).chain(new).collect();
        if let (Some(first), Some(name)) = (members.first_mut(), self.playing_name()) {
            first.animation = Some(name).filter(|_| self.is_file_open());
        }
        let Some(first) = members.first().map(|first| first.file.clone()) else {
            return;
        };
        let (shown, playing) = self.session();
        let (shown, playing) = WindowLook::of_view(&shown, &playing).view();
        let file = first.with_file_name(file_name::stem(&first) + NEW);
        let layout = Layout { members };
        let session = Session {
            file: file.clone(),
            stage: Some(layout.clone()),
            allow_outside: false,
            shown,
            playing,
        };
        self.forget_list();
        self.files.staged = Some(Staged::new(session, layout, 1));
        self.said = Some(Message::new("Made a stage; Ctrl+S saves it"));
        self.request(Source::File(file), false);
    }

    /// Returns true if a file is open that is not standard input.
    fn is_file_open(&self) -> bool {
        let file = self.model.as_ref().and_then(|model| model.loaded().file());
        file.is_some_and(|path| !is_input(path) && !is_session(path))
    }
}
