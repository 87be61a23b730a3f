//! The grain of the paper.

/// Brightness of the grain at a texel, around 0: soft blotches and a fine, sparse grain.
pub(crate) fn grain(x: usize, y: usize) -> f32 {
    let blotch = |cell: usize, salt: u32| {
        let (cx, cy) = (x / cell, y / cell);
        let ease = |v: usize| {
            let t = (v % cell) as f32 / cell as f32;
            t * t * (3.0 - 2.0 * t)
        };
        let (u, v) = (ease(x), ease(y));
        let top = noise(cx, cy, salt) * (1.0 - u) + noise(cx + 1, cy, salt) * u;
        let bottom = noise(cx, cy + 1, salt) * (1.0 - u) + noise(cx + 1, cy + 1, salt) * u;
        top * (1.0 - v) + bottom * v
    };
    let fine = noise(x / 2, y, 3);
    let speck = if fine > 0.965 {
        0.035
    } else if fine < -0.965 {
        -0.03
    } else {
        0.0
    };
    blotch(23, 1) * 0.022 + blotch(7, 2) * 0.014 + speck
}

/// A fixed value in -1..1 for a lattice point.
fn noise(x: usize, y: usize, salt: u32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77)
        ^ salt.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^= h >> 15;
    (h >> 8) as f32 / 8_388_607.5 - 1.0
}
