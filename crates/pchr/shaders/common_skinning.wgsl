// In front of every shader: the data of a frame and a model, and the path from a stored vertex to the screen.
// Spaces: bind, model and world (pixels, y up), screen (pixels, y down, row 0 on top), clip.

// Mirrors gpu_data::GpuFrame (80 bytes).
struct Frame {
    clip_from_screen: mat4x4f,
    screen_from_world_scale: vec2f,
    screen_from_world_offset: vec2f,
}

// Mirrors gpu_data::Model (48 bytes: 8 of padding at the end).
struct Model {
    world_from_model_x: vec4f,      // rows of the instance's placement; the fourth number is 0
    world_from_model_y: vec4f,
    moving: u32, // 0: no frame is posed, so vertices keep their stored positions
    palette_len: u32, // matrices of a palette, where there are several
    pad_0: u32,
    pad_1: u32,
}

@group(0) @binding(0) var<uniform> common_frame: Frame;
@group(0) @binding(1) var common_sampler: sampler;
@group(1) @binding(0) var<uniform> common_model: Model;
// Two texels per bone, 1,024 bones per row: the rows of world_from_bind, as pose::Affine has them.
@group(1) @binding(1) var common_palette: texture_2d<f32>;

// One slot of a vertex. A slot without positive weight is not read, since its palette entry may be anything.
fn common_influence(bind: vec2f, bone: u32, weight: f32) -> vec2f {
    if !(weight > 0.0) {
        return vec2f(0.0);
    }
    let texel = vec2u((bone & 1023u) << 1u, bone >> 10u);
    let x = textureLoad(common_palette, texel, 0);
    let y = textureLoad(common_palette, texel + vec2u(1u, 0u), 0);
    return weight * vec2f(x.x * bind.x + x.y * bind.y + x.z, y.x * bind.x + y.y * bind.y + y.z);
}

// Linear blend skinning; weights are never renormalised. The CPU counterpart is pose::skin_point. README.md says why there is no branch.
fn common_posed(bind: vec2f, bone_ids: vec4u, bone_weights: vec4f) -> vec2f {
    let moving = common_model.moving != 0u;
    let weights = select(vec4f(0.0), bone_weights, moving); // nothing is read for a vertex that stays
    let posed = common_influence(bind, bone_ids.x, weights.x)
        + common_influence(bind, bone_ids.y, weights.y)
        + common_influence(bind, bone_ids.z, weights.z)
        + common_influence(bind, bone_ids.w, weights.w);
    return select(bind, posed, moving);
}

// World position of the posed vertex of the instance. An identity placement changes no bit.
fn common_world(bind: vec2f, bone_ids: vec4u, bone_weights: vec4f) -> vec2f {
    let posed = common_posed(bind, bone_ids, bone_weights);
    let x = common_model.world_from_model_x;
    let y = common_model.world_from_model_y;
    return vec2f(x.x * posed.x + (x.y * posed.y + x.z), y.x * posed.x + (y.y * posed.y + y.z));
}

// Equals scene::Camera2d::screen_from_world.
fn common_screen(world: vec2f) -> vec2f {
    return common_frame.screen_from_world_scale * world + common_frame.screen_from_world_offset;
}

// The product is written out: with an upright matrix, each number is one product and one sum, even if the compiler fuses them.
fn common_clip(screen: vec2f) -> vec4f {
    let clip = common_frame.clip_from_screen;
    return clip[0] * screen.x + (clip[1] * screen.y + clip[3]);
}
