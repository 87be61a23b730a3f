use super::super::look::Look;

/// Arbitrary bytes are read, posed, ordered, drawn and picked: nothing panics, and nothing takes memory by a claimed number.
pub fn read_pose_draw(data: &[u8]) {
    if let Ok(document) = pchr_view::format::read(data.to_vec()) {
        Look::plain(&document).at(&document);
    }
}
