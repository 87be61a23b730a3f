//! The colours of the papers, sRGB-encoded.

/// Red, green and blue, each 0..1, sRGB-encoded.
pub(crate) type Rgb = [f32; 3];

const fn hex(code: u32) -> Rgb {
    [
        ((code >> 16) & 255) as f32 / 255.0,
        ((code >> 8) & 255) as f32 / 255.0,
        (code & 255) as f32 / 255.0,
    ]
}

pub(crate) const FOX: Rgb = hex(0xE4_77_3B);
pub(crate) const FOX_FAR: Rgb = hex(0xC9_5F_30);
pub(crate) const FOX_TAIL: Rgb = hex(0xD9_6B_34);
pub(crate) const RUST: Rgb = hex(0xA9_48_28);
pub(crate) const CREAM: Rgb = hex(0xFD_EE_D8);
pub(crate) const CREAM_DIM: Rgb = hex(0xF3_DC_BC);
pub(crate) const SOCK: Rgb = hex(0x55_32_2F);
pub(crate) const SOCK_FAR: Rgb = hex(0x43_27_27);
pub(crate) const EAR_INNER: Rgb = hex(0xF4_B9_92);
pub(crate) const BLUSH: Rgb = hex(0xF0_8A_63);
pub(crate) const TEAL: Rgb = hex(0x2C_8C_86);
pub(crate) const TEAL_DEEP: Rgb = hex(0x21_70_6F);
pub(crate) const TEAL_FAR: Rgb = hex(0x25_7B_78);
pub(crate) const STRIPE: Rgb = hex(0xF7_D9_94);
pub(crate) const INK: Rgb = hex(0x2F_1C_1C);
pub(crate) const AMBER: Rgb = hex(0x8A_4A_2A);
pub(crate) const WHITE: Rgb = hex(0xFF_FB_F2);
pub(crate) const MOUTH: Rgb = hex(0x6E_23_27);
pub(crate) const TONGUE: Rgb = hex(0xE0_72_6A);
pub(crate) const BRASS: Rgb = hex(0xD8_A2_40);
pub(crate) const BRASS_LIGHT: Rgb = hex(0xFD_EC_B4);
pub(crate) const BRASS_DARK: Rgb = hex(0x8A_5D_1E);
/// Colour that light adds to a paper.
pub(crate) const SUN: Rgb = hex(0xFF_E9_BE);
/// Colour that shade adds to a paper.
pub(crate) const DUSK: Rgb = hex(0x6B_22_1E);
/// Colour of the shadow that one sheet casts on another.
pub(crate) const SHADOW: Rgb = hex(0x36_18_12);

/// Mix of `a` with the share `t` of `b`.
pub(crate) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    let t = t.clamp(0.0, 1.0);
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
}
