//! Checks bones: every parent comes first.

use super::{Check, name_end};
use crate::document::PchrRule;
use crate::finding::{Findings, counted};

impl Check<'_> {
    pub(super) fn bones(&self, findings: &mut Findings) {
        let bones = &self.directory.bones;
        if bones.is_empty() {
            let at = self.section_end(
                self.directory
                    .images
                    .last()
                    .map(|i| i.data_at.saturating_add(i.data_len)),
                14,
            );
            findings.add(
                PchrRule::BonesNone,
                at,
                || "boneCount".into(),
                || "no bones; nothing moves".into(),
            );
        }
        self.names(
            "bones",
            bones.len(),
            |i| bones.get(i).map(|bone| bone.name),
            findings,
        );
        for (i, bone) in bones.iter().enumerate() {
            let parent = bone.parent;
            if parent < -1 || usize::try_from(parent).is_ok_and(|parent| parent >= i) {
                let at = name_end(bone.name);
                let message = || match usize::try_from(parent) {
                    Err(_) => format!(
                        "parent {parent}, expected -1 for a root or the index of an earlier bone"
                    ),
                    Ok(same) if same == i => {
                        format!("bone {i} is its own parent, expected an earlier bone or -1")
                    }
                    Ok(later) if later < bones.len() => {
                        format!(
                            "bone {i} has parent {later}, which comes after it; expected an earlier bone or -1"
                        )
                    }
                    Ok(absent) => {
                        let bones = counted(bones.len(), "bone", "bones");
                        format!("bone {i} has parent {absent}, but the skeleton has {bones}")
                    }
                };
                findings.add(
                    PchrRule::BoneParentOrder,
                    at,
                    || format!("bones[{i}].parent"),
                    message,
                );
            }
        }
    }
}
