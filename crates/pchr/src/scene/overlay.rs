//! Triangles that are drawn behind the meshes and over them: plain data, made by `overlay` and drawn by both renderers.

use std::ops::Range;

use crate::document::ImageId;

/// A corner of a triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "render", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct OverlayVertex {
    /// Position in screen pixels: row 0 on top, pixel centres at half integers.
    pub position: [f32; 2],
    /// Position on the overlay's atlas, in texels from its upper left corner. Texels are not blended: the nearest one is used.
    pub texel: [f32; 2],
}

/// A corner of a triangle that is seen only where an image is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "render", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct MaskedVertex {
    /// Position on the screen and on the atlas.
    pub vertex: OverlayVertex,
    /// Texture coordinate on the image, 0..1.
    pub image_uv: [f32; 2],
}

/// Triangles in screen pixels, drawn in order, all from one atlas. Reuses its memory for each frame.
///
/// Below them lie triangles whose colours are multiplied by the alpha of an image of the subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    vertices: Vec<OverlayVertex>,
    indices: Vec<u32>,
    /// End index of each polygon's vertices.
    ends: Vec<u32>,
    /// Number of polygons, and of their indices, that lie behind the meshes.
    behind: [usize; 2],
    /// Three vertices per masked triangle.
    masked: Vec<MaskedVertex>,
    /// Images of the masked triangles, and the end index of each image's vertices.
    masks: Vec<(ImageId, u32)>,
    hides_meshes: bool,
}

impl Overlay {
    /// Maximum number of vertices of an overlay; the rest is left out. 64 MiB on a GPU.
    pub const MOST_VERTICES: usize = 1 << 22;

