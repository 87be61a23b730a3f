//! The members of a stage, back to front: files, places, clips and tints.

use std::path::PathBuf;

use pchr::document::BoneTransform;
use pchr::pose::{Affine, parent_from_bone};

use crate::file_name;

/// Members of a stage, back to front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The members. Those that come later are drawn over those before.
    pub members: Vec<Member>,
}

/// A character of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its file.
    pub file: PathBuf,
    /// Its name; the file's without one.
    pub name: Option<String>,
    /// Place of its origin in the world (pixels, Y up).
    pub at: [f32; 2],
    /// Turn about its origin in degrees, counter-clockwise.
    pub turn: f32,
    /// Scale; more than 0.
    pub scale: f32,
    /// True if it is flipped horizontally, before it is turned.
    pub mirror: bool,
    /// Name or index of its animation; without one, the first of `play` or the one that its file shows first.
    pub animation: Option<String>,
    /// Seconds into its animation at which it starts.
    pub start: f64,
    /// Speed of its animation, 1 as authored; 0 holds it.
    pub speed: f64,
    /// Colour that its images are multiplied by.
    pub tint: [u8; 3],
    /// Names or indices of animations that it plays one after another.
    pub play: Vec<String>,
    /// Seconds in which an animation of `play` fades to the next.
    pub fade: f64,
    /// True if it has its images for itself; otherwise members of one file and tint share them.
    pub own_images: bool,
}

/// Tint that changes nothing.
pub(super) const WHITE: [u8; 3] = [u8::MAX; 3];

impl Member {
    /// Creates a member that stands at the origin as its file shows it.
    #[must_use]
    pub fn new(file: PathBuf) -> Self {
        Self {
            file,
            name: None,
            at: [0.0; 2],
            turn: 0.0,
            scale: 1.0,
            mirror: false,
            animation: None,
            start: 0.0,
            speed: 1.0,
            tint: WHITE,
            play: Vec::new(),
            fade: 0.0,
            own_images: false,
        }
    }

    /// Returns the member as it is where it is not moved, turned, scaled or flipped.
    #[must_use]
    pub fn at_origin(&self) -> Self {
        Self { at: [0.0; 2], turn: 0.0, scale: 1.0, mirror: false, ..self.clone() }
    }

    /// Returns true if both show the same images.
    fn shares_images(&self, other: &Self) -> bool {
        let is_own = self.own_images || other.own_images;
        self.file == other.file && self.tint == other.tint && !is_own
    }

    /// Returns the map from its own world to that of the stage, with the same bits on every machine.
    #[must_use]
    pub fn world_from_member(&self) -> Affine {
        let [x, y] = self.at;
        parent_from_bone(&BoneTransform {
            x,
            y,
            rotation: self.turn,
            scale_x: if self.mirror { -self.scale } else { self.scale },
            scale_y: self.scale,
            ..BoneTransform::default()
        })
    }
}

impl Layout {
    /// Returns the name of each member, all different: its own, or that of its file, with a number if that is taken.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let own = self.members.iter().filter_map(|member| member.name.clone());
        let mut taken: Vec<String> = own.collect();
        let name = |member: &Member| {
            if let Some(name) = &member.name {
                return name.clone();
            }
            let stem = file_name::stem(&member.file);
            let numbered = (2_usize..).map(|number| format!("{stem} {number}"));
            let mut free = [stem.clone()].into_iter().chain(numbered);
            let free = free.find(|name| !taken.contains(name)).unwrap_or(stem);
            taken.push(free.clone());
            free
        };
        self.members.iter().map(name).collect()
    }

    /// Returns some of the members in another order, by index. Each keeps its name.
    #[must_use]
    pub fn rearranged(&self, order: &[usize]) -> Self {
        let names = self.names();
        let of = |index: &usize| Some((self.members.get(*index)?.clone(), names.get(*index)?));
        let (members, names): (Vec<_>, Vec<_>) = order.iter().filter_map(of).unzip();
        let mut layout = Self { members };
        let now = layout.names();
        for ((member, name), now) in layout.members.iter_mut().zip(names).zip(now) {
            if now != *name {
                member.name = Some(name.clone());
            }
        }
        layout
    }

    /// Returns the index of the member whose images each member shows: the first that it shares them with, or itself.
    #[must_use]
    pub fn image_holders(&self) -> Vec<usize> {
        let holder = |(index, member): (usize, &Member)| {
            let first = self.members.iter().position(|other| other.shares_images(member));
            first.unwrap_or(index)
        };
        self.members.iter().enumerate().map(holder).collect()
    }

    /// Returns true if another layout has the same characters in the same order, and differs at most in their places and clips.
    #[must_use]
    pub fn is_same_cast(&self, other: &Self) -> bool {
        let cast = |member: &Member| (member.file.clone(), member.tint, member.own_images);
        self.names() == other.names() && { self.members.iter().map(cast) }
            .eq(other.members.iter().map(cast))
    }
}

#[cfg(test)]
mod tests {
    use pchr::pose::{IDENTITY, transform_point};

    use super::*;

    fn named(file: &str, name: Option<&str>) -> Member {
        Member { name: name.map(str::to_owned), ..Member::new(file.into()) }
    }

    #[test]
    fn members_are_named_like_their_files_and_all_differ() {
        let members = vec![
            named("a/hero.pchr", None),
            named("b/hero.pchr", None),
            named("c/hero.pchr", Some("hero")),
            named("orc.pchr", None),
        ];
        assert_eq!(Layout { members }.names(), ["hero 2", "hero 3", "hero", "orc"]);
    }

    #[test]
    fn members_in_another_order_keep_their_names() {
        let hero = || named("hero.pchr", None);
        let layout = Layout { members: vec![hero(), hero(), named("orc.pchr", None), hero()] };
        let names = |order: &[usize]| layout.rearranged(order).names();
        assert_eq!(names(&[1, 0, 2, 3]), ["hero 2", "hero", "orc", "hero 3"]);
        assert_eq!(names(&[3, 2]), ["hero 3", "orc"]);
        assert_eq!(
            layout.rearranged(&[0, 2]).members[1].name,
            None,
            "a name that stays is not written"
        );
    }

    #[test]
    fn members_of_one_file_and_tint_share_images_unless_one_has_its_own() {
        let hero = || named("hero.pchr", None);
        let own = Member { own_images: true, ..hero() };
        let red = Member { tint: [255, 0, 0], ..hero() };
        let members = vec![own, hero(), red.clone(), hero(), red];
        assert_eq!(Layout { members }.image_holders(), [0, 1, 2, 1, 2]);
    }

    #[test]
    fn a_member_is_mirrored_scaled_turned_and_moved_in_this_order() {
        let mut member = Member::new("a.pchr".into());
        assert_eq!(member.world_from_member(), IDENTITY);
        member = Member { at: [100.0, 7.0], turn: 90.0, scale: 2.0, mirror: true, ..member };
        let placed = transform_point(&member.world_from_member(), [3.0, 5.0]);
        assert_eq!(placed, [100.0 - 10.0, 7.0 - 6.0]);
    }
}
