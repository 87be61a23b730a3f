//! Facts about the sprites of an atlas that depend on its file alone; found while it is loaded.

use std::collections::BTreeSet;
use std::ops::Range;

use pchr::document::{Images, MeshId};
use pchr::image::png_size;
use pchr::scene::Subject;
use pchr_foreign::atlas::{Atlas, covered_pixels};
use pchr_foreign::sheet::atlas_of;
use pchr_tools::text::Natural;

/// The sprites by page and by folder.
#[derive(Debug, Default)]
pub(crate) struct SpriteList {
    pub pages: Vec<PageFacts>,
    /// In the order of the list: folders and names as people sort them, those without a folder first.
    order: Vec<MeshId>,
    pub folders: Vec<SpriteFolder>,
    /// By sprite: number of its aliases.
    aliases: Vec<u32>,
}

/// A page and its sprites.
#[derive(Debug, Default)]
pub(crate) struct PageFacts {
    /// Width and height: of its image or, without one, as the atlas states it.
    pub size: [u32; 2],
    pub missing: bool,
    /// Pixels that sprites cover.
    pub covered: u64,
    /// Sprites with a place of their own.
    pub sprites: Vec<MeshId>,
    /// Blocks that sprites belong to.
    pub blocks: BTreeSet<u32>,
}

impl PageFacts {
    /// Part of the page that sprites cover, in percent.
    pub(crate) fn fill(&self) -> f64 {
        let [width, height] = self.size.map(f64::from);
        #[expect(clippy::cast_precision_loss, reason = "a page has fewer pixels")]
        let covered = self.covered as f64;
        let part = covered / (width * height);
        if part.is_finite() { part * 100.0 } else { 0.0 }
    }
}

/// Sprites whose names have the same path.
#[derive(Debug)]
pub(crate) struct SpriteFolder {
    /// Empty for names without one.
    pub path: Box<str>,
    /// In the order of the list.
    sprites: Range<usize>,
}

impl SpriteFolder {
    pub(crate) fn len(&self) -> usize {
        self.sprites.len()
    }
}

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// Index of a folder.
    Folder(usize),
    Sprite(MeshId),
}

/// Folder and last part of a name.
pub(crate) fn parts(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

impl SpriteList {
    /// The facts about a subject that has an atlas.
    pub(crate) fn new(subject: &dyn Subject) -> Option<Self> {
        let atlas = atlas_of(subject)?;
        let (pages, aliases) = pages(subject, atlas);
        let named = (0..=u16::MAX).map(MeshId).zip(subject.mesh_names());
        let mut listed: Vec<(&str, &str, MeshId)> = named
            .map(|(mesh, name)| {
                let (folder, name) = parts(name);
                (folder, name, mesh)
            })
            .collect();
        // By folder first, in few comparisons of names.
        listed.sort_by_cached_key(|(folder, _, mesh)| (Natural::new(folder), *mesh));
        let mut folders: Vec<SpriteFolder> = Vec::new();
        let mut start = 0;
        for sprites in listed.chunk_by_mut(|a, b| a.0 == b.0) {
            sprites.sort_by_cached_key(|(_, name, mesh)| (Natural::new(name), *mesh));
            let end = sprites.len().saturating_add(start);
            folders.push(SpriteFolder {
                path: sprites.first().map_or("", |(folder, ..)| folder).into(),
                sprites: start..end,
            });
            start = end;
        }
        let order = listed.iter().map(|(.., mesh)| *mesh).collect();
        Some(Self { pages, order, folders, aliases })
    }

    /// Returns the rows of the list, without those in `folded` folders, or those that do not match `filter`.
    pub(crate) fn rows(
        &self,
        subject: &dyn Subject,
        folded: &BTreeSet<Box<str>>,
        filter: &str,
    ) -> Vec<Row> {
        let filter = filter.trim().to_lowercase();
        let name = |mesh: &MeshId| subject.mesh(*mesh).map_or("", |mesh| mesh.name());
        let holds =
            |mesh: &&MeshId| filter.is_empty() || name(mesh).to_lowercase().contains(&filter);
        let mut rows = Vec::with_capacity(self.order.len().saturating_add(self.folders.len()));
        for (index, folder) in self.folders.iter().enumerate() {
            let is_folded = filter.is_empty() && folded.contains(&folder.path);
            let sprites = self.order.get(folder.sprites.clone()).unwrap_or_default().iter();
            let mut listed = sprites.filter(|mesh| !is_folded && holds(mesh)).peekable();
            if !folder.path.is_empty() && (is_folded || listed.peek().is_some()) {
                rows.push(Row::Folder(index));
            }
            rows.extend(listed.copied().map(Row::Sprite));
        }
        rows
    }

    /// Number of sprites that share the place of this one.
    pub(crate) fn aliases(&self, mesh: MeshId) -> u32 {
        self.aliases.get(mesh.index()).copied().unwrap_or_default()
    }

    /// The sprites at a point of a page: the smallest first, each before its aliases.
    pub(crate) fn at(&self, atlas: &Atlas, page: usize, [x, y]: [f64; 2]) -> Vec<MeshId> {
        let Some(page) = self.pages.get(page) else { return Vec::new() };
        let sprite = |mesh: MeshId| atlas.sprites.get_index(mesh.index()).map(|(_, sprite)| sprite);
        #[expect(clippy::cast_precision_loss, reason = "edges are 33 bit numbers")]
        let area = |mesh: &MeshId| {
            let [left, top, right, bottom] =
                sprite(*mesh)?.covered().edges().map(|edge| edge as f64);
            let inside = left <= x && x < right && top <= y && y < bottom;
            inside.then_some((right - left) * (bottom - top))
        };
        let inside = page.sprites.iter().filter_map(|mesh| Some((area(mesh)?, *mesh)));
        let mut inside: Vec<(f64, MeshId)> = inside.collect();
        inside.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))); // what is drawn later lies above
        let with_aliases = |(_, original): (f64, MeshId)| {
            let is_alias = |mesh: &MeshId| {
                sprite(*mesh).and_then(|sprite| sprite.alias_of) == Some(original.0.into())
            };
            let any = self.aliases(original) > 0;
            let all = self.order.iter().filter(move |_| any);
            std::iter::once(original).chain(all.copied().filter(is_alias).collect::<Vec<_>>())
        };
        inside.into_iter().flat_map(with_aliases).collect()
    }
}

/// The pages, and by sprite the number of its aliases.
fn pages(subject: &dyn Subject, atlas: &Atlas) -> (Vec<PageFacts>, Vec<u32>) {
    let images: &dyn Images = subject;
    let mut pages: Vec<PageFacts> = images
        .images()
        .map(|image| PageFacts {
            size: png_size(image.data()).unwrap_or([image.width(), image.height()].map(u32::from)),
            missing: image.data().is_empty(),
            ..PageFacts::default()
        })
        .collect();
    let sizes: Vec<[u32; 2]> = pages.iter().map(|page| page.size).collect();
    for (page, covered) in pages.iter_mut().zip(covered_pixels(atlas, &sizes)) {
        page.covered = covered;
    }
    let mut aliases = vec![0_u32; subject.mesh_count()];
    let shown = (0..=u16::MAX).map(MeshId).take(aliases.len());
    for (mesh, sprite) in shown.zip(atlas.sprites.values()) {
        if let Some(original) = sprite.alias_of {
            if let Some(count) = aliases.get_mut(original as usize) {
                *count = count.saturating_add(1);
            }
        } else if let Some(page) = pages.get_mut(sprite.page as usize) {
            page.sprites.push(mesh);
            page.blocks.extend(sprite.block);
        }
    }
    (pages, aliases)
}
