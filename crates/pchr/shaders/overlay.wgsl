// Draws overlays: triangles in screen pixels, coloured by the nearest texel of one atlas.

@group(2) @binding(0) var overlay_atlas: texture_2d<f32>;

// From the vertex to the fragment stage: not in a buffer, so it has no Rust mirror.
struct OverlayFragment {
    @builtin(position) clip: vec4f,
    @location(0) texel: vec2f,
}

@vertex
fn vs_overlay(@location(0) screen: vec2f, @location(1) texel: vec2f) -> OverlayFragment {
    return OverlayFragment(common_clip(screen), texel);
}

// No sampler, so that the nearest texel does not depend on the adapter's fixed-point arithmetic.
@fragment
fn fs_overlay(in: OverlayFragment) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(overlay_atlas));
    let texel = clamp(floor(in.texel), vec2f(0.0), size - vec2f(1.0));
    return common_target(textureLoad(overlay_atlas, vec2u(texel), 0));
}
