//! The moment on show, and the passing of time.

use pchr::playback::LoopMode;
use pchr::pose::BindChoice;

use super::State;
use crate::viewer::action::{Message, PlaybackAction};
use crate::viewer::speeds::{faster, slower};

impl State {
    pub(super) fn on_playback(&mut self, action: &PlaybackAction) {
        let Some(model) = &mut self.model else {
            return;
        };
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
                    None => {
                        player.end_fade();
                        player.clip = next;
                    }
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
            PlaybackAction::WalkSpeed(by) if *by < 0 => playback.set_speed(slower(playback.speed)),
            PlaybackAction::WalkSpeed(_) => playback.set_speed(faster(playback.speed)),
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
            // Content without skinned meshes has no bind pose.
            PlaybackAction::BindHere | PlaybackAction::Bind(_)
                if model.subject().skinned().is_none() => {}
            PlaybackAction::BindHere => {
                if let Some(at) = model.pose().at() {
                    model.set_bind(BindChoice::Frame(at.animation, at.frame));
                    self.refit();
                }
            }
            PlaybackAction::Bind(choice) => {
                model.set_bind(*choice);
                self.refit();
            }
        }
        self.follow_fit(animation);
        if self.player.clip.animation != animation && !self.parts.points_at_meshes {
            self.parts.mesh_rows.clear(); // rows of another animation
        }
        self.show();
    }

    /// Turns the blending of frames on or off.
    pub(super) fn toggle_smooth(&mut self) {
        if self.model.is_some() {
            self.player.clip.smooth = !self.player.clip.smooth;
            self.show();
        }
    }
}
