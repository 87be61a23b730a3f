//! Tests of output in CI: no name in a file, and no name of a file, becomes a command for the agent that reads it.

use std::process::Output;

use crate::desk::{Desk, said, succeeded};
use crate::fixture::{Builder, WHITE};

/// Names that command GitHub's runner at the start of a line or anywhere in it, and the agents of Azure and TeamCity.
const NAMES: [&str; 6] = [
    "::error::a",
    "##[add-mask]b",
    "##vso[task.setvariable variable=c]d",
    "##teamcity[buildStop comment='e']",
    "f\n::set-output name=g::h",
    "i\r \t::debug::j",
];

const FILE: &str = "::warning::##[add-mask]##vso[task.complete]k.pchr";

const SERVICES: [&str; 3] = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"];

fn desk() -> Desk {
    let desk = Desk::new();
    let mut builder = Builder::new().image(1, &[WHITE]);
    NAMES[1].clone_into(&mut builder.parts.images[0].name);
    for name in NAMES {
        builder = builder.bone(name, None);
    }
    for (bone, name) in (0..).zip(NAMES) {
        builder = builder.quad(name, 0, bone, [0.0, 0.0], [9.0, 9.0]);
    }
    for name in NAMES {
        builder = builder.still(name, true, 2);
    }
    desk.put(FILE, &builder);
    let text = format!("PCT:1.0\nP:{},RGBA8888,9,9,1\n{}|0|0,0,9,9\n", NAMES[1], NAMES[0]);
    desk.put_bytes("::error::.pct", text.as_bytes());
    desk
}

fn command(output: &Output) -> Option<String> {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let all = text(&output.stdout) + "\n" + &text(&output.stderr);
    let obeys = |line: &&str| {
        let starts = ["##[", "##vso[", "##teamcity["];
        line.trim_start().starts_with("::") || starts.iter().any(|start| line.contains(start))
    };
    all.split(['\n', '\r']).find(obeys).map(str::to_owned)
}

#[test]
fn no_name_commands_the_agent_of_a_service() {
    let desk = desk();
    let commands: [&[&str]; 26] = [
        &["pchr", "inspect", FILE],
        &["pchr", "inspect", "--all", FILE],
        &["pchr", "inspect", "--json", FILE],
        &["pchr", "inspect", "::error::.pct"],
        &["pchr", "validate", FILE, "::error::.pct"],
        &["pchr", "validate", "-v", FILE],
        &["pchr", "validate", "--json", FILE],
        &["pchr", "validate", "--sarif", "::error::.pct"],
        &["pchr", "validate", "--junit", "-", FILE],
        &["pchr", "pose", FILE],
        &["pchr", "pose", "--csv", FILE],
        &["pchr", "pose", "--json", FILE],
        &["pchr", "pose", "-a", "##[x]", FILE],
        &["pchr", "unpack", FILE, "-o", "##[x]", "--json", "--safe-names"],
        &["pchr", "convert", FILE, "-o", "##[y].json", "--json", "--safe-names"],
        &["pchr", "convert", "::error::.pct", "-o", "o/z.json"],
        &["pchr", "inspect", "##vso[absent]"],
        &["pchr", "inspect", "--a\n::error::x"],
        &["pchr-view", "--a\n::error::x"],
        &["pchr-view", "capture", FILE, "--renderer", "cpu", "--json", "-o", "##[x].png"],
        &["pchr-view", "capture", FILE, "-a", "walk", "-o", "x.png"],
        &["pchr-view", "capture", FILE, "--renderer", "cpu", "--hide", "##[x]", "-o", "x.png"],
        &["pchr-view", "compare", "##[x].png", "##[x].png", "-v"],
        &["pchr-view", "compare", "##[x].png", "##[x].png", "--json"],
        &["pchr-view", "test", "suite.toml", "--update"],
        &["pchr-view", "test", "suite.toml", "--json"],
    ];
    let suite = "[[case]]\nfile = \"::*.pchr\"\nname = \"##[add-mask]case\"\n";
    desk.put_bytes("suite.toml", suite.as_bytes());
    let run = |args: &[&str], service: Option<&str>| {
        let mut program = match args[0] {
            "pchr" => desk.pchr(),
            _ => desk.program(),
        };
        program.args(&args[1..]);
        program.envs(service.map(|name| (name, "true")));
        program.output().unwrap()
    };
    for args in commands {
        let plain = run(args, None);
        assert!(command(&plain).is_some(), "{args:?} shows no name");
        for service in SERVICES {
            let output = run(args, Some(service));
            assert_eq!(output.status.code(), plain.status.code(), "{args:?}: {}", said(&output));
            assert_eq!(command(&output), None, "{args:?}");
            if args.contains(&"pose") || args.contains(&"inspect") || args.contains(&"--sarif") {
                let json = |output: &Output| serde_json::from_slice(&output.stdout).ok();
                let [in_ci, plain]: [Option<serde_json::Value>; 2] = [&output, &plain].map(json);
                assert_eq!(in_ci, plain, "{args:?}: JSON says the same");
            }
        }
    }
}

#[test]
fn a_file_on_standard_output_has_the_same_bytes_for_an_agent() {
    let desk = desk();
    for args in [
        &["convert", FILE, "-o", "-", "--to", "pchr"][..],
        &["convert", FILE, "-o", "-", "--to", "pchr-json"],
        &["convert", "::error::.pct", "-o", "-", "--to", "pct"],
    ] {
        let output = desk.run_pchr(args);
        succeeded(&output);
        let in_ci = desk.pchr().args(args).env("GITHUB_ACTIONS", "true").output();
        assert!(in_ci.unwrap().stdout == output.stdout, "{args:?}");
    }
}
