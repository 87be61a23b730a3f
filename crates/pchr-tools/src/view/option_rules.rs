//! Rules of the options of [`Shown`]: their forms, what replaces what, and their words on a command line.

use std::sync::LazyLock;

use clap::{Arg, ArgAction, Args, Command};
use serde_json::{Map, Value};

use super::option_table::{MARKS, Mark, PLAYING_MARKS, Playing, Shown};
use super::settings::{Form, Setting, Settings};

/// Returns the grammar of options alone, without a program and its help.
pub(crate) fn grammar<T: Args>() -> Command {
    let empty = Command::new("").no_binary_name(true);
    let mut grammar = T::augment_args(empty.disable_help_flag(true));
    grammar.build();
    grammar
}

/// Form of an option's values.
pub(crate) fn form(arg: &Arg) -> Form {
    match arg.get_action() {
        ArgAction::SetTrue => Form::Switch,
        _ if arg.get_num_args().is_some_and(|values| values.min_values() == 0) => Form::Switch,
        ArgAction::Append => Form::Several,
        _ if marks(arg.get_long()).contains(&Mark::Parts) => Form::Parts,
        _ => Form::One,
    }
}

/// Returns the schema of an option's values, with its help.
pub(crate) fn schema(option: &Arg) -> Map<String, Value> {
    let mut schema = form(option).schema();
    let help = option.get_help().map(ToString::to_string);
    schema.insert("description".to_owned(), help.unwrap_or_default().into());
    schema
}

/// Marks of an option of [`Shown`]; none for others.
fn marks(name: Option<&str>) -> &'static [Mark] {
    let mut rows = MARKS.iter().chain(PLAYING_MARKS);
    rows.find(|(known, _)| Some(*known) == name).map_or(&[], |(_, marks)| marks)
}

/// Hides an option that means nothing in a window from its help.
pub(crate) fn hide_of_captures(arg: Arg) -> Arg {
    let hidden = marks(arg.get_long()).contains(&Mark::Capture);
    arg.hide(hidden)
}

/// Names of the options that determine the camera.
pub(crate) fn of_camera() -> impl Iterator<Item = &'static str> {
    MARKS.iter().filter(|(_, marks)| marks.contains(&Mark::Camera)).map(|(name, _)| *name)
}

/// Returns the options as words of a command line, in the order of the help and with its short names; options of other tables first.
pub(crate) fn words(settings: &Settings) -> Vec<String> {
    let mut words = Vec::new();
    let known = MARKS.iter().map(|(name, _)| *name);
    let others = settings.names().filter(|name| MARKS.iter().all(|(known, _)| known != name));
    for name in others.chain(known) {
        let mut value = |text: &String| match short(name) {
            _ if text.starts_with('-') || text.is_empty() => words.push(format!("--{name}={text}")),
            Some(letter) => words.extend([format!("-{letter}"), text.clone()]),
            None => words.extend([format!("--{name}"), text.clone()]),
        };
        match settings.get(name) {
            None => {}
            Some(Setting::Switch(true)) => words.push(format!("--{name}")),
            Some(Setting::Switch(false)) => words.push(format!("--{name}=false")),
            Some(Setting::One(text)) => value(text),
            Some(Setting::Several(texts)) => texts.iter().for_each(value),
        }
    }
    words
}

/// Options that mean nothing without a cross-fade.
const OF_MIX: [&str; 3] = ["mix-frame", "mix-time", "mix-sync"];

/// Returns the pairs of options that cannot be combined.
pub(crate) fn either(grammar: &Command) -> impl Iterator<Item = [&str; 2]> {
    grammar.get_arguments().flat_map(|option| {
        let others = grammar.get_arg_conflicts_with(option).into_iter();
        others.filter_map(|other| Some([option.get_long()?, other.get_long()?]))
    })
}

/// Returns options, replaced by those in `over`; each of these also replaces those that cannot be combined with it.
pub(crate) fn merged(settings: &Settings, over: &Settings, grammar: &Command) -> Settings {
    let mut all = settings.clone();
    let replaced = either(grammar).filter(|pair| pair.iter().any(|option| over.has(option)));
    replaced.flatten().for_each(|option| all.remove(option));
    if over.has("animation") {
        OF_MIX.iter().for_each(|option| all.remove(option));
    }
    all.extend(over);
    all
}

/// Options that replace the whole camera of a session, each with the options of the session that it removes.
const OF_WHOLE_CAMERA: [(&str, &[&str]); 2] = [
    ("fit", &["center", "zoom", "camera-of"]),
    ("camera-of", &["center", "zoom", "view", "fov", "up", "mirror", "fit"]),
];

/// Returns the options of a session, overridden by those in `over`.
pub(crate) fn over_session(session: &Settings, over: &Settings, grammar: &Command) -> Settings {
    let mut session = session.clone();
    let whole = OF_WHOLE_CAMERA.iter().filter(|(name, _)| over.has(name));
    { whole.flat_map(|(_, replaced)| *replaced) }.for_each(|name| session.remove(name));
    merged(&session, over, grammar)
}

fn short(name: &str) -> Option<char> {
    static COMMAND: LazyLock<Command> = LazyLock::new(|| Shown::augment_args(Command::new("")));
    COMMAND.get_arguments().find(|arg| arg.get_long() == Some(name))?.get_short()
}

impl Shown {
    /// Returns the options that differ from their defaults as words of a command line.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        words(&self.settings())
    }
}

