//! An atlas as a subject: a sprite is a mesh, a flip-book an animation.
//!
//! A sprite is drawn where it lies in its source, whose middle is the origin, a pixel of the page for a pixel of the world; so sprites
//! that were trimmed in different ways stay in place. One that is rotated on its page stands upright.
#![deny(clippy::arithmetic_side_effects)]

use std::any::Any;
use std::sync::Arc;

use pchr::document::{
    AnimationId, FPS_WHEN_ZERO, Fingerprint, INDEX_SIZE, Image, ImageFault, ImageFormat, ImageId,
    Images, Mesh, MeshId, VERTEX_SIZE, Vertex,
};
use pchr::finding::{Finding, Findings, TextPlace, quoted};
use pchr::image::png_size;
use pchr::playback::{FrameAt, Timeline};
use pchr::scene::{
    Bounds, Clip, FileFacts, Geometry, MeshOrder, MeshView, Subject, Sweep, ViewOptions,
};

use super::atlas::{Atlas, FlipBook, Page, PctRule, Sprite, flip_books};

/// Maximum number of sprites and pages that are shown: as many as ids can express.
const MOST: usize = u16::MAX as usize;

/// The atlas whose sprites are the meshes of a subject.
#[must_use]
pub fn atlas_of(subject: &dyn Subject) -> Option<&Atlas> {
    subject.data()?.downcast_ref()
}

/// Name of the animation that shows every sprite.
const ALL: &str = "all";

/// The image file of a page, and the place in the atlas that names it.
#[derive(Debug)]
pub struct PageFile {
    /// The bytes of the PNG; or why there are none.
    pub png: Result<Vec<u8>, String>,
    /// Line and column of the page in the text.
    pub place: TextPlace,
}

/// An atlas with its pages, ready to be drawn. Its animations are the flip-books in the order of their first sprites, and one that walks
/// every sprite in the order of the file.
#[derive(Debug)]
pub struct Sheet {
    atlas: Arc<Atlas>,
    files: Vec<PageFile>,
    /// Width and height of each page: of its image or, without one, as the atlas states it.
    sizes: Vec<[u32; 2]>,
    quads: Vec<Quad>,
    indices: [[u8; INDEX_SIZE]; 6],
    books: Vec<FlipBook>,
    /// Flip-book and frame of each sprite that is shown.
    moments: Vec<[u16; 2]>,
    format: &'static str,
    bytes: u64,
    warnings: Findings,
    fingerprint: Fingerprint,
}

impl Sheet {
    /// An atlas that was read from a file of `bytes` bytes, in a format of this name. `files` are its pages' images, in order.
    #[must_use]
    pub fn new(
        atlas: Arc<Atlas>,
        files: Vec<PageFile>,
        format: &'static str,
        bytes: u64,
        mut warnings: Findings,
    ) -> Self {
        let size = |(page, file): (&Page, &PageFile)| {
            let real = file.png.as_ref().ok().and_then(|png| png_size(png).ok());
            real.unwrap_or(page.size).map(|side| side.max(1))
        };
        let sizes: Vec<[u32; 2]> = atlas.pages.iter().zip(&files).map(size).collect();
        let shown = atlas.sprites.values().take(MOST);
        let quads = shown.map(|sprite| {
            let size = sizes.get(sprite.page as usize).copied();
            Quad::new(sprite, size.unwrap_or([1, 1]))
        });
        let quads: Vec<Quad> = quads.collect();
        let (count, shown) = (atlas.sprites.len().max(atlas.pages.len()), quads.len());
        if count > MOST {
            let message = || format!("{count} sprites or pages; only the first {shown} are shown");
            warnings.add(PctRule::ShownLimit, 0, "sprites", message);
        }
        let mut books = flip_books(&atlas);
        for book in &mut books {
            book.sprites.retain(|sprite| (*sprite as usize) < shown);
        }
        books.retain(|book| !book.sprites.is_empty());
        books.truncate(MOST.saturating_sub(1));
        let mut moments = vec![[0; 2]; shown];
        for (index, book) in (0..=u16::MAX).zip(&books) {
            for (frame, sprite) in (0..=u16::MAX).zip(&book.sprites) {
                if let Some(moment) = moments.get_mut(*sprite as usize) {
                    *moment = [index, frame];
                }
            }
        }
        Self {
            files,
            sizes,
            quads,
            indices: [0_u16, 1, 2, 0, 2, 3].map(u16::to_le_bytes),
            books,
            moments,
            format,
            bytes,
            warnings,
            fingerprint: Fingerprint::default(),
            atlas,
        }
    }