    /// Removes everything.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.indices.clear();
        self.ends.clear();
        self.behind = [0; 2];
        self.masked.clear();
        self.masks.clear();
        self.hides_meshes = false;
    }

    /// Replaces the meshes: renderers draw none of them.
    pub fn hide_meshes(&mut self) {
        self.hides_meshes = true;
    }

    /// Returns true if it is drawn in place of the meshes.
    #[must_use]
    pub fn hides_meshes(&self) -> bool {
        self.hides_meshes
    }

    /// Lays everything that was added so far behind the meshes.
    pub fn put_behind(&mut self) {
        self.behind = [self.ends.len(), self.indices.len()];
    }

    /// Returns the number of [`Self::polygons`] that lie behind the meshes: the first ones.
    #[must_use]
    pub fn polygons_behind(&self) -> usize {
        self.behind[0]
    }

    /// Returns the number of [`Self::indices`] that lie behind the meshes: the first ones.
    #[must_use]
    pub fn indices_behind(&self) -> usize {
        self.behind[1]
    }

    /// Returns true if there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty() && self.masked.is_empty()
    }

    /// Returns the vertices.
    #[must_use]
    pub fn vertices(&self) -> &[OverlayVertex] {
        &self.vertices
    }

    /// Returns three indices per triangle into [`Self::vertices`], all valid.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Returns the convex polygons, as ranges of [`Self::vertices`]. The triangles are their fans, from the first corner on.
    pub fn polygons(&self) -> impl Iterator<Item = Range<usize>> {
        self.ends.iter().scan(0, |start, end| {
            let end = *end as usize;
            Some(std::mem::replace(start, end)..end)
        })
    }

    /// Returns the vertices of the masked triangles, three each.
    #[must_use]
    pub fn masked_vertices(&self) -> &[MaskedVertex] {
        &self.masked
    }

    /// Returns the masked triangles from back to front: images, and ranges of [`Self::masked_vertices`].
    pub fn masks(&self) -> impl Iterator<Item = (ImageId, Range<u32>)> {
        self.masks
            .iter()
            .scan(0, |start, (image, end)| Some((*image, std::mem::replace(start, *end)..*end)))
    }

    /// Adds a triangle that is seen where `image` is, below all polygons. One with a corner that is not finite, or beyond
    /// [`Self::MOST_VERTICES`], is left out.
    pub fn push_masked(&mut self, image: ImageId, corners: [MaskedVertex; 3]) {
        let finite = |corner: &MaskedVertex| {
            let OverlayVertex { position, texel } = corner.vertex;
            let numbers = position.iter().chain(&texel).chain(&corner.image_uv);
            numbers.fold(true, |finite, number| finite & number.is_finite())
        };
        let end = self.masked.len().saturating_add(corners.len());
        let Ok(end) = u32::try_from(end) else { return };
        if end as usize > Self::MOST_VERTICES || !corners.iter().all(finite) {
            return;
        }
        self.masked.extend(corners);
        match self.masks.last_mut() {
            Some((of, last)) if *of == image => *last = end,
            _ => self.masks.push((image, end)),
        }
    }

    /// Adds a convex polygon as a fan of triangles. One with fewer than three corners, with a corner that is not finite,
    /// or beyond [`Self::MOST_VERTICES`] is left out.
    pub fn push(&mut self, corners: impl IntoIterator<Item = OverlayVertex>) {
        let start = self.vertices.len();
        self.vertices.extend(corners);
        let added = self.vertices.get(start..).unwrap_or_default();
        let finite = |vertex: &OverlayVertex| {
            let numbers = vertex.position.iter().chain(&vertex.texel);
            numbers.fold(true, |finite, number| finite & number.is_finite())
        };
        let sound = added.len() > 2
            && self.vertices.len() <= Self::MOST_VERTICES
            && added.iter().all(finite);
        // Sound indices fit in 32 bits.
        let ends = u32::try_from(start).ok().zip(self.vertices.len().try_into().ok());
        let Some((first, end)) = ends.filter(|_| sound) else {
            self.vertices.truncate(start);
            return;
        };
        for third in first.saturating_add(2)..end {
            self.indices.extend([first, third - 1, third]);
        }
        self.ends.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at([x, y]: [f32; 2]) -> OverlayVertex {
        OverlayVertex { position: [x, y], texel: [0.5; 2] }
    }

    #[test]
    fn a_polygon_becomes_a_fan() {
        let mut overlay = Overlay::default();
        overlay.push([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]].map(at));
        overlay.push([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(at));
        assert_eq!(overlay.indices(), [0, 1, 2, 3, 4, 5, 3, 5, 6]);
        assert_eq!(overlay.vertices().len(), 7);
        overlay.clear();
        assert!(overlay.is_empty() && overlay.vertices().is_empty());
    }

    #[test]
    fn what_was_put_behind_comes_first_and_is_counted() {
        let mut overlay = Overlay::default();
        overlay.push([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(at));
        overlay.put_behind();
        overlay.push([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]].map(at));
        assert_eq!((overlay.polygons_behind(), overlay.indices_behind()), (1, 6));
        assert_eq!((overlay.polygons().count(), overlay.indices().len()), (2, 9));
        overlay.clear();
        assert_eq!((overlay.polygons_behind(), overlay.indices_behind()), (0, 0));
    }

    #[test]
    fn masked_triangles_of_an_image_lie_together() {
        let corner = |c: f32| MaskedVertex { vertex: at([c; 2]), image_uv: [c; 2] };
        let mut overlay = Overlay::default();
        for image in [3, 3, 1] {
            overlay.push_masked(ImageId(image), [0.0, 0.5, 1.0].map(corner));
        }
        overlay.push_masked(ImageId(1), [0.0, f32::NAN, 1.0].map(corner));
        let masks: Vec<_> = overlay.masks().collect();
        assert_eq!(masks, [(ImageId(3), 0..6), (ImageId(1), 6..9)]);
        assert!(!overlay.is_empty() && overlay.indices().is_empty());
        overlay.clear();
        assert!(overlay.is_empty());
    }

    #[test]
    fn what_cannot_be_drawn_leaves_nothing_behind() {
        let mut overlay = Overlay::default();
        overlay.push([[0.0, 0.0], [1.0, 0.0]].map(at));
        for wrong in [f32::NAN, f32::INFINITY, -f32::INFINITY] {
            overlay.push([[0.0, 0.0], [1.0, wrong], [1.0, 1.0]].map(at));
        }
        overlay.push(std::iter::repeat_n(at([1.0; 2]), Overlay::MOST_VERTICES + 1));
        assert_eq!(overlay, Overlay::default());
    }
}
