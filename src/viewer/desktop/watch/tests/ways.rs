//! Ways in which programs and people bring the next version of a file to its place.
//!
//! Each way is done twice, with events and with checks alone: the version that it brings must be shown, and then one that is written
//! there the plain way.

use std::process::Command;

use super::*;
use crate::viewer::desktop::load::tests::{numbered_file, skeleton_file};

/// A way, in a folder with three versions `1.pchr`, `2.pchr` and `3.pchr` of the same length and time: what is opened, the commands
/// before that, and those that bring version 2. `$f` is what is opened, `$1` to `$3` are the versions.
type Way = (&'static str, &'static str, &'static str);

const FILE: &str = "out/hero.pchr";

const OF_FILES: &[Way] = &[
    // Written.
    (FILE, "", "cat $2 > $f"),
    (FILE, "", "(head -c 30 $2; sleep 0.3; tail -c +31 $2) > $f"),
    (FILE, "", ": > $f; sleep 0.3; cat $2 > $f"),
    (FILE, "", "head -c 40 $2 > $f; sleep 0.4; cat $2 > $f"),
    (FILE, "", "echo broken > $f; sleep 1.5; cat $2 > $f"),
    (FILE, "", "cat $2 > $f; touch -d 2001-01-01 $f"),
    (FILE, "", "cat $2 > $f; touch -r $1 $f"), // the same length and time
    (FILE, "ln $f other", "cat $2 > other"),
    // Renamed over it.
    (FILE, "", "cp $2 out/tmp; mv out/tmp $f"),
    (FILE, "", "cp -p $2 out/tmp; mv out/tmp $f"),
    (FILE, "", "cp $2 tmp; mv tmp $f"),
    (
        FILE,
        "",
        "cp $2 out/.hero.x; chmod 600 out/.hero.x; touch -r $1 out/.hero.x; mv out/.hero.x $f",
    ),
    (FILE, "", "cp $2 other; ln -f other $f"),
    (FILE, "cp -p $2 out/next", "mv out/next $f"), // long ready
    // Removed first.
    (FILE, "", "rm $f; cp $2 $f"),
    (FILE, "", "rm $f; sleep 0.5; cp -p $2 $f"),
    (FILE, "", "rm $f; mkdir $f; sleep 0.3; rmdir $f; cp $2 $f"),
    (FILE, "", "mv $f $f~; cp $2 $f"),
    (FILE, "", "cp $f $f~; cat $2 > $f; rm $f~"),
    // It comes later.
    (FILE, "rm $f", "cp -p $2 $f"),
    (FILE, "rm -r out", "mkdir out; cp $2 $f"),
    // Another folder.
    (FILE, "", "rm -r out; mkdir out; cp $2 $f"),
    (FILE, "", "rm -r out; sleep 0.5; mkdir out; sleep 0.5; cp $2 $f"),
    (FILE, "mkdir new; cp -p $2 new/hero.pchr", "mv out out.old; mv new out"),
    (FILE, "mkdir -p new/a; cp -p $2 new/a/hero.pchr", "mv out out.old; mv new/a out"),
    ("up/out/hero.pchr", "mkdir -p new/out; cp -p $2 new/out/hero.pchr", "mv up up.old; mv new up"),
    ("up/out/hero.pchr", "", "rm -r up; mkdir -p up/out; cp $2 $f"),
    (FILE, "mkdir new; cp -p $2 new/hero.pchr", "mv out out.old; ln -s new out"),
    // Another link.
    (FILE, "mv $f a; ln -s ../a $f", "cat $2 > a"),
    (FILE, "mv $f a; cp -p $2 b; ln -s ../a $f", "ln -sf ../b $f"),
    (FILE, "mv $f a; cp -p $2 b; ln -s ../a $f", "ln -s ../b out/tmp; mv -T out/tmp $f"),
    (FILE, "cp -p $2 b", "ln -sf ../b $f"),
    (FILE, "mv out v1; cp -pr v1 v2; cp -p $2 v2/hero.pchr; ln -s v1 out", "ln -sfn v2 out"),
    (
        FILE,
        "mv out v1; cp -pr v1 v2; cp -p $2 v2/hero.pchr; ln -s v1 out",
        "ln -s v2 tmp; mv -T tmp out",
    ),
    (
        FILE,
        "mv out v1; cp -pr v1 v2; cp -p $2 v2/hero.pchr; ln -s v1 now; ln -s now out",
        "ln -sfn v2 now",
    ),
    (
        "up/out/hero.pchr",
        "mv up v1; cp -pr v1 v2; cp -p $2 v2/out/hero.pchr; ln -s v1 up",
        "ln -sfn v2 up",
    ),
    // A config map of Kubernetes.
    (
        FILE,
        "mkdir out/..1; mv $f out/..1; ln -s ..1 out/..data; ln -s ..data/hero.pchr $f",
        "mkdir out/..2; cp $2 out/..2/hero.pchr; ln -s ..2 out/..tmp; mv -T out/..tmp out/..data; rm -r out/..1",
    ),
];

/// Ways of an image in `out/images/a.png`, which the opened file names.
const OF_IMAGES: &[(&str, &str)] = &[
    ("", "cat $2 > $f"),
    ("", "cat $2 > $f; touch -r $1 $f"),
    ("", "cp -p $2 out/tmp; mv out/tmp $f"),
    ("", "rm $f; sleep 0.5; cp -p $2 $f"),
    ("", "mv $f $f.old; sleep 0.5; cp -p $2 $f.old; mv $f.old $f"),
    ("mkdir out/new; cp -p $2 out/new/a.png", "mv out/images out/old; mv out/new out/images"),
    (
        "mv out/images out/v1; mkdir out/v2; cp -p $2 out/v2/a.png; ln -s v1 out/images",
        "ln -sfn v2 out/images",
    ),
    ("cp -pr out new; cp -p $2 new/images/a.png", "mv out old; mv new out"),
];

/// Ways of a skeleton `out/hero.skl.pxd` beside an opened motion.
const OF_SKELETONS: &[(&str, &str)] = &[
    ("", "cat $2 > $f"),
    ("", "rm $f; sleep 0.5; cp -p $2 $f"),
    ("cp -pr out new; cp -p $2 new/hero.skl.pxd", "mv out old; mv new out"),
];

/// Does a way and returns an error unless both versions are shown. `opened` is the file that is opened, `file` the one with versions.
#[expect(clippy::cast_possible_truncation, reason = "small numbers")]
fn check(way: Way, opened: &str, versions: [Vec<u8>; 3], events: bool) {
    let (file, before, after) = way;
    let root = tempfile::tempdir().unwrap();
    let extension = Path::new(file).extension().unwrap().to_str().unwrap();
    let at = |path: &str| root.path().join(path);
    fs::create_dir_all(at(file).parent().unwrap()).unwrap();
    let numbered = |number: usize| format!("{number}.{extension}");
    for (number, version) in (1..).zip(&versions) {
        fs::write(at(&numbered(number)), version).unwrap();
    }
    if extension == "png" {
        fs::write(at(opened), text(1, &["images/a.png"])).unwrap();
    } else if opened != file {
        fs::write(at(opened), numbered_file(2)).unwrap();
    }
    let shell = |script: &str| {
        let [one, two, three] = [1, 2, 3].map(numbered);
        let run = Command::new("sh")
            .args(["-ec", script, "sh", &one, &two, &three])
            .env("f", file)
            .current_dir(root.path())
            .status();
        assert!(run.unwrap().success(), "{script}");
    };
    shell("touch -d 2020-02-02 $1 $2 $3; cp -p $1 $f");
    shell(before);
    let mut reader = Reader::new(&at(opened), events, POLL);
    let shown = move |reader: &Reader| match extension {
        "png" => reader.colors.first().copied().map(u16::from),
        "pxd" => reader.bones.checked_sub(1),
        _ => reader.shown.map(|fps| fps as u16),
    };
    assert!(matches!(shown(&reader), None | Some(1)));
    let way = format!("{file}: {before} | {after}");
    for (version, script) in [(2, after), (3, "cp $3 $f")] {
        shell(script);
        let what = format!("version {version} of {way:?}, events {events},");
        reader.until_it(&what, |reader| shown(reader) == Some(version));
    }
}

#[test]
fn however_a_version_comes_it_is_shown_and_so_is_the_next() {
    let bones = ["a", "b", "c", "d"];
    let of = |kind: &str| match kind {
        "png" => [1, 2, 3].map(png),
        "pxd" => [2, 3, 4].map(|count| skeleton_file(&bones[..count])),
        _ => [1, 2, 3].map(version),
    };
    let files = OF_FILES.iter().map(|way| (*way, way.0));
    let images = OF_IMAGES.iter().map(|way| (("out/images/a.png", way.0, way.1), "out/hero.json"));
    let skeletons = OF_SKELETONS.iter().map(|way| ("out/hero.skl.pxd", way.0, way.1));
    let skeletons = skeletons.map(|way| (way, "out/hero@walk.anm.pxd"));
    let failed = thread::scope(|scope| {
        let ways = files.chain(images).chain(skeletons);
        let both = ways.flat_map(|(way, opened)| [true, false].map(|events| (way, opened, events)));
        let started = both.map(|(way, opened, events)| {
            let versions = of(way.0.rsplit('.').next().unwrap());
            scope.spawn(move || check(way, opened, versions, events))
        });
        let started: Vec<_> = started.collect();
        started.into_iter().filter_map(|way| way.join().err()).count()
    });
    assert_eq!(failed, 0, "see the messages above");
}
