// What lies behind the character: squares of two colours, the same colour twice for a flat one.

// Mirrors backdrop::Backdrop (48 bytes).
struct Backdrop {
    even: vec4f,      // sRGB-encoded, opaque
    odd: vec4f,       // sRGB-encoded, opaque
    origin: vec2f,    // screen pixel of the picture's upper left corner
    cell: f32,        // screen pixels a side of a square
    _pad: f32,
}

@group(0) @binding(0) var<uniform> backdrop: Backdrop;

// One triangle over the whole viewport.
@vertex
fn vs_backdrop(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_backdrop(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let square = floor((position.xy - backdrop.origin) / backdrop.cell);
    let odd = fract((square.x + square.y) * 0.5) > 0.25;
    return select(backdrop.even, backdrop.odd, odd);
}
