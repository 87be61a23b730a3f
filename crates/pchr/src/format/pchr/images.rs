//! `imageCount`, `images`.

use super::section::{At, Ended, elements, name, offset};
use crate::bytes::{Reader, WriteError, Writer};
use crate::document::{ImageEntry, ImageParts};

/// Name length, width, height, format, data length.
const MIN_SIZE: usize = 2 + 2 + 2 + 1 + 4;

pub(super) fn read(reader: &mut Reader<'_>, out: &mut Vec<ImageEntry>) -> Result<(), Ended> {
    elements(reader, out, "imageCount", MIN_SIZE, |reader, i| {
        let name = name(reader).at(|| format!("images[{i}].name"))?;
        let width = reader.u16().at(|| format!("images[{i}].width"))?;
        let height = reader.u16().at(|| format!("images[{i}].height"))?;
        let format = reader.u8().at(|| format!("images[{i}].format"))?;
        let data_len = reader.u32().at(|| format!("images[{i}].dataLength"))?;
        let data_at = offset(reader);
        reader
            .skip(data_len as usize, 1)
            .at(|| format!("images[{i}].data"))?;
        Ok(ImageEntry {
            name,
            width,
            height,
            format,
            data_at,
            data_len,
        })
    })
}

pub(super) fn write(writer: &mut Writer, images: &[ImageParts]) -> Result<(), WriteError> {
    writer.count16(images.len(), || "images".into())?;
    for (i, image) in images.iter().enumerate() {
        writer.string(&image.name, || format!("images[{i}].name"))?;
        writer.u16(image.width);
        writer.u16(image.height);
        writer.u8(image.format.number());
        writer.count32(image.data.len(), || format!("images[{i}].data"))?;
        writer.bytes(&image.data);
    }
    Ok(())
}
