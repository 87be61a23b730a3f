//! The skeleton and its bind pose.

use super::spine::Spine;

/// Every bone in file order: parents come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bone {
    Root,
    Ground,
    Hips,
    Torso,
    Chest,
    Neck,
    Head,
    Snout,
    Jaw,
    Tuft,
    EarNear,
    EarNearTip,
    EarFar,
    EarFarTip,
    Eyes,
    EyesOpen,
    EyesHalf,
    EyesClosed,
    EyesHappy,
    Brows,
    ArmNear,
    ForearmNear,
    HandNear,
    ArmFar,
    ForearmFar,
    HandFar,
    ThighNear,
    ShinNear,
    FootNear,
    ThighFar,
    ShinFar,
    FootFar,
    Scarf,
    ScarfEnd1,
    ScarfEnd2,
    ScarfTrail1,
    ScarfTrail2,
    ScarfTrail3,
    ScarfTrail4,
    ScarfTrail5,
    Tail1,
    Tail2,
    Tail3,
    Tail4,
    Tail5,
    Tail6,
}

/// Number of bones.
pub(crate) const BONES: usize = Bone::Tail6 as usize + 1;

impl Bone {
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

pub(crate) const TAIL: [Bone; 6] =
    [Bone::Tail1, Bone::Tail2, Bone::Tail3, Bone::Tail4, Bone::Tail5, Bone::Tail6];
pub(crate) const TRAIL: [Bone; 5] =
    [Bone::ScarfTrail1, Bone::ScarfTrail2, Bone::ScarfTrail3, Bone::ScarfTrail4, Bone::ScarfTrail5];
pub(crate) const SCARF_END: [Bone; 2] = [Bone::ScarfEnd1, Bone::ScarfEnd2];

/// An arm or a leg: its three joints in design space, and its upper, lower and end bone.
#[derive(Clone, Copy)]
pub(crate) struct Limb {
    pub(crate) joints: [[f64; 2]; 3],
    pub(crate) bones: [Bone; 3],
}

impl Limb {
    pub(crate) fn spine(&self) -> Spine {
        let [a, b, c] = self.joints;
        Spine::joints(a, b, c)
    }
}

pub(crate) const ARM_NEAR: Limb = Limb {
    joints: [[-30.0, -15.0], [-47.0, -52.0], [-51.0, -90.0]],
    bones: [Bone::ArmNear, Bone::ForearmNear, Bone::HandNear],
};
pub(crate) const ARM_FAR: Limb = Limb {
    joints: [[50.0, -13.0], [67.0, -50.0], [75.0, -87.0]],
    bones: [Bone::ArmFar, Bone::ForearmFar, Bone::HandFar],
};
pub(crate) const LEG_NEAR: Limb = Limb {
    joints: [[-9.0, -102.0], [-8.0, -146.0], [-13.0, -186.0]],
    bones: [Bone::ThighNear, Bone::ShinNear, Bone::FootNear],
};
pub(crate) const LEG_FAR: Limb = Limb {
    joints: [[30.0, -102.0], [33.0, -146.0], [30.0, -186.0]],
    bones: [Bone::ThighFar, Bone::ShinFar, Bone::FootFar],
};

/// Y of the ground in design space.
pub(crate) const GROUND: f64 = -205.0;
/// World x of design x 0: because of its tail the puppet reaches further left than right.
pub(crate) const WORLD_FROM_DESIGN_X: f64 = 44.0;

pub(crate) fn tail_spine() -> Spine {
    Spine::bezier([[-18.0, -98.0], [-150.0, -175.0], [-120.0, 10.0], [-205.0, 52.0]])
}

pub(crate) fn trail_spine() -> Spine {
    Spine::bezier([[-20.0, 12.0], [-70.0, 26.0], [-92.0, -40.0], [-150.0, -22.0]])
}

pub(crate) fn scarf_end_spine() -> Spine {
    Spine::bezier([[26.0, 6.0], [28.0, -12.0], [36.0, -32.0], [32.0, -56.0]])
}

/// A bone in the bind pose.
#[derive(Clone, Copy)]
pub(crate) struct Joint {
    pub(crate) bone: Bone,
    pub(crate) name: &'static str,
    pub(crate) parent: Option<Bone>,
    /// Position in design space.
    pub(crate) at: [f64; 2],
    /// World rotation in degrees, 0 is up.
    pub(crate) rotation: f64,
}

/// The skeleton with its bind pose.
pub(crate) struct Rig {
    pub(crate) joints: Vec<Joint>,
}

/// A bone's bind transform in its parent's space.
#[derive(Clone, Copy)]
pub(crate) struct Local {
    pub(crate) at: [f64; 2],
    pub(crate) rotation: f64,
}

impl Rig {
    pub(crate) fn new() -> Self {
        let mut rig = Self { joints: Vec::new() };
        rig.add(Bone::Root, "root", None, [8.0, GROUND], 0.0);
        rig.add(Bone::Ground, "ground_shadow", None, [8.0, GROUND], 0.0);
        rig.add(Bone::Hips, "hips", Some(Bone::Root), [10.0, -102.0], 0.0);
        rig.add(Bone::Torso, "torso", Some(Bone::Hips), [10.0, -82.0], 0.0);
        rig.add(Bone::Chest, "chest", Some(Bone::Torso), [9.0, -36.0], 0.0);
        rig.add(Bone::Neck, "neck", Some(Bone::Chest), [10.0, 10.0], 0.0);
        rig.add(Bone::Head, "head", Some(Bone::Neck), [14.0, 26.0], 0.0);
        rig.add(Bone::Snout, "snout", Some(Bone::Head), [52.0, 44.0], -90.0);
        rig.add(Bone::Jaw, "jaw", Some(Bone::Head), [46.0, 40.0], -100.0);
        rig.add(Bone::Tuft, "tuft", Some(Bone::Head), [20.0, 134.0], 0.0);
        rig.add(Bone::EarNear, "ear_near", Some(Bone::Head), [-32.0, 116.0], 22.0);
        rig.add(Bone::EarNearTip, "ear_near_tip", Some(Bone::EarNear), [-50.0, 160.0], 22.0);
        rig.add(Bone::EarFar, "ear_far", Some(Bone::Head), [74.0, 116.0], -18.0);
        rig.add(Bone::EarFarTip, "ear_far_tip", Some(Bone::EarFar), [87.0, 160.0], -18.0);
        rig.add(Bone::Eyes, "eyes", Some(Bone::Head), [42.0, 86.0], 0.0);
        rig.add(Bone::EyesOpen, "eyes_open", Some(Bone::Eyes), [42.0, 86.0], 0.0);
        rig.add(Bone::EyesHalf, "eyes_half", Some(Bone::Eyes), [42.0, 86.0], 0.0);
        rig.add(Bone::EyesClosed, "eyes_closed", Some(Bone::Eyes), [42.0, 86.0], 0.0);
        rig.add(Bone::EyesHappy, "eyes_happy", Some(Bone::Eyes), [42.0, 86.0], 0.0);
        rig.add(Bone::Brows, "brows", Some(Bone::Head), [42.0, 112.0], 0.0);
        rig.limb(ARM_NEAR, Bone::Chest, ["arm_near", "forearm_near", "hand_near"], None);
        rig.limb(ARM_FAR, Bone::Chest, ["arm_far", "forearm_far", "hand_far"], None);
        rig.limb(LEG_NEAR, Bone::Hips, ["thigh_near", "shin_near", "foot_near"], Some(-90.0));
        rig.limb(LEG_FAR, Bone::Hips, ["thigh_far", "shin_far", "foot_far"], Some(-90.0));
        rig.add(Bone::Scarf, "scarf", Some(Bone::Neck), [10.0, 14.0], 0.0);
        rig.chain(&SCARF_END, Bone::Scarf, &["scarf_end_1", "scarf_end_2"], &scarf_end_spine());
        let names =
            ["scarf_trail_1", "scarf_trail_2", "scarf_trail_3", "scarf_trail_4", "scarf_trail_5"];
        rig.chain(&TRAIL, Bone::Scarf, &names, &trail_spine());
        rig.chain(
            &TAIL,
            Bone::Hips,
            &["tail_1", "tail_2", "tail_3", "tail_4", "tail_5", "tail_6"],
            &tail_spine(),
        );
        rig
    }

