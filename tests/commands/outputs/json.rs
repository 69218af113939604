//! JSON output.

use crate::common::{self, Sandbox, project};

/// The keys of a value and of nested values, except settings, whose keys are those of a config.
fn keys(value: &serde_json::Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Object(members) => {
            for (key, value) in members {
                found.insert(key.clone());
                if key != "config" {
                    keys(value, found);
                }
            }
        }
        serde_json::Value::Array(elements) => {
            for element in elements {
                keys(element, found);
            }
        }
        _ => {}
    }
}

/// The documentation contains every key that a command prints, and no zero is negative.
#[test]
fn json_has_documented_keys() {
    let sandbox = Sandbox::new();
    let page = |name: &str| std::fs::read_to_string(project(name)).unwrap();
    let pages = ["json", "reading-results", "gate", "rating"];
    let pages: String = pages
        .iter()
        .map(|page_name| page(&format!("docs/{page_name}.md")))
        .collect();
    let spans = pages
        .lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2));
    let words = spans.flat_map(|span| {
        span.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .map(str::to_owned)
    });
    let known: std::collections::BTreeSet<String> = words.collect();

    let config = sandbox.write("run.toml", &common::small_tournament(3, 60));
    let gates = sandbox.write(
        "gate.toml",
        &common::gates::gate("base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 12"),
    );
    let [of_run, of_gate, of_looks] =
        ["run", "gate", "looks"].map(|name| sandbox.path(&format!("{name}.sqlite")));
    let book = project("openings/othello.txt");
    let book = book.to_str().unwrap();
    let counts = "1,2,30,4,5";
    let elo = "--elo0 0 --elo1 60";
    for line in [
        format!("run {config} --store {of_run} -q --json"),
        format!("report {of_run} --list --json"),
        format!("rate {of_run} --bootstrap 20 --json"),
        format!("verify {of_run} --json"),
        format!("gate {gates} --store {of_gate} -q --json"),
        format!("gate {gates} --store {of_looks} -q --json --set gate.test=group-sequential"),
        format!("gate {gates} --store {of_gate} -q --json --plan --prior N(-1,1)"),
        format!("gate {gates} --store {of_gate} -q --json --simulate 10"),
        format!("check {gates} --json"),
        format!("calc elo --pentanomial {counts} --json"),
        format!("calc sprt {elo} --pentanomial {counts} --json"),
        format!("calc after-sprt {elo} --pentanomial {counts} --json"),
        "calc plan --elo0 0 --elo1 5 --draw-rate 0.3 --prior N(-1,1) --json".to_owned(),
        format!("calc simulate {elo} --elo 10 --draw-rate 0.3 --runs 20 --json"),
        "calc simulate ratings --players 3 --openings 20 --runs 20 --json".to_owned(),
        format!("analyze xiangqi -c {config} --depth 2 --moves h2e2 --json"),
        "show xiangqi --moves h2e2 --json".to_owned(),
        "show go --moves D5 --json".to_owned(),
        format!("openings check othello {book} --play 12 --nodes 40 --json"),
    ] {
        let output = common::run(&line.split(' ').collect::<Vec<_>>());
        let text = common::stdout(&output);
        let answer = serde_json::from_str(&text);
        let answer = answer.unwrap_or_else(|_| panic!("{line}: {}", common::stderr(&output)));
        let mut found = std::collections::BTreeSet::new();
        keys(&answer, &mut found);
        let undocumented: Vec<_> = found.difference(&known).collect();
        assert!(undocumented.is_empty(), "{line}: {undocumented:?}");
        let minus = text
            .split([',', ':', '[', ']', '{', '}'])
            .any(|word| word == "-0.0");
        assert!(!minus, "{line}: {text}");
    }
}
