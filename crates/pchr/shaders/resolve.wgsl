// Averages the four samples of each pixel.

@group(2) @binding(0) var resolve_samples: texture_multisampled_2d<f32>;

// One triangle that covers the whole picture.
@vertex
fn vs_resolve(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    let x = f32((corner << 1u) & 2u);
    let y = f32(corner & 2u);
    return vec4f(2.0 * x - 1.0, 1.0 - 2.0 * y, 0.0, 1.0);
}

@fragment
fn fs_resolve(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2u(position.xy);
    var sum = vec4f(0.0);
    for (var sample = 0; sample < 4; sample++) {
        sum += textureLoad(resolve_samples, at, sample);
    }
    return sum / 4.0;
}
