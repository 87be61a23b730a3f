// Put in front of every shader: what a frame and a model hold, and the way from a stored vertex to the screen.
// Spaces: bind and world (pixels, y up), screen (pixels, y down, row 0 on top), clip.

// Mirrors gpu_data::Frame (32 bytes: 8 of padding at the end).
struct Frame {
    screen_from_world_scale: vec2f,
    screen_from_world_offset: vec2f,
    clip_from_screen_scale: vec2f,
    pad: vec2f,
}

// Mirrors gpu_data::Model (16 bytes: 12 of padding at the end).
struct Model {
    moving: u32,                    // 0: no frame is posed, vertices lie as they are stored
    pad_0: u32,
    pad_1: u32,
    pad_2: u32,
}

@group(0) @binding(0) var<uniform> common_frame: Frame;
@group(0) @binding(1) var common_sampler: sampler;
@group(1) @binding(0) var<uniform> common_model: Model;
// Two texels a bone, 1,024 bones a row: the rows of world_from_bind, as pose::Affine has them.
@group(1) @binding(1) var common_palette: texture_2d<f32>;

// One slot of a vertex. A slot whose weight is not positive is not looked at: its palette entry may be anything.
fn common_influence(bind: vec2f, bone: u32, weight: f32) -> vec2f {
    if !(weight > 0.0) {
        return vec2f(0.0);
    }
    let texel = vec2u((bone & 1023u) << 1u, bone >> 10u);
    let x = textureLoad(common_palette, texel, 0);
    let y = textureLoad(common_palette, texel + vec2u(1u, 0u), 0);
    return weight * vec2f(x.x * bind.x + x.y * bind.y + x.z, y.x * bind.x + y.y * bind.y + y.z);
}

// Linear blend skinning; weights are never renormalised. Its CPU twin is pose::skin_point.
fn common_world(bind: vec2f, bone_ids: vec4u, bone_weights: vec4f) -> vec2f {
    if common_model.moving == 0u {
        return bind;
    }
    return common_influence(bind, bone_ids.x, bone_weights.x)
        + common_influence(bind, bone_ids.y, bone_weights.y)
        + common_influence(bind, bone_ids.z, bone_weights.z)
        + common_influence(bind, bone_ids.w, bone_weights.w);
}

// As scene::Camera2d::screen_from_world.
fn common_screen(world: vec2f) -> vec2f {
    return common_frame.screen_from_world_scale * world + common_frame.screen_from_world_offset;
}

fn common_clip(screen: vec2f) -> vec4f {
    return vec4f(screen * common_frame.clip_from_screen_scale + vec2f(-1.0, 1.0), 0.0, 1.0);
}
