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
    other_from: u32,   // column from which the other picture is shown
    other_shift: u32,  // column at which that begins
    difference: u32,   // 1 to show the differences
}

// False if there is neither a reference nor another picture: then nothing is computed for them.
override composite_compares: bool = true;

@group(0) @binding(0) var<uniform> composite: Composite;
@group(0) @binding(1) var picture: texture_2d<f32>;   // premultiplied
@group(0) @binding(2) var behind: texture_2d<f32>;    // opaque, as large as the picture; else 1 x 1 and not used

@group(0) @binding(3) var reference: texture_2d<f32>; // premultiplied
@group(0) @binding(4) var blended: sampler;
@group(0) @binding(5) var other: texture_2d<f32>;     // premultiplied, as large as the picture; the picture again without another

// One triangle over the whole viewport.
@vertex
fn vs_composite(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_composite(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let place = vec2u(position.xy) - composite.origin;
    if !composite_compares {
        return color(lay_over(whole(textureLoad(picture, place, 0)), below(place)));
    }
    let is_other = place.x >= composite.other_from;
    let at = place - vec2u(select(0u, composite.other_shift, is_other), 0u);
    let first = whole(textureLoad(picture, at, 0));
    let second = whole(textureLoad(other, at, 0));
    let compared_with = select(first, second, vec4<bool>(is_other));
    let over = select(compared_with, difference(first, second), vec4<bool>(composite.difference == 1u));
    var under = below(at);
    let compared = reference_at(vec2f(at) + 0.5);
    // No branch depends on uniforms alone: see shaders/README.md.
    under = select(under, lay_over(compared, under), composite.reference_above == 0u);
    let both = lay_over(over, under);
    return color(select(both, lay_over(compared, both), composite.reference_above == 1u));
}

fn whole(texel: vec4f) -> vec4u {
    return vec4u(round(texel * 255.0));
}

fn color(rgb: vec3u) -> vec4f {
    return vec4f(vec3f(rgb) / 255.0, 1.0);
}

// The background picture, or the checkerboard.
fn below(at: vec2u) -> vec3u {
    if all(textureDimensions(behind) == textureDimensions(picture)) {
        return whole(textureLoad(behind, at, 0)).rgb;
    }
    return checker(at);
}

fn lay_over(over: vec4u, under: vec3u) -> vec3u {
    return min(over.rgb + multiply_255(under, 255u - over.a), vec3u(255u));
}

// compare::Pair::picture: the first picture in dim grey, and over it what differs, from blue (rounding) by orange to nearly white.
fn difference(first: vec4u, second: vec4u) -> vec4u {
    var steps = array(
        vec3u(232u, 96u, 20u), vec3u(240u, 116u, 18u), vec3u(247u, 136u, 20u), vec3u(252u, 156u, 28u), vec3u(255u, 176u, 44u),
        vec3u(255u, 196u, 68u), vec3u(255u, 215u, 100u), vec3u(255u, 233u, 150u), vec3u(255u, 250u, 210u),
    );
    let channels = max(first, second) - min(first, second);
    let most = max(max(channels.r, channels.g), max(channels.b, channels.a));
    // Upper ends of the steps are 1, 2, 4, .., 128 and 255.
    let step = min(firstLeadingBit(max(2u * most - 1u, 1u)), 8u);
    let luma = (54u * first.r + 183u * first.g + 19u * first.b) >> 8u;
    let grey = 20u + (first.a * 16u + luma * 48u) / 255u;
    let tolerated = select(vec3u(64u, 144u, 255u), steps[step], most > 2u);
    return vec4u(select(vec3u(grey), tolerated, most > 0u), 255u);
}

// The reference at a place in the picture; nothing beside it, or without one.
fn reference_at(at: vec2f) -> vec4u {
    let uv = at * composite.reference_from_pixel.xy + composite.reference_from_pixel.zw;
    if (composite.reference_opacity <= 0.0) | any(uv < vec2f(0.0)) | any(uv > vec2f(1.0)) {
        return vec4u(0u);
    }
    let texel = textureSampleLevel(reference, blended, uv, composite.reference_lod);
    return whole(texel * composite.reference_opacity);
}

fn checker(at: vec2u) -> vec3u {
    // In whole numbers, software drivers would divide pixel by pixel. Halves keep it exact.
    let square = vec2u((vec2f(at) + 0.5) / f32(composite.cell));
    let rgb = select(composite.odd, composite.even, (square.x + square.y) % 2u == 0u);
    return (vec3u(rgb) >> vec3u(16u, 8u, 0u)) & vec3u(255u);
}

// image::multiply_255: a * b / 255, rounded.
fn multiply_255(a: vec3u, b: u32) -> vec3u {
    let product = a * b + 128u;
    return (product + (product >> vec3u(8u))) >> vec3u(8u);
}
