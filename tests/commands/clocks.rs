//! Notations of clocks.

use serde_json::Value;

use crate::common::{Sandbox, json, run, stderr, stdout};

const MATCH: &str = "game = \"othello\"\nlimits = { clock = 9 }\n\
                     tournament = { pairs = 1 }\n\
                     variant = [{ name = \"a\" }, { name = \"b\", search = { table_mb = 1 } }]\n";

#[test]
fn short_forms_are_taken_from_files_and_from_the_command_line() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", MATCH);
    let clock_of = |set: &str| {
        let answer = json(&["check", &config, "--json", "--set", set]);
        let clock = &answer["config"]["limits"]["time"]["clock"];
        assert_eq!(clock["first_increment"], false, "{answer}");
        (
            clock["base"].clone(),
            clock["increment"].clone(),
            clock["moves"].clone(),
        )
    };
    let half = "500ms";
    for (set, base, increment, moves) in [
        ("seed=7", "9s", "0s", Value::Null),
        ("limits.clock=10", "10s", "0s", Value::Null),
        ("limits.clock=1:30+0.5", "90s", half, Value::Null),
        ("limits.clock=40/60", "60s", "0s", 40.into()),
        ("limits.clock=40/1:30+0.5", "90s", half, 40.into()),
        ("limits.clock=40/60s+0.5s", "60s", half, 40.into()),
        ("limits.clock=0/10+0.5", "10s", half, Value::Null),
        ("limits.clock=1:00:00+0.5", "3600s", half, Value::Null),
        ("limits.clock=40/60+0.5, 20/30", "60s", half, 40.into()),
    ] {
        let expected = (base.into(), increment.into(), moves);
        assert_eq!(clock_of(set), expected, "{set}");
    }
}

#[test]
fn one_clock_is_one_run_however_it_is_written() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", MATCH);
    let run_of = |sets: &[&str]| {
        let mut words = vec!["check", &config, "--json"];
        words.extend(sets.iter().flat_map(|set| ["--set", set]));
        json(&words)["run"].clone()
    };
    let usual = run_of(&["limits.clock=10s+0.1s"]);
    let same = ["limits.clock=10+0.1", "limits.first_increment=false"];
    assert_eq!(usual, run_of(&same));
    assert_eq!(usual, run_of(&["limits.clock=0:10+100ms"]));
    for other in [
        &["limits.clock=40/10+0.1"][..],
        &["limits.clock=10+0.1", "limits.first_increment=true"],
    ] {
        assert_ne!(usual, run_of(other), "{other:?}");
    }
}

#[test]
fn a_wrong_clock_is_refused_with_examples() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", MATCH);
    for clock in [
        "-1/60",
        "-1",
        "40/60/30",
        "1e400",
        "nan",
        "inf",
        "999999",
        "hg60",
        "40/60:20/30",
        "60, 20/30",
        "hourglass 60+1",
    ] {
        let set = format!("limits.clock={clock}");
        let output = run(&["check", &config, "--set", &set]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{clock}: {told}");
        assert!(told.contains("`clock` is not a time"), "{clock}: {told}");
        assert!(told.contains("`\"40/60s+0.6s\"`"), "{clock}: {told}");
    }
}

#[test]
fn a_variants_own_clock_is_described() {
    let sandbox = Sandbox::new();
    let own = "name = \"b\", limits = { clock = \"40/60+0.6\", first_increment = true },";
    let config = sandbox.write("match.toml", &MATCH.replace("name = \"b\",", own));
    let told = stdout(&run(&["check", &config]));
    let words = "b: clock 40/60s+600ms, the increment from the start";
    assert!(told.contains(words), "{told}");
    assert!(told.contains("limits    clock 9s\n"), "{told}");
}

#[test]
fn stages_and_hourglasses_are_shown_as_they_are_typed() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", MATCH);
    for (clock, shown) in [
        (
            "40/60+0.6, 20/0:30+0, 15",
            "clock 40/60s+600ms, 20/30s, 15s",
        ),
        ("hourglass 1min", "clock hourglass 60s"),
    ] {
        let set = format!("limits.clock={clock}");
        let told = stdout(&run(&["check", &config, "--set", &set]));
        assert!(told.contains(&format!("limits    {shown}\n")), "{told}");
        let answer = json(&["check", &config, "--json", "--set", &set]);
        let of = &answer["config"]["limits"]["time"]["clock"];
        assert_eq!(of["hourglass"], clock.contains("hourglass"), "{answer}");
        let later = of["later"].as_array().map(Vec::len);
        assert_eq!(later, Some(clock.matches(',').count()), "{answer}");
    }
}

#[test]
fn a_clock_without_time_begins_with_its_increment_or_is_refused() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", MATCH);
    let check = |more: &[&str]| {
        let mut words = vec!["check", &config, "--set", "limits.clock=0+0.1"];
        words.extend(more);
        run(&words)
    };
    let refused = check(&[]);
    assert_eq!(refused.status.code(), Some(2));
    let told = stderr(&refused);
    assert!(told.contains("add `first_increment = true`"), "{told}");
    let fine = check(&["--set", "limits.first_increment=true"]);
    assert!(fine.status.success(), "{}", stderr(&fine));
}

#[test]
fn programs_that_cannot_ponder_are_not_asked_to() {
    let sandbox = Sandbox::new();
    let program = "name = \"b\", command = [\"x\"], protocol = \"gtp\", ponder = true,";
    let config = sandbox.write(
        "match.toml",
        &MATCH.replace("name = \"b\", search = { table_mb = 1 }", program),
    );
    let output = run(&["check", &config]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("the protocol `gtp` has no pondering"),
        "{told}"
    );
}