    fn add(
        &mut self,
        bone: Bone,
        name: &'static str,
        parent: Option<Bone>,
        at: [f64; 2],
        rotation: f64,
    ) {
        assert_eq!(bone.index(), self.joints.len(), "bones are added in the order of the enum");
        self.joints.push(Joint { bone, name, parent, at, rotation });
    }

    fn limb(&mut self, limb: Limb, parent: Bone, names: [&'static str; 3], end: Option<f64>) {
        let [a, b, c] = limb.joints;
        let [upper, lower, tip] = limb.bones;
        let turn = |p: [f64; 2], q: [f64; 2]| (q[1] - p[1]).atan2(q[0] - p[0]).to_degrees() - 90.0;
        self.add(upper, names[0], Some(parent), a, turn(a, b));
        self.add(lower, names[1], Some(upper), b, turn(b, c));
        self.add(tip, names[2], Some(lower), c, end.unwrap_or(turn(b, c)));
    }

    /// Adds bones of equal length along a spine.
    fn chain(&mut self, bones: &[Bone], parent: Bone, names: &[&'static str], spine: &Spine) {
        let step = spine.length() / bones.len() as f64;
        let mut parent = parent;
        for (i, (&bone, &name)) in bones.iter().zip(names).enumerate() {
            let s = step * i as f64;
            self.add(bone, name, Some(parent), spine.at(s).0, spine.rotation(s + step / 2.0));
            parent = bone;
        }
    }

    pub(crate) fn joint(&self, bone: Bone) -> &Joint {
        &self.joints[bone.index()]
    }

    /// Bind transform in the parent's space; a root's is in world space.
    pub(crate) fn local(&self, bone: Bone) -> Local {
        let joint = self.joint(bone);
        let Some(parent) = joint.parent else {
            return Local {
                at: [joint.at[0] + WORLD_FROM_DESIGN_X, joint.at[1]],
                rotation: joint.rotation,
            };
        };
        let parent = self.joint(parent);
        let (sin, cos) = parent.rotation.to_radians().sin_cos();
        let (dx, dy) = (joint.at[0] - parent.at[0], joint.at[1] - parent.at[1]);
        let turn = joint.rotation - parent.rotation;
        Local {
            at: [dx * cos + dy * sin, dy * cos - dx * sin],
            rotation: (turn + 540.0).rem_euclid(360.0) - 180.0,
        }
    }
}
