//! Reads the open file again. Choices and overrides stay.

use std::path::Path;
use std::sync::Arc;

use pchr::document::PchrRule;
use pchr::finding::{Finding, Severity};
use pchr::playback::{Blend, Playback, Timeline};
use pchr::pose::BindChoice;
use pchr_foreign::motion::ArmatureRule;
use pchr_tools::files::Seen;
use pchr_tools::open::STAGE;
use pchr_tools::session::Session;
use pchr_tools::text::visible;
use pchr_tools::view::{Shown, ViewError};

use super::State;
use super::files::{image_problem, look_problem};
use super::undo::Steps;
use crate::viewer::command_line::Start;
use crate::viewer::loaded::{LoadId, Loaded, Source, is_input};
use crate::viewer::model::Model;
use crate::viewer::model::carry::{Carry, PartNames};
use crate::viewer::problem::{Note, Problem, broken};

impl State {
    pub(super) fn reload(&mut self) {
        let Some(model) = &self.model else { return };
        let source = model.loaded().source.clone();
        if source.path().is_some_and(is_input) {
            self.files.swaps = None;
            let title = "Standard input cannot be read again";
            self.problem = Some(Problem::new(title, "Open a file instead"));
        } else {
            self.files.staged = self.draft();
            self.request(source, true);
        }
    }

    /// Handles a changed file. A file that is being opened goes first.
    pub(super) fn changed(&mut self, path: &Path) {
        if self.files.awaited.as_deref() == Some(path) {
            // It goes before what is being read again.
            self.files.changed |= self.files.reloading;
            return self.request(Source::File(path.to_owned()), false);
        }
        self.counterpart_changed(path);
        let shown = self.model.as_ref().and_then(|model| model.loaded().source.path());
        if shown != Some(path) {
            return;
        }
        if self.files.loading.is_some() && !self.files.reloading {
            self.files.changed = true;
        } else {
            self.reload();
        }
    }

    /// Keeps the last good version, with a note that says why.
    pub(super) fn not_reloaded(&mut self, problem: &Problem, files: Vec<Seen>) {
        if self.files.swaps.take().is_some() {
            self.problem = Some(problem.clone()); // the user asked for it
            return;
        }
        let Some(model) = &self.model else { return };
        let finding = problem.finding.as_deref();
        let source = &model.loaded().source;
        let is_beside = |seen: &Seen| source.path() != Some(&*seen.path);
        let named = |seen: &&Seen| is_beside(seen) && problem.title.starts_with(&name_of(seen));
        let gone = || files.iter().find(|seen| seen.stamp.is_none());
        let unread = files.iter().find(named).or_else(gone);
        let unread = unread.filter(|_| finding.is_none()).or(files.first());
        let broken = finding.and_then(|finding| broken(source, finding));
        let name = match broken {
            Some(broken) => visible(broken).into_owned(),
            None => unread.map_or_else(|| source.name(), name_of),
        };
        let companion = finding.and_then(|finding| companion_of(finding, &files));
        let is_gone = unread.is_some_and(|seen| seen.stamp.is_none());
        let fault = match (finding, &companion) {
            (_, Some(fault)) => fault.clone(),
            (Some(_), None) if problem.cut_off && broken.is_some() => {
                format!("Export of {name} incomplete")
            }
            (Some(_), None) if problem.cut_off => "Export incomplete".to_owned(),
            (Some(_), None) => format!("{name} is damaged"),
            (None, None) if is_gone => format!("{name} was deleted or moved"),
            (None, None) => format!("{name} cannot be read"),
        };
        self.files.asks_skeleton = false;
        if let Some(before) = self.files.skeleton_before.take()
            && let Some(skeleton) = std::mem::replace(&mut self.files.companions.skeleton, before)
        {
            // No version of it was shown: the one before comes back.
            let skeleton = Source::File(skeleton);
            let title = format!("{} could not be opened", skeleton.name());
            self.problem = Some(problem.clone().titled(title).of(&skeleton));
            return self.reload();
        }
        self.files.note = Some(Note {
            text: format!("{fault}, showing the last good version"),
            detail: match (finding, companion) {
                (Some(_), None) => format!("{name}: {}", problem.detail()),
                _ => problem.detail(),
            },
        });
        if !files.is_empty() {
            self.watch(files);
        }
    }

    /// Returns the new problem of a version whose images lie in their own files: one of them cannot be decoded, most
    /// likely because it is still being written.
    pub(super) fn spoilt(&self, loaded: &Loaded, files: &[Seen]) -> Option<Problem> {
        let model = self.model.as_ref().filter(|_| files.len() > 1 || loaded.unread.is_some())?;
        let serious = |rule: pchr::finding::Rule| rule.severity() == Severity::Error;
        let is_spoilt = model.loaded().unread.is_some();
        if is_spoilt || model.findings().any(|finding| serious(finding.rule)) {
            return None;
        }
        image_problem(loaded)
    }

