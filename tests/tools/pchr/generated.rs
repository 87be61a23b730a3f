//! Tests of `pchr completions` and `pchr man`.

use crate::desk::{Desk, said, succeeded};

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

fn printed(args: &[&str]) -> String {
    let output = Desk::new().run_pchr(args);
    succeeded(&output);
    assert_eq!(said(&output), "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_shell_gets_a_script_for_either_program_or_both() {
    for shell in SHELLS {
        let [both, pchr, view] = [None, Some("pchr"), Some("pchr-view")].map(|program| {
            let program = program.map(|program| ["--program", program]);
            let args = ["completions", shell].into_iter();
            printed(&args.chain(program.into_iter().flatten()).collect::<Vec<_>>())
        });
        for (text, validates, captures) in
            [(both, true, true), (pchr, true, false), (view, false, true)]
        {
            assert_eq!(text.contains("validate"), validates, "{shell}");
            assert_eq!(text.contains("overlay-scale"), captures, "{shell}");
        }
    }
}

#[test]
fn powershell_is_told_what_it_uses_before_anything_else() {
    let script = printed(&["completions", "powershell"]);
    let lines = script.lines().filter(|line| !line.is_empty());
    let uses: Vec<bool> = lines.map(|line| line.starts_with("using ")).collect();
    assert_eq!(uses.iter().position(|uses| !uses), Some(2));
    assert!(!uses[2..].contains(&true));
    assert_eq!(script.matches("Register-ArgumentCompleter").count(), 2);
}

/// Output of a script that asks a shell for its completions.
#[cfg(unix)]
fn offered(shell: &str, script: &str, args: &[&str]) -> String {
    let desk = Desk::new();
    desk.put_bytes("scripts", printed(&["completions", shell]).as_bytes());
    desk.put_bytes("try", script.as_bytes());
    let mut program = std::process::Command::new(shell);
    let output = program.args(args).arg("try").current_dir(desk.folder()).output();
    let output = output.unwrap_or_else(|error| panic!("{shell}: {error}"));
    succeeded(&output);
    assert_eq!(said(&output), "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[cfg(unix)]
fn bash_completes_commands_options_and_values_of_both_programs() {
    let script = r#"
source ./scripts
try() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    local complete=($(complete -p "$1")) # complete ... -F FUNCTION PROGRAM
    "${complete[@]: -2:1}" "$1" "${@: -1}" "${@: -2:1}"
    echo "${COMPREPLY[*]}"
}
try pchr in
try pchr schema p
try pchr completions --pro
try pchr man --program ""
try pchr-view ca
try pchr-view capture --overlay-s
try pchr-view capture hero.pchr --renderer ""
"#;
    let offered = offered("bash", script, &["--noprofile", "--norc"]);
    let lines: Vec<&str> = offered.lines().collect();
    let wanted =
        "inspect|pchr pachario pose|--program|pchr pchr-view|capture|--overlay-scale|auto gpu cpu";
    assert_eq!(lines.join("|"), wanted);
}

#[test]
#[cfg(unix)]
#[cfg_attr(skip_shell_tests, ignore = "needs fish: PCHR_TEST_SHELLS=1")]
fn fish_completes_commands_options_and_values_of_both_programs() {
    let script = "source ./scripts
complete -C 'pchr in'
complete -C 'pchr-view capture --overlay-s'
complete -C 'pchr-view capture --renderer g'
";
    let offered = offered("fish", script, &["--no-config"]);
    let words: Vec<&str> = offered.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(words, ["inspect", "--overlay-scale", "gpu"]);
}

#[test]
#[cfg(unix)]
#[cfg_attr(skip_shell_tests, ignore = "needs zsh: PCHR_TEST_SHELLS=1")]
fn zsh_knows_both_programs() {
    let script = "autoload -U compinit; compinit -u -d dump
source ./scripts
print $_comps[pchr] $_comps[pchr-view] $+functions[_pchr] $+functions[_pchr-view]
";
    assert_eq!(offered("zsh", script, &["-f"]), "_pchr _pchr-view 1 1\n");
}

#[test]
fn without_a_folder_the_pages_of_the_programs_are_printed() {
    for (args, wanted) in [
        (&["man"][..], &["PCHR", "PCHR-VIEW"][..]),
        (&["man", "--program", "pchr"], &["PCHR"]),
        (&["man", "--program", "pchr-view"], &["PCHR-VIEW"]),
    ] {
        let text = printed(args);
        let titles = text.lines().filter_map(|line| line.strip_prefix(".TH "));
        assert_eq!(titles.filter_map(|line| line.split(' ').next()).collect::<Vec<_>>(), wanted);
    }
}

#[test]
#[cfg(unix)]
#[cfg_attr(skip_shell_tests, ignore = "needs groff: PCHR_TEST_SHELLS=1")]
fn a_formatter_has_nothing_to_say_about_the_pages() {
    let desk = Desk::new();
    succeeded(&desk.run_pchr(&["man", "-o", "man"]));
    for name in desk.files("man").keys() {
        let mut groff = std::process::Command::new("groff");
        groff.args(["-man", "-Tutf8", "-ww", "-z"]).arg(desk.path("man").join(name));
        let output = groff.output().unwrap();
        succeeded(&output);
        assert_eq!(said(&output), "", "{name}");
    }
}
