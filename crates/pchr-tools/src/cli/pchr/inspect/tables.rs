//! The sections as aligned tables, one line an element.

use std::ops::Range;

use super::grid::Align::{Left, Right};
use super::grid::{Align, LISTED, grid, list};
use super::report::{BoneReport, BoundsReport, ByteRange, Report};
use super::words;

/// Bones are moved to the right with their depth up to here.
const DEEPEST_SHOWN: u16 = 20;
/// Text of an empty cell.
const NONE: &str = "-";

/// Writes the tables of a report.
pub(super) struct Tables<'a> {
    pub(super) report: &'a Report<'a>,
    /// True if long tables are shown whole.
    pub(super) all: bool,
    pub(super) out: &'a mut String,
}

impl Tables<'_> {
    pub(super) fn write(mut self) {
        self.sections();
        self.images();
        self.animations();
        self.meshes();
        self.bones();
    }

    fn sections(&mut self) {
        let report = self.report;
        let header = [
            ("section", Left),
            ("count", Right),
            ("bytes", Left),
            ("size", Right),
            ("share", Right),
        ];
        let sections = report.sections.iter().filter(|section| {
            // Bytes after the last animation are listed only if there are any.
            section.name != "trailing" || section.bytes.length > 0
        });
        let rows = sections.map(|section| {
            [
                section.name.into(),
                section.count.map(words::number).unwrap_or_default(),
                self.range(section.bytes),
                words::bytes(section.bytes.length),
                words::share(section.bytes.length, report.size),
            ]
        });
        let rows: Vec<_> = rows.collect();
        let title = if report.format == "pchr" {
            "Sections"
        } else {
            "Sections (bytes as they would be packed to PCHR v1)"
        };
        grid(self.out, title, header, rows);
    }

    fn images(&mut self) {
        let header = [
            ("#", Right),
            ("image", Left),
            ("pixels", Right),
            ("format", Left),
            ("meshes", Right),
            ("as texture", Right),
            ("data bytes", Left),
            ("size", Right),
        ];
        let images = &self.report.images;
        let row = |i: usize| {
            let image = images.get(i)?;
            Some([
                image.index.to_string(),
                words::name(image.name).into(),
                format!("{} x {}", image.width, image.height),
                image.format.into(),
                words::number(image.meshes),
                words::bytes(image.texture_bytes),
                self.range(image.data),
                words::bytes(image.data.length),
            ])
        };
        let rows = self.listed(images.len()).filter_map(row).collect();
        self.list("Images", images.len(), header, rows);
        self.pixels();
    }

    fn pixels(&mut self) {
        let images = &self.report.images;
        let asked = |i: &usize| {
            let image = images.get(*i);
            image.is_some_and(|image| image.pixels.is_some() || image.decode_error.is_some())
        };
        let header = [
            ("#", Right),
            ("image", Left),
            ("pixels", Right),
            ("colour", Left),
            ("opaque", Right),
            ("translucent", Right),
            ("transparent", Right),
        ];
        let row = |i: usize| {
            let image = images.get(i)?;
            let [size, color, shares @ ..] = match &image.pixels {
                Some(pixels) => {
                    let all = pixels.opaque + pixels.translucent + pixels.transparent;
                    [
                        format!("{} x {}", pixels.width, pixels.height),
                        format!("{}, {} bit", pixels.color, pixels.bit_depth),
                        words::share(pixels.opaque, all),
                        words::share(pixels.translucent, all),
                        words::share(pixels.transparent, all),
                    ]
                }
                None => [
                    NONE.into(),
                    "does not decode".into(),
                    NONE.into(),
                    NONE.into(),
                    NONE.into(),
                ],
            };
            let [opaque, translucent, transparent] = shares;
            let name = words::name(image.name).into();
            Some([
                image.index.to_string(),
                name,
                size,
                color,
                opaque,
                translucent,
                transparent,
            ])
        };
        let rows: Vec<_> = self
            .listed(images.len())
            .filter(asked)
            .filter_map(row)
            .collect();
        if !rows.is_empty() {
            self.list("Pixels, decoded", images.len(), header, rows);
        }
    }

    fn animations(&mut self) {
        let header = [
            ("#", Right),
            ("animation", Left),
            ("plays", Left),
            ("frames", Right),
            ("seconds", Right),
            ("x", Right),
            ("y", Right),
            ("extent", Right),
            ("bytes", Left),
            ("size", Right),
            ("", Left),
        ];
        let report = self.report;
        let animations = &report.animations;
        let bind = report.bind_pose.animation_index;
        let default = report.default_animation;
        let row = |i: usize| {
            let animation = animations.get(i)?;
            let [x, y, extent] = bounds(animation.bounds);
            let is = |other: Option<u16>| other == Some(animation.index);
            Some([
                animation.index.to_string(),
                words::name(animation.name).into(),
                if animation.looping { "loop" } else { "once" }.into(),
                words::number(animation.frame_count),
                format!("{:.2}", animation.seconds),
                x,
                y,
                extent,
                self.range(animation.bytes),
                words::bytes(animation.bytes.length),
                match (is(bind), is(default)) {
                    (true, true) => "bind pose, default",
                    (true, false) => "bind pose",
                    (false, true) => "default",
                    (false, false) => "",
                }
                .into(),
            ])
        };
        let rows = self.listed(animations.len()).filter_map(row).collect();
        self.list("Animations", animations.len(), header, rows);
    }

    fn meshes(&mut self) {
        let header = [
            ("#", Right),
            ("mesh", Left),
            ("image", Right),
            ("vertices", Right),
            ("triangles", Right),
            ("bones", Right),
            ("a vertex", Right),
            ("bytes", Left),
            ("size", Right),
            ("owner", Left),
        ];
        let meshes = &self.report.meshes;
        let row = |i: usize| {
            let mesh = meshes.get(i)?;
            Some([
                mesh.index.to_string(),
                words::name(mesh.name).into(),
                mesh.image.to_string(),
                words::number(mesh.vertices),
                words::number(mesh.triangles),
                words::number(mesh.bones),
                words::influences(mesh.vertices_by_influences),
                self.range(mesh.bytes),
                words::bytes(mesh.bytes.length),
                mesh.owner.map_or(NONE.into(), |owner| {
                    let bone = self.report.bones.get(usize::from(owner));
                    format!("{owner} {}", words::name(bone.map_or("", |bone| bone.name)))
                }),
            ])
        };
        let rows = self.listed(meshes.len()).filter_map(row).collect();
        self.list("Meshes", meshes.len(), header, rows);
    }

    fn bones(&mut self) {
        let header = [
            ("#", Right),
            ("parent", Right),
            ("depth", Right),
            ("bone", Left),
            ("meshes", Right),
            ("vertices", Right),
            ("bytes", Left),
        ];
        let bones = &self.report.bones;
        let tree = tree(bones);
        let row = |i: usize| {
            let bone = bones.get(usize::from(*tree.get(i)?))?;
            let indent = usize::from(bone.depth.min(DEEPEST_SHOWN)) * 2;
            Some([
                bone.index.to_string(),
                bone.parent.map_or(NONE.into(), |parent| parent.to_string()),
                bone.depth.to_string(),
                format!("{:indent$}{}", "", words::name(bone.name)),
                words::number(bone.owned_meshes),
                words::number(bone.vertices),
                self.range(bone.bytes),
            ])
        };
        let rows = self.listed(bones.len()).filter_map(row).collect();
        self.list("Bones", bones.len(), header, rows);
    }

    /// Lines of a table that are shown.
    fn listed(&self, count: usize) -> Range<usize> {
        0..if self.all { count } else { count.min(LISTED) }
    }

    /// A table of elements; says how many are left out.
    fn list<const N: usize>(
        &mut self,
        title: &str,
        count: usize,
        header: [(&str, Align); N],
        rows: Vec<[String; N]>,
    ) {
        list(self.out, title, header, count, self.all, rows.into_iter());
    }

    fn range(&self, range: ByteRange) -> String {
        words::range(range, words::digits(self.report.size))
    }
}

fn bounds(bounds: Option<BoundsReport>) -> [String; 3] {
    bounds.map_or([NONE, NONE, NONE].map(Into::into), words::bounds)
}

/// The bones as a tree: each before its children, and these before the next bone.
fn tree(bones: &[BoneReport<'_>]) -> Vec<u16> {
    let mut children: Vec<Vec<u16>> = vec![Vec::new(); bones.len()];
    let mut open = Vec::new();
    for bone in bones.iter().rev() {
        let parent = bone.parent.map(usize::from);
        match parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(bone.index),
            None => open.push(bone.index),
        }
    }
    let mut order = Vec::with_capacity(bones.len());
    while let Some(bone) = open.pop() {
        order.push(bone);
        open.extend(children.get(usize::from(bone)).into_iter().flatten());
    }
    order
}
