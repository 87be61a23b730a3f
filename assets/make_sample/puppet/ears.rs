//! The ears, which are behind the head and bend in the middle.

use tiny_skia::Path;

use super::Part;
use super::canvas::Canvas;
use super::mesh::{blend, grid};
use super::palette::{CREAM, EAR_INNER, FOX, FOX_FAR, Rgb, SOCK, SOCK_FAR, SUN};
use super::paper::Paper;
use super::pen::Pen;
use super::rig::Bone;

pub(crate) fn parts() -> Vec<Part> {
    vec![ear_far(), ear_near()]
}

fn ear_near() -> Part {
    let outline = Pen::at(-60.0, 96.0)
        .curve([-78.0, 130.0], [-89.0, 176.0], -80.0, 214.0)
        .curve([-78.0, 223.0], [-68.0, 225.0], -61.0, 218.0)
        .curve([-36.0, 194.0], [-10.0, 164.0], 8.0, 134.0)
        .curve([4.0, 104.0], [-36.0, 88.0], -60.0, 96.0)
        .close();
    let inner = Pen::at(-60.0, 100.0)
        .curve([-70.0, 134.0], [-75.0, 162.0], -71.0, 190.0)
        .curve([-48.0, 172.0], [-26.0, 152.0], -12.0, 128.0)
        .close();
    let fluff = Pen::at(-54.0, 92.0)
        .fur(1.2, &[[-58.0, 152.0], [-50.0, 134.0], [-38.0, 150.0], [-30.0, 131.0], [-18.0, 138.0]])
        .line(0.0, 90.0)
        .close();
    let tip = Pen::at(-120.0, 196.0)
        .fur(
            -1.6,
            &[[-84.0, 176.0], [-74.0, 193.0], [-64.0, 178.0], [-54.0, 196.0], [-44.0, 186.0]],
        )
        .line(-20.0, 250.0)
        .line(-120.0, 250.0)
        .close();
    ear("ear_near", outline, inner, fluff, tip, (FOX, SOCK), [Bone::EarNear, Bone::EarNearTip])
}

fn ear_far() -> Part {
    let outline = Pen::at(46.0, 136.0)
        .curve([60.0, 164.0], [78.0, 192.0], 98.0, 215.0)
        .curve([104.0, 221.0], [113.0, 219.0], 114.0, 210.0)
        .curve([119.0, 172.0], [115.0, 128.0], 100.0, 96.0)
        .curve([80.0, 84.0], [50.0, 104.0], 46.0, 136.0)
        .close();
    let inner = Pen::at(62.0, 130.0)
        .curve([72.0, 152.0], [86.0, 172.0], 103.0, 188.0)
        .curve([107.0, 160.0], [104.0, 130.0], 93.0, 104.0)
        .close();
    let fluff = Pen::at(60.0, 96.0)
        .fur(
            1.2,
            &[
                [66.0, 134.0],
                [74.0, 130.0],
                [82.0, 148.0],
                [88.0, 132.0],
                [98.0, 146.0],
                [102.0, 120.0],
            ],
        )
        .line(104.0, 90.0)
        .close();
    let tip = Pen::at(70.0, 190.0)
        .fur(-1.6, &[[80.0, 182.0], [88.0, 195.0], [97.0, 178.0], [106.0, 192.0], [122.0, 176.0]])
        .line(140.0, 250.0)
        .line(60.0, 250.0)
        .close();
    ear("ear_far", outline, inner, fluff, tip, (FOX_FAR, SOCK_FAR), [Bone::EarFar, Bone::EarFarTip])
}

fn ear(
    name: &str,
    outline: Path,
    inner: Path,
    fluff: Path,
    tip: Path,
    (fur, dark): (Rgb, Rgb),
    bones: [Bone; 2],
) -> Part {
    let mut canvas = Canvas::around(&[&outline]);
    canvas.sheet(&outline, Paper::new(fur));
    canvas.inlay(&inner, Paper { slope: 0.12, ..Paper::thin(EAR_INNER) });
    canvas.stain(&inner, 8.0, SUN, 0.12);
    canvas.inlay(&fluff, Paper::thin(CREAM));
    canvas.inlay(&tip, Paper::thin(dark));
    canvas.rim(&outline, 0.6);
    canvas.cast(0.45);
    let shape = grid(&canvas, 13.0, |[_, y]| blend(bones[0], bones[1], 134.0, 186.0, y));
    Part::new(name.into(), canvas, shape)
}
