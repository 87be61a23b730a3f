// Draws overlays within the texels of an image: the colour of the atlas's nearest texel times the image's alpha.

@group(1) @binding(0) var masked_atlas: texture_2d<f32>;
@group(2) @binding(0) var masked_image: texture_2d<f32>;

// From the vertex to the fragment stage: not in a buffer, so it has no Rust mirror.
struct MaskedFragment {
    @builtin(position) clip: vec4f,
    @location(0) texel: vec2f,
    @location(1) image_uv: vec2f,
}

@vertex
fn vs_masked(
    @location(0) screen: vec2f,
    @location(1) texel: vec2f,
    @location(2) image_uv: vec2f,
) -> MaskedFragment {
    return MaskedFragment(common_clip(screen), texel, image_uv);
}

// The atlas has no sampler, as in overlay.wgsl. Only the largest level of the image is used.
@fragment
fn fs_masked(in: MaskedFragment) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(masked_atlas));
    let texel = clamp(floor(in.texel), vec2f(0.0), size - vec2f(1.0));
    let alpha = textureSampleLevel(masked_image, common_sampler, in.image_uv, 0.0).a;
    return common_target(alpha * textureLoad(masked_atlas, vec2u(texel), 0));
}
