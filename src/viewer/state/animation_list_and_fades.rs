//! Playback: animations and their list, cross-fades, and curves of the current clip.

use pchr::document::AnimationId;
use pchr::playback::{Blend, LoopMode};
use pchr::pose::BindChoice;
use pchr::scene::Subject;
use pchr_tools::crowd::Instances;

use super::{Request, State};
use crate::viewer::action::{CurvesAction, Message, PlaybackAction};
use crate::viewer::curves::{CurvesView, Tracks, WantedTracks};
use crate::viewer::model::Model;
use crate::viewer::playback::step_speed;
use crate::viewer::switch::Switch;

impl State {
    pub(super) fn on_playback(&mut self, action: &PlaybackAction) {
        let Some(model) = &mut self.model else { return };
        let can_fade = model.subject().can_mix();
        let player = &mut self.player;
        let playback = &mut player.clip;
        let animation = playback.animation;
        let timelines = model.loaded().timelines.as_slice();
        match action {
            PlaybackAction::Advance(dt) => {
                let before = player.moment(timelines);
                let _ = player.advance(timelines, *dt);
                if player.moment(timelines) == before {
                    return self.arrange_meshes(); // the picture is the same
                }
            }
            PlaybackAction::Animation(_) | PlaybackAction::WalkAnimations(_) => {
                let mut next = playback.clone();
                match action {
                    PlaybackAction::WalkAnimations(by) => next.walk(timelines, *by),
                    PlaybackAction::Animation(id) => next.choose(Some(*id)),
                    _ => {}
                }
                let moves = playback.playing || playback.ended;
                match next.animation.filter(|_| moves && can_fade) {
                    Some(id) => player.start(id, self.looking.fade),
                    None => player.choose(next.animation),
                }
            }
            PlaybackAction::TogglePlay => {
                self.before_play = Some(player.clone());
                player.clip.toggle(timelines);
            }
            PlaybackAction::UndoPlay => {
                if let Some(before) = self.before_play.take() {
                    *player = before;
                }
            }
            PlaybackAction::ToggleBackwards => playback.toggle_backwards(timelines),
            PlaybackAction::Step(frames) => player.step(timelines, *frames),
            PlaybackAction::FirstFrame => player.scrub(timelines, |clip| clip.first(timelines)),
            PlaybackAction::LastFrame => player.scrub(timelines, |clip| clip.last(timelines)),
            PlaybackAction::Seek(frames) => {
                if player.fade().is_some() {
                    player.clip.pause(); // otherwise the fade would end while it is scrubbed
                }
                player.scrub(timelines, |clip| clip.seek(timelines, *frames));
            }
            PlaybackAction::GoTo(frames) => player.scrub(timelines, |clip| {
                clip.pause();
                clip.seek(timelines, *frames);
            }),
            PlaybackAction::WalkMarks(by) => {
                let round = playback.mode(timelines) == LoopMode::Loop;
                let here = playback.frame_at(timelines).map(|at| at.frame);
                let beside = |here| self.tracks.mark_beside(here, *by > 0, round);
                if let Some(to) = here.and_then(beside) {
                    player.scrub(timelines, |clip| {
                        clip.pause();
                        clip.seek(timelines, to.into());
                    });
                    let marks = self.tracks.marks_on(to).iter();
                    let texts: Vec<&str> = marks.map(|mark| mark.text.as_str()).collect();
                    let text = format!("Frame {to}: {}", texts.join(", "));
                    self.said = Some(Message::new(text));
                }
            }
            PlaybackAction::WalkSpeed(by) => playback.set_speed(step_speed(playback.speed, *by)),
            PlaybackAction::Speed(speed) => playback.set_speed(*speed),
            PlaybackAction::Fps(fps) => playback.set_fps(timelines, *fps),
            PlaybackAction::Looping(mode) => playback.set_mode(timelines, *mode),
            PlaybackAction::CycleLoop => {
                let next = match playback.mode(timelines) {
                    LoopMode::Once => LoopMode::Loop,
                    LoopMode::Loop => LoopMode::PingPong,
                    LoopMode::PingPong => LoopMode::Once,
                };
                playback.set_mode(timelines, Some(next));
            }
            PlaybackAction::Section(section) => playback.set_section(timelines, *section),
            PlaybackAction::SectionStart | PlaybackAction::SectionEnd => {
                if let Some((at, [first, last])) =
                    playback.frame_at(timelines).zip(playback.range(timelines))
                {
                    let here = at.frame;
                    let section = if *action == PlaybackAction::SectionStart {
                        [here, last.max(here)]
                    } else {
                        [first.min(here), here]
                    };
                    playback.set_section(timelines, Some(section));
                }
            }
            PlaybackAction::Blend(blend) => {
                let has_frames = |it: &Blend| {
                    let other = timelines.get(it.with.index());
                    other.is_some_and(|other| other.frame_count > 0)
                };
                player.set_blend(blend.filter(|it| can_fade && has_frames(it)));
            }
            // Content without skinned meshes has no bind pose.
            PlaybackAction::BindHere | PlaybackAction::Bind(_)
                if model.subject().skinned().is_none() => {}
            PlaybackAction::BindHere => {
                if let Some(at) = model.moment_of_one() {
                    model.set_bind(BindChoice::Frame(at.animation, at.frame));
                    self.refit();
                }
            }
            PlaybackAction::Bind(choice) => {
                model.set_bind(*choice);
                self.refit();
            }
            PlaybackAction::Instances(_) if self.compare.now.is_some() => {
                self.said = Some(Message::new("End the comparison to set the number of figures"));
            }
            PlaybackAction::Instances(instances) => {
                let before = model.loaded().instances();
                if let Err(fault) = model.set_instances(*instances) {
                    self.said = Some(Message::new(format!("Figures: {fault}")));
                } else if before != *instances {
                    self.figures_changed(before == Instances::ONE);
                    self.refit();
                }
            }
        }
        self.follow_fit(animation);
        if self.player.clip.animation != animation && !self.parts.points_at_meshes {
            self.parts.mesh_rows.clear(); // rows of another animation
        }
        self.show();
    }