    /// Number of sprites that are shown.
    fn shown(&self) -> u16 {
        u16::try_from(self.quads.len()).unwrap_or(u16::MAX)
    }

    /// The sprite that an animation shows at a moment.
    fn sprite_at(&self, at: FrameAt) -> Option<MeshId> {
        let FrameAt { animation, frame, .. } = at;
        match self.books.get(animation.index()) {
            Some(book) => {
                let sprite = book.sprites.get(usize::from(frame))?;
                Some(MeshId(u16::try_from(*sprite).ok()?))
            }
            None => {
                (self.all() == Some(animation) && frame < self.shown()).then_some(MeshId(frame))
            }
        }
    }
}

impl Images for Sheet {
    fn image_count(&self) -> usize {
        self.atlas.pages.len().min(MOST)
    }

    /// It has no data if its file is missing.
    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        let page = self.atlas.pages.get(id.index())?;
        let file = self.files.get(id.index())?;
        let real = self.sizes.get(id.index())?;
        // If the atlas states no size, the image's own is declared.
        let size = if page.size.contains(&0) { *real } else { page.size };
        let size = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let data = file.png.as_deref().unwrap_or_default();
        Some(Image::new(&page.file, size, ImageFormat::Png, data))
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        let (page, file) = (self.atlas.pages.get(id.index()), self.files.get(id.index()));
        let missing = file.and_then(|file| file.png.as_ref().err());
        let (rule, message) = match (missing, fault) {
            (Some(why), _) => (PctRule::PageMissing, why.clone()),
            (None, ImageFault::Memory) => (PctRule::Limit, message),
            (None, ImageFault::Data) => (PctRule::PageDecode, message),
            (None, ImageFault::Size) => (PctRule::PageSize, message),
        };
        let path = format!("page {} {}", id.0, quoted(page.map_or("", |page| &page.file)));
        let offset = page.map_or(0, |page| page.offset);
        let mut finding = Finding::new(rule, offset, &path, &message);
        finding.text = file.map(|file| file.place);
        finding
    }
}

impl Geometry for Sheet {
    fn mesh_count(&self) -> usize {
        self.quads.len()
    }

    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>> {
        let quad = self.quads.get(id.index())?;
        let (name, sprite) = self.atlas.sprites.get_index(id.index())?;
        let page = ImageId(u16::try_from(sprite.page).ok()?);
        Some(Mesh::new(name, page, &quad.vertices, &self.indices))
    }

    fn fingerprint(&self) -> Option<u64> {
        Some(self.fingerprint.of((self as &dyn Geometry).meshes()))
    }
}

impl Subject for Sheet {
    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>) {
        let hidden = MeshOrder { visible: false, ..MeshOrder::default() };
        let shown = at.and_then(|at| self.sprite_at(at)).map(MeshId::index);
        let all = 0..self.quads.len();
        order.extend(all.map(|index| MeshOrder { visible: shown == Some(index), ..hidden }));
    }

    fn animation_count(&self) -> usize {
        // One flip-book shows every sprite as it is.
        let all = usize::from(self.books.len() > 1);
        self.books.len().saturating_add(all)
    }

    fn animation(&self, id: AnimationId) -> Option<Clip<'_>> {
        let (name, frame_count) = match self.books.get(id.index()) {
            Some(book) => {
                let count = u16::try_from(book.sprites.len()).unwrap_or(u16::MAX);
                (book.name.as_str(), count)
            }
            None => (self.all() == Some(id)).then(|| (ALL, self.shown()))?,
        };
        let timeline =
            Timeline { frame_count, fps: f64::from(FPS_WHEN_ZERO), looping: true, smooth: false };
        Some(Clip { name, timeline })
    }

    /// The first flip-book with several sprites, else the first.
    fn default_animation(&self) -> Option<AnimationId> {
        let several = self.books.iter().position(|book| book.sprites.len() > 1);
        let index = several.or_else(|| (!self.books.is_empty()).then_some(0))?;
        Some(AnimationId(u16::try_from(index).ok()?))
    }

    fn all(&self) -> Option<AnimationId> {
        let index = u16::try_from(self.books.len()).ok()?;
        (self.books.len() > 1).then_some(AnimationId(index))
    }

    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a> {
        Box::new(SheetSweep::new(self, view))
    }

    fn file(&self) -> FileFacts<'_> {
        FileFacts { format: self.format, bytes: self.bytes, fps: None }
    }

    fn warnings(&self) -> &Findings {
        &self.warnings
    }

    /// The frame of a sprite, where all are walked if that is `near`.
    fn moment_of(&self, mesh: MeshId, near: Option<AnimationId>) -> Option<FrameAt> {
        let [book, frame] = *self.moments.get(mesh.index())?;
        let all = self.all().filter(|all| near == Some(*all));
        Some(match all {
            Some(all) => FrameAt::exact(all, mesh.0),
            None => FrameAt::exact(AnimationId(book), frame),
        })
    }

    fn data(&self) -> Option<&dyn Any> {
        Some(&*self.atlas)
    }

    fn allows_mipmaps(&self) -> bool {
        false
    }
}

