//! Builds the report about a skeleton.

use pchr_foreign::motion::{Bone, Skeleton, Transform};

use super::report::{BoneReport, RestReport, SkeletonReport};

pub(super) fn report(skeleton: &Skeleton) -> SkeletonReport<'_> {
    let bones = skeleton.bones();
    let levels = levels(skeleton);
    let comes_first = |(index, bone): (u32, &Bone)| bone.parent.is_none_or(|parent| parent < index);
    let roots = bones.iter().enumerate();
    let roots = roots.filter(|(_, bone)| bone.parent.is_none());
    let reports = bones.iter().zip(&levels).enumerate();
    SkeletonReport {
        roots: roots.map(|(index, _)| index).collect(),
        levels: levels.iter().copied().max().unwrap_or(0),
        parents_first: (0..).zip(bones).all(comes_first),
        bones: reports
            .map(|(index, (bone, level))| BoneReport {
                index,
                name: bone.name.text(),
                parent: bone.parent,
                level: *level,
                rest: rest(&bone.rest),
                offset: bone.offset,
            })
            .collect(),
    }
}

/// Levels of all bones, from 1.
fn levels(skeleton: &Skeleton) -> Vec<usize> {
    let bones = skeleton.bones();
    let mut levels = vec![0; bones.len()];
    for index in skeleton.parents_first() {
        let index = *index as usize;
        let parent = bones.get(index).and_then(|bone| bone.parent);
        let above = parent.and_then(|parent| levels.get(parent as usize));
        let level = above.map_or(1, |above: &usize| above.saturating_add(1));
        if let Some(place) = levels.get_mut(index) {
            *place = level;
        }
    }
    levels
}

fn rest(rest: &Transform) -> RestReport {
    #[expect(clippy::cast_possible_truncation, reason = "files store 32-bit floats")]
    let single = |number: f64| number.is_finite().then_some(number as f32);
    RestReport {
        translation: rest.translation.map(single),
        rotation: rest.rotation.map(single),
        scale: rest.scale.map(single),
    }
}
