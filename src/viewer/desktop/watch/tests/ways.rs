//! Ways in which programs and people bring the next version of a file to its place.
//!
//! Each way is done twice, with events and with checks alone: the version that it brings must be shown, and then one that is written
//! there the plain way.

use std::process::Command;

use super::*;
use crate::viewer::desktop::load::tests::{numbered_file, skeleton_file};

/// Ways, a line each, in a folder with three versions `1.pchr`, `2.pchr` and `3.pchr` of the same length and time: commands before
/// the file is opened, if any, then a bar, and those that bring version 2. `$f` is the file, `$1` to `$3` are the versions.
const OF_FILES: &str = "# Written.
cat $2 > $f
(head -c 30 $2; sleep 0.3; tail -c +31 $2) > $f
: > $f; sleep 0.3; cat $2 > $f
head -c 40 $2 > $f; sleep 0.4; cat $2 > $f
echo broken > $f; sleep 1.5; cat $2 > $f
cat $2 > $f; touch -d 2001-01-01 $f
# The same length and time.
cat $2 > $f; touch -r $1 $f
ln $f other | cat $2 > other
# Renamed over it.
cp $2 out/tmp; mv out/tmp $f
cp -p $2 out/tmp; mv out/tmp $f
cp $2 tmp; mv tmp $f
cp $2 out/.hero.x; chmod 600 out/.hero.x; touch -r $1 out/.hero.x; mv out/.hero.x $f
cp $2 other; ln -f other $f
# Long ready.
cp -p $2 out/next | mv out/next $f
# Removed first.
rm $f; cp $2 $f
rm $f; sleep 0.5; cp -p $2 $f
rm $f; mkdir $f; sleep 0.3; rmdir $f; cp $2 $f
mv $f $f~; cp $2 $f
cp $f $f~; cat $2 > $f; rm $f~
# It comes later.
rm $f | cp -p $2 $f
rm -r out | mkdir out; cp $2 $f
# Another folder.
rm -r out; mkdir out; cp $2 $f
rm -r out; sleep 0.5; mkdir out; sleep 0.5; cp $2 $f
mkdir new; cp -p $2 new/hero.pchr | mv out out.old; mv new out
mkdir -p new/a; cp -p $2 new/a/hero.pchr | mv out out.old; mv new/a out
mkdir new; cp -p $2 new/hero.pchr | mv out out.old; ln -s new out
# Another link.
mv $f a; ln -s ../a $f | cat $2 > a
mv $f a; cp -p $2 b; ln -s ../a $f | ln -sf ../b $f
mv $f a; cp -p $2 b; ln -s ../a $f | ln -s ../b out/tmp; mv -T out/tmp $f
cp -p $2 b | ln -sf ../b $f
mv out v1; cp -pr v1 v2; cp -p $2 v2/hero.pchr; ln -s v1 out | ln -sfn v2 out
mv out v1; cp -pr v1 v2; cp -p $2 v2/hero.pchr; ln -s v1 out | ln -s v2 tmp; mv -T tmp out
mv out v1; cp -pr v1 v2; cp -p $2 v2/hero.pchr; ln -s v1 now; ln -s now out | ln -sfn v2 now
# A config map of Kubernetes.
mkdir out/..1; mv $f out/..1; ln -s ..1 out/..data; ln -s ..data/hero.pchr $f | mkdir out/..2; cp $2 out/..2/hero.pchr; ln -s ..2 out/..tmp; mv -T out/..tmp out/..data; rm -r out/..1";

const OF_DEEPER_FILES: &str = "rm -r up; mkdir -p up/out; cp $2 $f
mkdir -p new/out; cp -p $2 new/out/hero.pchr | mv up up.old; mv new up
mv up v1; cp -pr v1 v2; cp -p $2 v2/out/hero.pchr; ln -s v1 up | ln -sfn v2 up";

/// Ways of an image, which the opened file names.
const OF_IMAGES: &str = "cat $2 > $f
cat $2 > $f; touch -r $1 $f
cp -p $2 out/tmp; mv out/tmp $f
rm $f; sleep 0.5; cp -p $2 $f
mv $f $f.old; sleep 0.5; cp -p $2 $f.old; mv $f.old $f
mkdir out/new; cp -p $2 out/new/a.png | mv out/images out/old; mv out/new out/images
mv out/images out/v1; mkdir out/v2; cp -p $2 out/v2/a.png; ln -s v1 out/images | ln -sfn v2 out/images
cp -pr out new; cp -p $2 new/images/a.png | mv out old; mv new out";

/// Ways of a skeleton beside an opened motion.
const OF_SKELETONS: &str = "cat $2 > $f
rm $f; sleep 0.5; cp -p $2 $f
cp -pr out new; cp -p $2 new/hero.skl.pxd | mv out old; mv new out";

/// What is opened, the file with versions, and its ways.
const KINDS: [[&str; 3]; 4] = [
    ["out/hero.pchr", "out/hero.pchr", OF_FILES],
    ["up/out/hero.pchr", "up/out/hero.pchr", OF_DEEPER_FILES],
    ["out/hero.json", "out/images/a.png", OF_IMAGES],
    ["out/hero@walk.anm.pxd", "out/hero.skl.pxd", OF_SKELETONS],
];

/// Writes the file in one of the ways, and panics unless both versions are shown.
#[expect(clippy::cast_possible_truncation, reason = "small numbers")]
fn check([opened, file]: [&str; 2], way: &str, versions: [Vec<u8>; 3], events: bool) {
    let (before, after) = way.split_once(" | ").unwrap_or(("", way));
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
    for (version, script) in [(2, after), (3, "cp $3 $f")] {
        shell(script);
        let what = format!("version {version} of {file}: {way:?}, events {events},");
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
    let failed = thread::scope(|scope| {
        let mut started = Vec::new();
        for [opened, file, ways] in KINDS {
            for way in ways.lines().filter(|line| !line.starts_with('#')) {
                for events in [true, false] {
                    let versions = of(file.rsplit('.').next().unwrap());
                    started.push(scope.spawn(move || check([opened, file], way, versions, events)));
                }
            }
        }
        started.into_iter().filter_map(|way| way.join().err()).count()
    });
    assert_eq!(failed, 0, "see the messages above");
}
