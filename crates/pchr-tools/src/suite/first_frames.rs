//! Frames of a subject for the pictures of a first suite: few, but significant.

use pchr::document::AnimationId;
use pchr::playback::FrameAt;
use pchr::scene::Subject;

/// Maximum number of transforms that are searched for changes of the draw order: enough for all frames of any real character.
const LOOKED_AT: u64 = 20_000_000;

/// Chooses at most `most` frames over all animations. For each in turn: the first, one where the draw order or the visibility of a
/// mesh changes, the middle, the last, then more changes. The result has one sorted entry per animation. It is empty for an
/// animation that shows the content of all others.
pub(super) fn choose(subject: &dyn Subject, most: usize) -> Vec<Vec<u16>> {
    let bones = subject.bone_count().max(1) as u64;
    let mut left = LOOKED_AT / bones;
    let candidates = |id: AnimationId| {
        if subject.all() == Some(id) {
            return Vec::new();
        }
        let count = subject.frame_count(id);
        let looked_at = u64::from(count).min(left);
        left -= looked_at;
        let changes = changes(subject, id, looked_at);
        // In a flip-book, where each frame shows another mesh, no frame is more telling than the others.
        let is_flip_book = looked_at > 3 && changes.len() as u64 == looked_at.saturating_sub(1);
        let changes = if is_flip_book { Vec::new() } else { changes };
        let mut changes = changes.into_iter();
        let last = count.checked_sub(1);
        let first = last.map(|_| 0);
        let wanted = [first, changes.next(), last.map(|last| last / 2), last];
        let mut wanted: Vec<u16> = wanted.into_iter().flatten().collect();
        wanted.extend(changes.take(most));
        wanted
    };
    let candidates: Vec<Vec<u16>> = subject.animation_ids().map(candidates).collect();
    let longest = candidates.iter().map(Vec::len).max().unwrap_or(0);
    let mut chosen = vec![Vec::new(); candidates.len()];
    let mut left = most;
    for turn in 0..longest {
        for (candidates, chosen) in candidates.iter().zip(&mut chosen) {
            match candidates.get(turn) {
                Some(frame) if left > 0 && !chosen.contains(frame) => {
                    chosen.push(*frame);
                    left -= 1;
                }
                _ => {}
            }
        }
    }
    chosen.iter_mut().for_each(|frames| frames.sort_unstable());
    chosen
}

/// Returns the frames among the first `looked_at` that show other meshes than the frame before, or in another order.
fn changes(subject: &dyn Subject, id: AnimationId, looked_at: u64) -> Vec<u16> {
    let mut order = Vec::new();
    let mut drawn = |frame: u16| -> Vec<usize> {
        subject.order(Some(FrameAt::exact(id, frame)), &mut order);
        let shown = order.iter().enumerate().filter(|(_, order)| order.visible);
        let mut shown: Vec<_> = shown.map(|(mesh, order)| (order.z_order, mesh)).collect();
        shown.sort_by(|a, b| a.0.total_cmp(&b.0));
        shown.into_iter().map(|(_, mesh)| mesh).collect()
    };
    let mut before = None;
    let mut changes = Vec::new();
    for frame in (0..subject.frame_count(id)).take(usize::try_from(looked_at).unwrap_or(usize::MAX))
    {
        let now = drawn(frame);
        if before.as_ref().is_some_and(|before| *before != now) {
            changes.push(frame);
        }
        before = Some(now);
    }
    changes
}