    /// Plays on after the content is shown as other figures, and ends a comparison. A new crowd begins with the animation in which each
    /// figure plays a clip of its own; one figure alone lacks it.
    pub(super) fn figures_changed(&mut self, is_new: bool) {
        let Some(model) = &self.model else { return };
        let (subject, clip) = (model.subject(), &self.player.clip);
        let is_there = clip.animation.is_some_and(|id| subject.animation(id).is_some());
        let is_first = is_new && clip.animation != model.subject().default_animation();
        if !is_there || is_first {
            self.player.end_fade();
            self.player.set_blend(None);
            self.player.choose(model.subject().default_animation());
        }
        let is_lost = |id: AnimationId| subject.animation(id).is_none();
        if self.player.blend().is_some_and(|blend| is_lost(blend.with)) {
            self.player.set_blend(None);
        }
        self.parts.pin.take_if(|pin| is_lost(pin.animation));
        self.end_comparison();
    }
}

/// Animations that a filter leaves, ascending.
#[derive(Debug, Default)]
pub(super) struct ClipRows {
    of: Option<(u64, usize)>,
    filter: String,
    listed: Vec<AnimationId>,
}

impl ClipRows {
    /// Lists again if there is another file or another filter.
    pub(super) fn update(&mut self, model: Option<&Model>, filter: &str) {
        let of = model.map(|model| (model.serial(), model.subject().animation_count()));
        if self.of == of && self.filter == filter {
            return;
        }
        self.of = of;
        filter.clone_into(&mut self.filter);
        self.listed.clear();
        let filter = filter.trim().to_lowercase();
        if let Some(subject) = model.map(Model::subject) {
            let holds = |id: &AnimationId| {
                filter.is_empty() || subject.animation_name(*id).to_lowercase().contains(&filter)
            };
            self.listed.extend(subject.animation_ids().filter(holds));
        }
    }
}

impl State {
    /// Animations in the rows of their list, in ascending order.
    pub(crate) fn listed_clips(&self) -> &[AnimationId] {
        &self.clips.listed
    }

    pub(crate) fn curves_view(&self) -> &CurvesView {
        &self.curves
    }

    /// Marks, curves and keys of the current clip.
    pub(crate) fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Returns true if curves are shown: an atlas has none.
    pub(crate) fn shows_curves(&self) -> bool {
        let has_bones = |subject: &dyn Subject| subject.bone_count() > 0;
        let model = self.model.as_ref();
        self.is_on(Switch::Curves)
            && self.is_on(Switch::Panels)
            && model.is_some_and(|it| has_bones(it.subject()) || it.loaded().sprites.is_none())
    }

    pub(super) fn on_curves(&mut self, action: &CurvesAction) {
        match action {
            CurvesAction::Height(height) => {
                self.curves.height = *height;
                self.requests.push(Request::Remember);
            }
            CurvesAction::Keys(keys) => self.curves.keys = *keys,
            CurvesAction::Show(kind) => {
                self.curves.shown = self.curves.shown.toggled(*kind);
                self.requests.push(Request::Remember);
            }
            CurvesAction::Frames(frames) => self.curves.set_frames(*frames),
            CurvesAction::Values(kind, values) => self.curves.set_values(*kind, *values),
            CurvesAction::Fit => self.curves.fit(),
        }
    }

    /// Computes the curves for a new clip or bone; otherwise only compares.
    pub(super) fn update_tracks(&mut self) {
        let shown = self.shows_curves();
        let clips = self.measured().cloned();
        let animation = self.player.clip.animation;
        let wanted = WantedTracks {
            animation,
            bone: self.parts.bone.filter(|_| shown && !self.curves.keys),
            smoothness: clips.as_ref().and_then(|clips| clips.get(animation?.index())),
            rows: Some(self.looking.bone_filter.as_str()).filter(|_| shown && self.curves.keys),
        };
        let before = self.tracks.revision;
        if self.tracks.update(self.model.as_ref(), wanted) {
            self.curves.fit();
            if let Some(zoom) = self.curves_kept.take() {
                self.curves.zoom = zoom;
            }
        } else if self.tracks.revision != before {
            self.curves.fit_values();
        }
    }
}
