//! Small fonts as bytes: TrueType and CFF, whose glyphs use each other.
#![allow(clippy::unwrap_used, reason = "the numbers are small")]

/// Characters that glyphs 1, 2, … of these fonts draw.
pub(crate) const CHARACTERS: [char; 4] = ['H', 'é', '骨', 'ذ'];

/// A font of tables, with glyphs 1 to 4 for [`CHARACTERS`].
fn font(version: &[u8; 4], glyphs: u16, own: Vec<([u8; 4], Vec<u8>)>) -> Vec<u8> {
    let mut head = vec![0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x5f, 0x0f, 0x3c, 0xf5, 0, 0];
    head.extend(1000_u16.to_be_bytes());
    head.resize(54, 0);
    let mut hhea = vec![0, 1, 0, 0, 3, 32, 255, 56, 0, 0, 2, 188];
    hhea.resize(34, 0);
    hhea.extend(1_u16.to_be_bytes());
    let mut maxp = if version == b"OTTO" { vec![0, 0, 0x50, 0] } else { vec![0, 1, 0, 0] };
    maxp.extend(glyphs.to_be_bytes());
    if version != b"OTTO" {
        maxp.resize(32, 0);
    }
    let mut hmtx = 700_u16.to_be_bytes().to_vec();
    hmtx.resize(2 + 2 * usize::from(glyphs), 0);
    let mut cmap = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0];
    let groups = u32::try_from(CHARACTERS.len()).unwrap();
    for number in [16 + 12 * groups, 0, groups] {
        cmap.extend(number.to_be_bytes());
    }
    let mut mapped: Vec<(char, u32)> = CHARACTERS.into_iter().zip(1..).collect();
    mapped.sort_unstable();
    for (character, glyph) in mapped {
        for number in [character.into(), character.into(), glyph] {
            cmap.extend(u32::to_be_bytes(number));
        }
    }
    let mut tables = vec![
        (*b"cmap", cmap),
        (*b"head", head),
        (*b"hhea", hhea),
        (*b"hmtx", hmtx),
        (*b"maxp", maxp),
    ];
    tables.extend(own);
    tables.sort();
    let mut bytes = version.to_vec();
    bytes.extend(u16::try_from(tables.len()).unwrap().to_be_bytes());
    bytes.resize(12, 0);
    let mut offset = 12 + 16 * tables.len();
    for (tag, table) in &tables {
        bytes.extend(tag);
        for number in [0, offset, table.len()] {
            bytes.extend(u32::try_from(number).unwrap().to_be_bytes());
        }
        offset += table.len().next_multiple_of(4);
    }
    for (_, table) in tables {
        bytes.extend(table);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// A TrueType font. Glyph 5 is a square, and each after it draws the one before twice; glyphs 1 to 4 draw those that are given.
pub(crate) fn composites(levels: u16, drawn: [u16; 4]) -> Vec<u8> {
    let composite = |parts: &[u16]| {
        let mut glyph = vec![255, 255, 0, 0, 0, 0, 2, 188, 2, 188];
        for (index, part) in parts.iter().enumerate() {
            // Offsets are two bytes: x and y.
            let more = if index + 1 < parts.len() { 0x20 } else { 0 };
            glyph.extend([0, more | 2]);
            glyph.extend(part.to_be_bytes());
            glyph.extend([0, 0]);
        }
        glyph
    };
    let mut square = vec![0, 1, 0, 0, 0, 0, 2, 188, 2, 188, 0, 3, 0, 0, 1, 1, 1, 1];
    for delta in [0, 700, 0, -700, 0, 0, 700, 0] {
        square.extend(i16::to_be_bytes(delta));
    }
    let mut glyphs = vec![Vec::new()];
    glyphs.extend(drawn.map(|glyph| composite(&[glyph])));
    glyphs.push(square);
    for level in 0..levels {
        glyphs.push(composite(&[5 + level; 2]));
    }
    let (mut glyf, mut loca) = (Vec::new(), Vec::new());
    for glyph in &glyphs {
        loca.extend(u16::try_from(glyf.len() / 2).unwrap().to_be_bytes());
        glyf.extend(glyph);
        glyf.resize(glyf.len().next_multiple_of(2), 0);
    }
    loca.extend(u16::try_from(glyf.len() / 2).unwrap().to_be_bytes());
    let count = u16::try_from(glyphs.len()).unwrap();
    font(&[0, 1, 0, 0], count, vec![(*b"glyf", glyf), (*b"loca", loca)])
}

fn index(items: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = u16::try_from(items.len()).unwrap().to_be_bytes().to_vec();
    if items.is_empty() {
        return bytes;
    }
    bytes.push(2);
    let mut end = 1_u16;
    bytes.extend(end.to_be_bytes());
    for item in items {
        end += u16::try_from(item.len()).unwrap();
        bytes.extend(end.to_be_bytes());
    }
    bytes.extend(items.concat());
    bytes
}

/// A number of a dictionary, in five bytes.
fn number(value: usize) -> Vec<u8> {
    [&[29], &u32::try_from(value).unwrap().to_be_bytes()[..]].concat()
}

/// A CFF font. Local subroutine 0 draws a square, and each after it calls the one before `calls` times; glyphs 1 to 4 call those
/// that are given.
pub(crate) fn subroutines(levels: u8, calls: usize, drawn: [u8; 4]) -> Vec<u8> {
    // Numbers of subroutines are stored less 107, and numbers plus 139.
    let call = |subroutine: u8| [subroutine + 32, 10];
    // 700 up, right and down, which a line to the start closes.
    let mut square = vec![139, 4, 28, 2, 188, 7, 28, 2, 188, 6, 28, 253, 68, 7];
    square.extend([28, 253, 68, 6, 11]);
    let mut local = vec![square];
    for level in 0..levels {
        let mut program = call(level).repeat(calls);
        program.push(11);
        local.push(program);
    }
    let mut glyphs = vec![vec![14]];
    glyphs.extend(drawn.map(|subroutine| [&call(subroutine)[..], &[14]].concat()));
    let names = index(&[b"a".to_vec()]);
    let private = [number(6), vec![19]].concat();
    let charstrings = index(&glyphs);
    let top = |charstrings: usize, private_at: usize| {
        let private = [number(private.len()), number(private_at), vec![18]].concat();
        index(&[[number(charstrings), vec![17], private].concat()])
    };
    let start = 4 + names.len() + top(0, 0).len() + 2 * index(&[]).len();
    let private_at = start + charstrings.len();
    let cff = [
        vec![1, 0, 4, 2],
        names,
        top(start, private_at),
        index(&[]),
        index(&[]),
        charstrings,
        private,
        index(&local),
    ];
    font(b"OTTO", u16::try_from(glyphs.len()).unwrap(), vec![(*b"CFF ", cff.concat())])
}
