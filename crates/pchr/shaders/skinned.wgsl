// Draws skinned meshes from one image. Texels and arithmetic are sRGB-encoded, alpha is premultiplied.

@group(2) @binding(0) var skinned_image: texture_2d<f32>;

// From the vertex to the fragment stage: not in a buffer, so it has no Rust mirror.
struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) @interpolate(flat, either) tint: vec4f, // factors for a premultiplied colour
}

@vertex
fn vs_skinned(
    @location(0) bind: vec2f,
    @location(1) uv: vec2f,
    @location(2) bone_ids: vec4u,
    @location(3) bone_weights: vec4f,
    @location(4) tint: vec4f,
) -> Fragment {
    let clip = common_clip(common_screen(common_world(bind, bone_ids, bone_weights)));
    return Fragment(clip, uv, vec4f(tint.rgb * tint.a, tint.a));
}

@fragment
fn fs_skinned(in: Fragment) -> @location(0) vec4f {
    return common_target(textureSample(skinned_image, common_sampler, in.uv) * in.tint);
}
