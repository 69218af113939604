//! Each rule of `docs/chess-rules.md` has an example there, and the examples are true.

use crate::common::{run, stderr, stdout};

/// The words of a command, where quotes hold several together.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn every_rule_has_an_example_and_the_examples_are_true() {
    let page = include_str!("../../docs/chess-rules.md");
    let (mut examples, mut said) = (0, String::new());
    // The rule whose example is still to come.
    let mut open: Option<&str> = None;
    for line in page.lines() {
        if let Some(rule) = line.strip_prefix("- ") {
            assert_eq!(open, None, "a rule without an example");
            open = Some(rule);
        } else if let Some(command) = line.trim_start().strip_prefix("leitai ") {
            let words = words(command);
            let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            said = stdout(&output) + &stderr(&output);
        } else if let Some(expected) = line.trim_start().strip_prefix("→ ") {
            assert!(!said.is_empty(), "no command before `{expected}`");
            assert!(
                said.contains(expected),
                "{open:?}: `{expected}` is not in:\n{said}"
            );
            (examples, open) = (examples + 1, None);
        }
    }
    assert_eq!(open, None, "a rule without an example");
    assert!(examples > 45, "{examples} examples");
}
