// Lays the picture over what is behind it, in whole numbers: the same as a capture does on the CPU.

// Mirrors composite::Uniform (64 bytes).
struct Composite {
    origin: vec2u,    // screen pixel of the picture's upper left corner
    cell: u32,        // screen pixels a side of the checkerboard's squares
    _pad: u32,
    even: u32,        // sRGB-encoded, 0xRRGGBB
    odd: u32,
    reference_above: u32,       // 1 over the picture, 0 behind it
    reference_opacity: f32,     // 0 if there is none
    reference_from_pixel: vec4f, // uv = xy * pixel of the picture + zw
    reference_lod: f32,
    _pad2: u32,
    _pad3: u32,
    _pad4: u32,
}

@group(0) @binding(0) var<uniform> composite: Composite;
@group(0) @binding(1) var picture: texture_2d<f32>;   // premultiplied
@group(0) @binding(2) var behind: texture_2d<f32>;    // opaque, as large as the picture; else 1 x 1 and not used

@group(0) @binding(3) var reference: texture_2d<f32>; // premultiplied
@group(0) @binding(4) var blended: sampler;

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
    let compared = reference_at(vec2f(at) + 0.5);
    // No branch depends on uniforms alone: see shaders/README.md.
    under = select(under, lay_over(compared, under), composite.reference_above == 0u);
    let both = lay_over(over, under);
    let rgb = select(both, lay_over(compared, both), composite.reference_above == 1u);
    return vec4f(vec3f(rgb) / 255.0, 1.0);
}

fn lay_over(over: vec4u, under: vec3u) -> vec3u {
    return min(over.rgb + multiply_255(under, 255u - over.a), vec3u(255u));
}

// The reference at a place in the picture; nothing beside it, or without one.
fn reference_at(at: vec2f) -> vec4u {
    let uv = at * composite.reference_from_pixel.xy + composite.reference_from_pixel.zw;
    if (composite.reference_opacity <= 0.0) | any(uv < vec2f(0.0)) | any(uv > vec2f(1.0)) {
        return vec4u(0u);
    }
    let texel = textureSampleLevel(reference, blended, uv, composite.reference_lod);
    return vec4u(round(texel * composite.reference_opacity * 255.0));
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
