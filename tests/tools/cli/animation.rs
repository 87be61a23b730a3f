//! Tests of animations: their frames are the pictures of captures.

use std::io::Cursor;

use crate::desk::{Desk, succeeded};

/// A decoded frame: its pixels, and its time as a fraction of a second.
type AnimationFrame = (Vec<u8>, [u16; 2]);

/// Decodes an APNG file: number of times that it plays, and its frames, laid over one another.
fn decoded(file: &[u8]) -> (u32, Vec<AnimationFrame>) {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let control = *reader.info().animation_control().unwrap();
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let mut canvas = vec![0; width * height * 4];
    let frames = (0..control.num_frames).map(|_| {
        let mut part = vec![0; canvas.len()];
        reader.next_frame(&mut part).unwrap();
        let frame = *reader.info().frame_control().unwrap();
        let row = frame.width as usize * 4;
        for y in 0..frame.height as usize {
            let at = ((frame.y_offset as usize + y) * width + frame.x_offset as usize) * 4;
            canvas[at..at + row].copy_from_slice(&part[y * row..][..row]);
        }
        (canvas.clone(), [frame.delay_num, frame.delay_den])
    });
    (control.num_plays, frames.collect())
}

const OPTIONS: [&str; 5] = ["sample.pchr", "-s", "96x80", "--renderer", "cpu"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("sample.pchr", include_bytes!("../../../assets/sample.pchr"));
    desk
}

fn capture(desk: &Desk, more: &[&str]) {
    succeeded(&desk.run(&[&["capture"], &OPTIONS[..], more].concat()));
}

#[test]
fn frames_of_an_animation_are_the_pictures_of_captures() {
    let desk = desk();
    let walk = ["-a", "walk", "--background", "#20406080", "--overlay", "bones"];
    capture(&desk, &[&walk[..], &["-o", "walk.apng", "--loops", "3", "--jobs", "4"]].concat());
    capture(&desk, &[&walk[..], &["-f", "all", "-o", "f/{frame:04}.png"]].concat());
    let (plays, frames) = decoded(&desk.bytes("walk.apng"));
    let pictures = desk.files("f");
    assert_eq!((plays, frames.len()), (3, pictures.len()));
    for ((pixels, delay), picture) in frames.iter().zip(pictures.keys()) {
        let picture = desk.picture(&format!("f/{picture}"));
        let wanted = picture.pixels.as_flattened();
        assert_eq!((pixels.as_slice(), delay), (wanted, &[1, 30]));
    }
}

/// A second of a loop at N pictures a second has N pictures, each as `--time` shows it.
#[test]
fn a_rate_takes_pictures_at_even_times() {
    let desk = desk();
    capture(&desk, &["-a", "idle", "--smooth", "--fps", "10", "-o", "idle.apng"]);
    let (plays, frames) = decoded(&desk.bytes("idle.apng"));
    assert_eq!((plays, frames.len()), (0, 28)); // 84 frames at 30 a second
    for (number, (pixels, delay)) in frames.iter().enumerate().step_by(7) {
        let time = format!("--time={}", number as f64 / 10.0);
        capture(&desk, &["-a", "idle", "--smooth", &time, "-o", "one.png"]);
        let picture = desk.picture("one.png");
        let wanted = picture.pixels.as_flattened();
        assert_eq!((pixels.as_slice(), delay), (wanted, &[1, 10]), "{time}");
    }
}

#[test]
fn the_report_lists_files_with_their_frames_times_and_sizes() {
    let desk = desk();
    let more = ["-a", "all", "--fps", "10", "-o", "{animation}.apng", "--json"];
    let output = desk.run(&[&["capture"], &OPTIONS[..], &more].concat());
    succeeded(&output);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = report["animations"].as_array().unwrap();
    assert_eq!(files.len(), 5);
    for file in files {
        let bytes = desk.bytes(file["path"].as_str().unwrap());
        let (_, frames) = decoded(&bytes);
        assert_eq!(file["bytes"], bytes.len());
        assert_eq!(file["frames"], frames.len());
        assert_eq!(file["seconds"], frames.len() as f64 / 10.0);
    }
}
