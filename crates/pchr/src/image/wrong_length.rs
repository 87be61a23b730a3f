//! Pixels whose bytes are not those of their size: anyone can fill in [`Pixels`].

use std::fmt;

use super::Pixels;

/// Pixels without an area, or whose bytes are not those of their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLength {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Bytes that there are.
    pub bytes: usize,
}

impl WrongLength {
    /// Returns the bytes that the size needs: more than any memory has, for some sizes.
    fn needed(self) -> u128 {
        let [width, height] = self.size.map(u128::from);
        width.saturating_mul(height).saturating_mul(4)
    }

    /// Returns true if there are at least as many bytes as pixels need.
    pub(crate) fn has_enough(self) -> bool {
        self.needed() > 0 && self.bytes as u128 >= self.needed()
    }
}

impl fmt::Display for WrongLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size;
        match self.needed() {
            0 => write!(f, "{width} x {height} pixels, expected at least 1 x 1"),
            needed => write!(
                f,
                "{width} x {height} pixels in {} bytes, expected {needed}",
                self.bytes
            ),
        }
    }
}

impl std::error::Error for WrongLength {}

impl Pixels {
    /// Checks that there are pixels, and four bytes for each.
    ///
    /// # Errors
    /// [`WrongLength`].
    pub fn check(&self) -> Result<(), WrongLength> {
        let found = WrongLength {
            size: [self.width, self.height],
            bytes: self.rgba.len(),
        };
        match found.needed() {
            needed if needed > 0 && needed == found.bytes as u128 => Ok(()),
            _ => Err(found),
        }
    }
}

/// Returns the warning that a subject was given another number of images than it has.
#[cfg(any(feature = "raster", feature = "render"))]
pub(crate) fn images_given(has: usize, wants: usize) -> Option<String> {
    let so = match has < wants {
        true => "meshes of missing images are not drawn",
        false => "the last ones are not used",
    };
    (has != wants).then(|| format!("images: {has} given, expected {wants}; {so}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_must_be_those_of_the_size() {
        let said = |width, height, bytes| {
            let rgba = vec![0; bytes];
            let pixels = Pixels {
                width,
                height,
                rgba,
            };
            pixels.check().map_err(|fault| fault.to_string())
        };
        assert_eq!(said(2, 3, 24), Ok(()));
        for (width, height, bytes, wanted) in [
            (4, 4, 63, "4 x 4 pixels in 63 bytes, expected 64"),
            (4, 4, 65, "4 x 4 pixels in 65 bytes, expected 64"),
            (0, 0, 0, "0 x 0 pixels, expected at least 1 x 1"),
            (5, 0, 20, "5 x 0 pixels, expected at least 1 x 1"),
            (
                1 << 31,
                1 << 31,
                0,
                "2147483648 x 2147483648 pixels in 0 bytes, expected 18446744073709551616",
            ),
            (
                u32::MAX,
                u32::MAX,
                4,
                "4294967295 x 4294967295 pixels in 4 bytes, expected 73786976260478468100",
            ),
        ] {
            assert_eq!(said(width, height, bytes), Err(wanted.to_owned()));
        }
    }
}
