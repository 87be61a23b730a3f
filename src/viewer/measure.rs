//! What a document looks like before it is shown: which animation a text means, and how large it is.

use crate::document::{AnimationId, Document};
use crate::pose::{BindPose, FrameAt};
use crate::scene::{Bounds, BoundsJob, Scene, ViewOptions};

/// Vertices that a fit looks at before it begins to skip frames, so that it never takes noticeably long.
const FIT_WORK: usize = 4_000_000;

/// The animation called `text`, or with that index.
pub(crate) fn find_animation(document: &Document, text: &str) -> Option<AnimationId> {
    let named = document
        .animation_ids()
        .zip(document.animations())
        .find(|(_, animation)| animation.name() == text);
    named.map(|(id, _)| id).or_else(|| {
        let index = text.trim();
        let id = AnimationId(index.strip_prefix('#').unwrap_or(index).parse().ok()?);
        document.animation(id).map(|_| id)
    })
}

/// What the frames of `animation` cover; the stored pose without one. `scene` is one of the document's.
pub(crate) fn bounds(
    document: &Document,
    bind: &BindPose,
    scene: &mut Scene,
    view: &ViewOptions,
    animation: Option<AnimationId>,
) -> Option<Bounds> {
    let job = BoundsJob {
        document,
        bind,
        view,
    };
    let playable = animation.and_then(|id| Some((id, document.animation(id)?.frame_count())));
    let Some((id, count)) = playable.filter(|(_, count)| *count > 0) else {
        return job.run_in(scene, [None]);
    };
    let vertices: usize = document.meshes().map(|mesh| mesh.vertex_count()).sum();
    let stride = vertices
        .saturating_mul(usize::from(count))
        .div_ceil(FIT_WORK)
        .clamp(1, usize::from(count));
    let frames = (0..count).step_by(stride);
    job.run_in(scene, frames.map(|frame| Some(FrameAt::exact(id, frame))))
}