/// A sprite in the world, and its source around it.
#[derive(Debug)]
struct Quad {
    /// Top left, top right, bottom right and bottom left corner of the sprite's area on the page.
    vertices: [[u8; VERTEX_SIZE]; 4],
    /// Its source, and the sprite if that leaves it.
    bounds: Bounds,
}

impl Quad {
    /// A sprite on a page of this size. What would lie outside the page is cut off.
    fn new(sprite: &Sprite, page: [u32; 2]) -> Self {
        let rect = sprite.rect;
        let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(f64::from);
        let [page_width, page_height] = page.map(f64::from);
        // Left, top, right and bottom of what is seen, in upright pixels of the sprite.
        let seen = if sprite.rotated {
            [-y, x + height - page_width, page_height - y, x + height]
        } else {
            [-x, -y, page_width - x, page_height - y]
        };
        let [left, top, right, bottom] = seen;
        let (left, top) = (left.clamp(0.0, width.max(0.0)), top.clamp(0.0, height.max(0.0)));
        let right = right.clamp(left, width.max(left));
        let bottom = bottom.clamp(top, height.max(top));

        let [source_width, source_height] = sprite.source_size().map(f64::from);
        let [trim_x, trim_y] = sprite.source_offset().map(f64::from);
        let world =
            |[u, v]: [f64; 2]| [trim_x + u - source_width / 2.0, source_height / 2.0 - trim_y - v];
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let vertices = corners.map(|[u, v]| {
            // Turned clockwise, what was at the top lies at the right.
            let on_page = if sprite.rotated { [x + height - v, y + u] } else { [x + u, y + v] };
            let [page_x, page_y] = on_page;
            let vertex = Vertex {
                position: world([u, v]).map(rounded),
                uv: [page_x / page_width, page_y / page_height].map(rounded),
                ..Vertex::default()
            };
            vertex.to_record()
        });
        let [half_width, half_height] =
            [source_width, source_height].map(|side| side.max(0.0) / 2.0);
        let source = Bounds {
            min: [-half_width, -half_height].map(rounded),
            max: [half_width, half_height].map(rounded),
        };
        let [min_x, max_y] = world([left, top]).map(rounded);
        let [max_x, min_y] = world([right, bottom]).map(rounded);
        let drawn = Bounds { min: [min_x, min_y], max: [max_x, max_y] };
        let is_drawn = min_x < max_x && min_y < max_y;
        Self { vertices, bounds: if is_drawn { source.union(drawn) } else { source } }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn rounded(number: f64) -> f32 {
    number as f32
}

/// Measures the sprites that are shown.
struct SheetSweep<'a> {
    sheet: &'a Sheet,
    view: &'a ViewOptions,
    /// Bounds of sprites that are shown at any moment.
    always: Option<Bounds>,
}

impl<'a> SheetSweep<'a> {
    fn new(sheet: &'a Sheet, view: &'a ViewOptions) -> Self {
        let shown =
            |(view, quad): (&MeshView, &Quad)| (view.visible == Some(true)).then_some(quad.bounds);
        let shown = view.meshes.iter().zip(&sheet.quads).filter_map(shown);
        Self { sheet, view, always: shown.reduce(Bounds::union) }
    }

    fn bounds(&self, sprite: MeshId) -> Option<Bounds> {
        let view = self.view.meshes.get(sprite.index());
        let hidden = view.is_some_and(|view| view.visible == Some(false));
        let quad = self.sheet.quads.get(sprite.index()).filter(|_| !hidden)?;
        Some(quad.bounds)
    }
}

impl Sweep for SheetSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let mut any = false;
        let shown = moments.flatten().filter_map(|at| {
            any = true;
            self.bounds(self.sheet.sprite_at(at)?)
        });
        let shown = shown.reduce(Bounds::union);
        let always = self.always.filter(|_| any);
        shown.into_iter().chain(always).reduce(Bounds::union)
    }
}
