use super::super::look::Look;

/// Reads, poses, orders, draws and picks arbitrary bytes. Nothing may panic or reserve memory for a claimed count.
pub fn read_pose_draw(data: &[u8]) {
    if let Ok(document) = pchr::format::read(data.to_vec()) {
        Look::plain(&document).at(&document);
    }
}
