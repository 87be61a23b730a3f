//! Records of atlases in JSON, read and written alike.

use serde::{Deserialize, Serialize};

use pchr::format::json::Int32;

use crate::atlas::{Rect, Sprite};

/// A sprite.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameRecord<'a> {
    /// Its name, in a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) filename: Option<std::borrow::Cow<'a, str>>,
    /// Its place on the page, and its upright size.
    pub(super) frame: RectRecord,
    #[serde(default)]
    pub(super) rotated: bool,
    #[serde(default)]
    pub(super) trimmed: bool,
    /// Its place in its source, and the same size again.
    pub(super) sprite_source_size: Option<RectRecord>,
    pub(super) source_size: Option<SizeRecord>,
}

impl<'a> FrameRecord<'a> {
    /// Returns the record of a sprite, with its name if it is in a list.
    pub(super) fn of(sprite: &Sprite, filename: Option<&'a str>) -> Self {
        let Rect { width, height, .. } = sprite.rect;
        let [x, y] = sprite.source_offset();
        Self {
            filename: filename.map(Into::into),
            frame: sprite.rect.into(),
            rotated: sprite.rotated,
            trimmed: sprite.trim.is_some(),
            sprite_source_size: Some(
                Rect {
                    x,
                    y,
                    width,
                    height,
                }
                .into(),
            ),
            source_size: Some(sprite.source_size().into()),
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct RectRecord {
    x: Int32,
    y: Int32,
    w: Int32,
    h: Int32,
}

impl From<Rect> for RectRecord {
    fn from(rect: Rect) -> Self {
        Self {
            x: Int32(rect.x),
            y: Int32(rect.y),
            w: Int32(rect.width),
            h: Int32(rect.height),
        }
    }
}

impl From<RectRecord> for Rect {
    fn from(record: RectRecord) -> Self {
        Self {
            x: record.x.0,
            y: record.y.0,
            width: record.w.0,
            height: record.h.0,
        }
    }
}

/// Width and height.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct SizeRecord {
    pub(super) w: Int32,
    pub(super) h: Int32,
}

impl From<[i32; 2]> for SizeRecord {
    fn from([w, h]: [i32; 2]) -> Self {
        Self {
            w: Int32(w),
            h: Int32(h),
        }
    }
}

impl From<SizeRecord> for [i32; 2] {
    fn from(record: SizeRecord) -> Self {
        [record.w.0, record.h.0]
    }
}
