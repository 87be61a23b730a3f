// Draws whole pictures: a ghost's layer in its tint, and all layers together. Each texel is a pixel.

// Mirrors gpu_data::GpuGhost (32 bytes: 12 of padding at the end).
struct Ghost {
    color: vec3u,       // RGB, 0 to 255
    share: u32, // of the colour in the layer's colour, in 1/255
    opacity: u32,       // of the layer, in 1/255
    pad_0: u32,
    pad_1: u32,
    pad_2: u32,
}

@group(1) @binding(0) var<uniform> ghost_tint: Ghost;
@group(2) @binding(0) var ghost_layer: texture_2d<f32>;

// One triangle that covers the whole picture.
@vertex
fn vs_ghost(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    let x = f32((corner << 1u) & 2u);
    let y = f32(corner & 2u);
    return vec4f(2.0 * x - 1.0, 1.0 - 2.0 * y, 0.0, 1.0);
}

fn ghost_texel(at: vec4f) -> vec4f {
    return textureLoad(ghost_layer, vec2u(at.xy), 0);
}

// Equals image::multiply_255.
fn ghost_multiply(a: vec3u, b: u32) -> vec3u {
    let product = a * b + 128u;
    return (product + (product >> vec3u(8u))) >> vec3u(8u);
}

// Equals image::Tint::apply.
@fragment
fn fs_tinted(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let layer = vec4u(round(255.0 * ghost_texel(at)));
    let own = ghost_multiply(layer.rgb, 255u - ghost_tint.share);
    let added = ghost_multiply(ghost_multiply(ghost_tint.color, layer.a), ghost_tint.share);
    let mixed = min(own + added, vec3u(layer.a));
    let faded = vec4u(ghost_multiply(mixed, ghost_tint.opacity), ghost_multiply(vec3u(layer.a), ghost_tint.opacity).x);
    return vec4f(faded) / 255.0;
}

@fragment
fn fs_plain(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return ghost_texel(at);
}
