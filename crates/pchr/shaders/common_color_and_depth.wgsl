// In front of every shader: the way from a colour to what the target takes, and which pixels leave depth.

// True if the target takes linear colours.
override common_linear: bool = false;
// True if the target writes depth.
override common_depth: bool = false;

fn common_decoded(encoded: vec3f) -> vec3f {
    let straight = encoded / 12.92;
    let curved = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(curved, straight, encoded <= vec3f(0.04045));
}

// A premultiplied, sRGB-encoded colour in the encoding that the target takes. One that changes nothing leaves no depth, as it would hide
// what is drawn behind it later.
fn common_target(color: vec4f) -> vec4f {
    if common_depth && all(color == vec4f(0.0)) {
        discard;
    }
    if !common_linear || color.a <= 0.0 {
        return color;
    }
    let straight = clamp(color.rgb / color.a, vec3f(0.0), vec3f(1.0));
    return vec4f(common_decoded(straight) * color.a, color.a);
}
