//! Tests of `compare` with folders of pictures, matched by path.

use super::{NOTE, compare, differ, fails, folders, grey, pass, printed, put};
use crate::desk::said;

#[test]
fn folders_are_compared_by_path() {
    let desk = folders();
    let (text, why) = differ(&desk, &["old", "new"]);
    let heads: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        heads,
        [
            "old/flat.png is 10x10, new/flat.png 10x5",
            "walk/1.png: within the tolerance: 1 of 100 pixels (1.0%) differs, none by more than 2",
            "walk/10.PNG: 1 of 100 pixels (1.0%) differs by more than 2",
            "only in old: gone.png",
            "only in new: walk/run/come.png",
            "4 pairs: 1 the same, 1 within the tolerance, 2 differ, 1 only in old, 1 only in new",
        ]
    );
    assert_eq!(
        why,
        "2 of 4 pairs differ, 2 pictures are missing from the other folder"
    );
    let (all, _) = differ(&desk, &["old", "new", "-v"]);
    assert!(all.contains("walk/0.png: the same\n"), "{all}");
    let (failing, _) = differ(&desk, &["old", "new", "-q"]);
    let heads = failing.lines().filter(|line| !line.starts_with(' '));
    assert_eq!(heads.count(), 4, "{failing}");
    // The number of threads does not change the result.
    let args = ["compare", "old", "new"];
    let alone = desk
        .program()
        .args(args)
        .env("RAYON_NUM_THREADS", "1")
        .output();
    assert_eq!(printed(&alone.unwrap()), text);
}

#[test]
fn folders_with_the_same_pictures_are_only_counted() {
    let desk = folders();
    assert_eq!(pass(&desk, &["old", "old"]), "5 pairs: 5 the same\n");
    std::fs::remove_file(desk.path("new/flat.png")).unwrap();
    let (text, why) = differ(&desk, &["old/walk", "new", "--json"]);
    assert!(text.contains("\"passed\": false"));
    assert_eq!(why, "7 pictures are missing from the other folder");
}

#[test]
fn of_folders_the_pictures_of_what_differs_are_written() {
    let desk = folders();
    differ(&desk, &["old", "new", "--diff", "diff"]);
    let written: Vec<String> = desk.files("diff").into_keys().collect();
    assert_eq!(written, ["flat.png", "walk/1.png", "walk/10.PNG"]);
}

#[cfg(unix)]
#[test]
fn what_in_folders_is_not_compared_is_told() {
    use std::os::unix::fs::symlink;

    let desk = folders();
    symlink("..", desk.path("old/walk/loop")).unwrap();
    for name in ["a.jpg", "b.txt", "c.txt", "d.txt", "e.txt"] {
        desk.put_bytes(&format!("new/{name}"), b"");
    }
    // Entries with names of pictures that are no pictures: a broken link, and a pipe that nobody writes to.
    symlink("nowhere", desk.path("new/walk/0.png")).unwrap_err();
    std::fs::remove_file(desk.path("new/walk/0.png")).unwrap();
    symlink("nowhere", desk.path("new/walk/0.png")).unwrap();
    std::fs::remove_file(desk.path("new/walk/1.png")).unwrap();
    desk.put_pipe("new/walk/1.png");
    put(&desk, "new/Gone.png", &grey());
    let output = compare(&desk, &["old", "new"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<&str> = said(&output).lines().collect();
    let wanted = [
        NOTE,
        "note: old: 1 link to a folder that contains it is not followed (walk/loop)",
        "note: new: 5 files without the extension .png are not compared (a.jpg, b.txt, c.txt, …)",
        "error: cannot read new/walk/0.png: ",
        "error: cannot read new/walk/1.png: is not a regular file",
        "error: 2 of 4 pairs could not be compared, 2 of 4 pairs differ, 3 pictures are missing from the other folder",
    ];
    assert_eq!(lines.len(), wanted.len(), "{lines:?}");
    assert!(
        lines
            .iter()
            .zip(wanted)
            .all(|(line, start)| line.starts_with(start)),
        "{lines:?}"
    );
    let alone =
        "only in old: gone.png (the other folder has Gone.png, whose case or accents differ)\n";
    assert!(printed(&output).contains(alone), "{}", printed(&output));
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_followed_and_a_broken_one_is_an_error() {
    use std::os::unix::fs::symlink;

    let desk = folders();
    std::fs::create_dir(desk.path("more")).unwrap();
    put(&desk, "more/a.png", &grey());
    for folder in ["old", "new"] {
        symlink("../more", desk.path(folder).join("linked")).unwrap();
    }
    let (text, _) = differ(&desk, &["old", "new", "-v"]);
    assert!(text.contains("linked/a.png: the same\n"), "{text}");
    for target in ["/nope", "linked"] {
        std::fs::remove_file(desk.path("new/linked")).unwrap();
        symlink(target, desk.path("new/linked")).unwrap();
        let why = "cannot read new/linked: is a broken link";
        fails(&desk, &["old", "new"], 1, why);
    }
}
