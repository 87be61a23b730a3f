// Draws many figures of one model from one image, each in a palette, a place and a tint of its own.

@group(2) @binding(0) var crowd_image: texture_2d<f32>;

// From the vertex to the fragment stage: not in a buffer, so it has no Rust mirror.
struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) @interpolate(flat, either) tint: vec4f, // factors for a premultiplied colour
}

// Locations 4 to 8 mirror gpu_data::CrowdMember (32 bytes).
@vertex
fn vs_crowd(
    @location(0) bind: vec2f,
    @location(1) uv: vec2f,
    @location(2) bone_ids: vec4u,
    @location(3) bone_weights: vec4f,
    @location(4) x_axis: vec2f,
    @location(5) y_axis: vec2f,
    @location(6) origin: vec2f,
    @location(7) tint: vec4f,
    @location(8) palette: u32,
) -> Fragment {
    let first = vec4u(palette * common_model.palette_len);
    let posed = common_posed(bind, bone_ids + first, bone_weights);
    let world = x_axis * posed.x + (y_axis * posed.y + origin);
    return Fragment(common_clip(common_screen(world)), uv, vec4f(tint.rgb * tint.a, tint.a));
}

@fragment
fn fs_crowd(in: Fragment) -> @location(0) vec4f {
    return common_target(textureSample(crowd_image, common_sampler, in.uv) * in.tint);
}