impl Playing {
    /// Returns the options that differ from their defaults as words of a command line.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        words(&self.settings())
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches as _};

    use super::*;

    /// Options with values that are not their defaults. [`all`] adds the switches.
    const ALL: &str = "--animation=walk --frame=0..=24:2 --mix-time=-0.25 --resolution=640x480 --fit=frame \
        --center=-1.5,2,0.1 --camera-of=old.png --view=side --fov=35.5 --up=z \
        --skeleton=hero.skl.pxd --motion=a.seanim --motion=-b.seanim --zoom=0.1 \
        --background=checker:#000000,#ffffff,4 --msaa=1 --filter=nearest \
        --overlay=bones,onion=2,2,weights=arm,trail=hand:7,pin=walk:3 --onion-tint=#010203,#040506 --pin-tint=#070809 \
        --overlay-scale=2 --font=a.ttf --hide=*shadow --hide=#3 --only=body --show=hat \
        --z-order=hat=2.5 --loop=off --bind=walk:3 --instances=16,scatter --image=skin=red.png --image=#1=a.png --against=old.pchr --against-mode=split --against-split=0.25";
    /// Options that the others exclude.
    const OTHERS: &str = "--time=-1.5 --mix=walk:run:0.25 --mix-frame=all";
    const BLEND: &str = "--mix=walk:run:0.25 --mix-sync";

    fn grammar() -> Command {
        Shown::augment_args(Command::new("").no_binary_name(true))
    }

    /// [`ALL`], and each switch that no example has.
    fn all() -> String {
        let known = [ALL, OTHERS, BLEND].map(names).concat();
        let grammar = grammar();
        let switches = grammar.get_arguments().filter(|option| form(option) == Form::Switch);
        let names = switches.filter_map(Arg::get_long).filter(|name| !known.contains(name));
        names.fold(ALL.to_owned(), |all, name| format!("{all} --{name}"))
    }

    fn read(words: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>) -> Shown {
        Shown::from_arg_matches(&grammar().try_get_matches_from(words).unwrap()).unwrap()
    }

    #[test]
    fn options_for_captures_are_left_out_of_a_window() {
        let all = read(all().split(' '));
        assert!(all.check_window().is_err());
        let shown = Shown { frame: None, ..all }.in_window();
        assert_eq!(shown.check_window(), Ok(()));
        assert!(shown.settings().has("hide"));
    }

    #[test]
    fn every_option_is_written_as_it_is_read() {
        let all = all();
        for words in [&*all, OTHERS, BLEND] {
            let shown = read(words.split(' '));
            let settings = shown.settings();
            assert_eq!(read(shown.words()), shown);
            assert_eq!(settings.parse::<Shown>(&grammar()), Ok(shown));
            let json = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
            assert_eq!(settings.names().count(), names(words).len());
        }
        let all = [&*all, OTHERS, BLEND].map(names).concat();
        for (name, _) in MARKS {
            assert!(all.contains(name), "{name} has no example here");
        }
    }

    #[test]
    fn the_paths_are_those_of_the_options_that_name_files() {
        for (name, marks) in MARKS {
            let word = format!("--{name}=a=a.png");
            let read = grammar().try_get_matches_from([&word]);
            let read = read.map(|matches| Shown::from_arg_matches(&matches).unwrap());
            let paths = read.map_or(0, |mut shown| shown.paths_mut().count());
            assert_eq!(paths, usize::from(marks.contains(&Mark::File)), "{word}");
        }
    }

    fn names(words: &str) -> Vec<&str> {
        let words = words.split(' ').map(|word| word.trim_start_matches("--"));
        let mut names: Vec<_> = words.filter_map(|word| word.split('=').next()).collect();
        names.dedup();
        names
    }

    #[test]
    fn without_options_the_defaults_are_shown_and_nothing_is_written() {
        let shown = read([""; 0]);
        assert_eq!(shown, Shown::default());
        assert_eq!(shown.settings(), Settings::default());
    }

    #[test]
    fn a_window_refuses_what_is_for_captures() {
        for (words, wanted) in [
            (&["--hide=a", "--frame=3"][..], None),
            (&["--msaa=1"], Some("--msaa is for captures: pchr-view capture FILE --msaa ...")),
            (&["--frame=0..5"], Some("--frame 0..5: the window starts with one frame, like 7")),
        ] {
            let refused = read(words.iter().copied()).check_window().err();
            assert_eq!(refused.map(|error| error.to_string()).as_deref(), wanted);
        }
    }

    #[test]
    fn each_mistake_names_its_option_and_what_is_expected() {
        for (name, text, why) in [
            ("filter", "blurred", "invalid value \"blurred\": expected one of linear, nearest"),
            ("zoom", "-1", "invalid number \"-1\": expected more than 0"),
            ("overlay-scale", "9", "9 is not in 1..=8"),
        ] {
            let mut settings = Settings::default();
            settings.put(name, Setting::One(text.to_owned()));
            let misread = settings.parse::<Shown>(&grammar()).unwrap_err();
            assert_eq!((&*misread.option, &*misread.why), (name, why));
        }
        let mut settings = Settings::default();
        settings.put("frame", Setting::One("1".to_owned()));
        settings.put("time", Setting::One("1".to_owned()));
        let misread = settings.parse::<Shown>(&grammar()).unwrap_err();
        assert_eq!(misread.why, "cannot be combined with time");
    }
}
