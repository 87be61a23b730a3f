// Lays the picture over what is behind it, in whole numbers: the same as a capture does on the CPU.

// Mirrors composite::Uniform (32 bytes).
struct Composite {
    origin: vec2u,    // screen pixel of the picture's upper left corner
    cell: u32,        // screen pixels a side of the checkerboard's squares
    _pad: u32,
    even: u32,        // sRGB-encoded, 0xRRGGBB
    odd: u32,
    _pad2: vec2u,
}

@group(0) @binding(0) var<uniform> composite: Composite;
@group(0) @binding(1) var picture: texture_2d<f32>;   // premultiplied
@group(0) @binding(2) var behind: texture_2d<f32>;    // opaque, as large as the picture; else 1 x 1 and not used

// One triangle over the whole viewport.
@vertex
fn vs_composite(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_composite(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2u(position.xy) - composite.origin;
    let over = vec4u(round(textureLoad(picture, at, 0) * 255.0));
    var under = checker(at);
    if all(textureDimensions(behind) == textureDimensions(picture)) {
        under = vec3u(round(textureLoad(behind, at, 0).rgb * 255.0));
    }
    let rgb = min(over.rgb + multiply_255(under, 255u - over.a), vec3u(255u));
    return vec4f(vec3f(rgb) / 255.0, 1.0);
}

fn checker(at: vec2u) -> vec3u {
    let square = at / composite.cell;
    let rgb = select(composite.odd, composite.even, (square.x + square.y) % 2u == 0u);
    return (vec3u(rgb) >> vec3u(16u, 8u, 0u)) & vec3u(255u);
}

// image::multiply_255: a * b / 255, rounded.
fn multiply_255(a: vec3u, b: u32) -> vec3u {
    let product = a * b + 128u;
    return (product + (product >> vec3u(8u))) >> vec3u(8u);
}