    pub(super) fn reloaded(&mut self, loaded: Arc<Loaded>, id: LoadId, files: Vec<Seen>) {
        let is_asked = self.files.layout_asked.is_some();
        let of_session = self.session_path().filter(|_| !is_asked).is_some();
        let shown = if of_session { self.shown() } else { Shown::default() };
        let still = Shown { frame: None, time: None, mix: None, ..shown };
        let mut wanted = Shown { mix_frame: None, mix_time: None, mix_sync: None, ..still };
        let Some(old) = self.model.take() else { return };
        self.files.note = None;
        self.files.swaps = None;
        self.files.skeleton_before = None;
        self.watch(files);
        // Another problem is not this file's, and stays.
        let source = self.problem.as_ref().map(|problem| &problem.source);
        if source.is_none_or(|source| source.as_ref() == Some(&loaded.source)) {
            self.problem = image_problem(&loaded).or_else(|| look_problem(&loaded));
        }
        let mut model = Model::new(loaded, id.0, BindChoice::Auto);
        // Content that is shown once was something else, or shorter, before.
        let instances = old.loaded().instances();
        let fault = model.set_instances(instances).err();
        let (before, after) = (Arc::clone(old.loaded()), Arc::clone(model.loaded()));
        let subject = &*after.opened.subject;
        let carry = Carry::new(&*before.opened.subject, subject);
        let bind = carry.bind(old.bind_choice(), subject);
        if bind != BindChoice::Auto {
            model.set_bind(bind);
        }
        let (before, after) = (&before.timelines, &after.timelines);

        let carried = |clip: &mut Playback| keep_frame(clip, &carry, before, after);
        self.player.change_fade(carried);
        let blend = self.player.blend();
        if carried(&mut self.player.clip) {
            wanted.animation = None; // it may have been renamed
        } else {
            self.player.choose(model.subject().default_animation());
        }
        let mut lacking = wanted.without_missing(subject).1;
        lacking.extend(fault.map(|fault| ViewError::of_figures(instances, fault)));
        self.files.lacks_view |= of_session && !lacking.is_empty();
        let lacking = Start::problem(&lacking).map(|problem| problem.of(&model.loaded().source));
        self.problem = lacking.or(self.problem.take());
        if let Some(blend) = blend {
            let with = carry.namesake(blend.with);
            let with = with.filter(|id| after.get(id.index()).is_some_and(|it| it.frame_count > 0));
            self.player.set_blend(with.map(|with| Blend { with, ..blend }));
        }
        if !is_asked && PartNames::of(old.subject()) != PartNames::of(model.subject()) {
            self.steps = Steps::default(); // of other parts
        }
        self.parts.carry_over(&carry, model.subject());
        self.carry_ruler(&carry);
        let spatial = model.subject().spatial();
        if let Some((orbit, spatial)) = self.view.orbit.as_mut().zip(spatial) {
            orbit.up = self.view.kept.camera(spatial).up;
        }
        self.model = Some(model);
        self.parts.bone = self.followed_bone().or(self.parts.bone); // it may have been renamed
        if self.view.orbit.is_some() {
            self.refit();
        }
        if let Some(model) = self.model.as_ref().filter(|model| model.loaded().session.is_none()) {
            let loaded = Arc::clone(model.loaded());
            self.change_look(&loaded);
        }
        let before = Arc::clone(old.loaded());
        self.follow_session(&before);
        self.compare_again(old);
        self.show();
        self.open_page(Some(&before));
        self.ask_again_for_skeleton();
        self.export_again();
    }

    /// Shows a session that was changed in another program; not one that was just saved here.
    fn follow_session(&mut self, before: &Loaded) {
        let now = self.model.as_ref().map(|model| Arc::clone(model.loaded()));
        let Some(session) = now.as_ref().and_then(|now| now.session.as_ref()) else { return };
        let view = |session: &Session| (session.shown.clone(), session.playing.clone());
        let own = self.files.saved.as_ref().map(|saved| view(&saved.session));
        let known = [before.session.as_ref().map(view), own];
        if known.contains(&Some(view(session))) {
            return;
        }
        let missing = self.show_as(&self.files.start_of(session, &before.source));
        if let Some(problem) = Start::problem(&missing) {
            self.problem = Some(problem.of(&before.source));
        }
        self.swap_images(session.shown.image.clone());
    }
}

/// Returns the fault of the file beside the current one that a finding is about, if it is about such a file.
fn companion_of(finding: &Finding, files: &[Seen]) -> Option<String> {
    if finding.rule == PchrRule::SidecarMissing || finding.rule == STAGE {
        let gone = files.iter().skip(1).find(|seen| seen.stamp.is_none())?;
        return Some(format!("{} is missing", name_of(gone)));
    }
    if finding.rule != ArmatureRule::Companion {
        return None;
    }
    // The finding names the file that it read. Reading ends with one that cannot be read.
    let mut beside = files.iter().skip(1);
    if let Some(read) = beside.clone().find(|seen| finding.path.starts_with(&name_of(seen))) {
        return Some(format!("{} is damaged", name_of(read)));
    }
    let unread = beside.next_back()?;
    Some(match unread.stamp {
        None => format!("{} is missing", name_of(unread)),
        Some(_) => format!("{} cannot be read", name_of(unread)),
    })
}

fn name_of(seen: &Seen) -> String {
    Source::File(seen.path.clone()).name()
}

/// Shows the same frame of the file that was read again, regardless of its new rate. Returns false, and changes nothing, if it lacks the
/// animation.
fn keep_frame(clip: &mut Playback, carry: &Carry, before: &[Timeline], after: &[Timeline]) -> bool {
    let kept = clip.animation.and_then(|id| carry.animation(id));
    let kept = kept.filter(|id| after.get(id.index()).is_some_and(|a| a.frame_count > 0));
    let Some(id) = kept else { return false };
    let position = clip.position(before);
    let (old, seconds) = (clip.timeline(before), clip.seconds);
    clip.animation = Some(id);
    let rates = old.zip(clip.timeline(after));
    clip.seconds = rates.map_or(0.0, |(old, new)| seconds * old.fps / new.fps);
    if !clip.playing {
        clip.seek(after, position);
    }
    true
}
