//! Options that fit, and those that do not.

use super::super::check::Status;
use super::*;
use crate::player::OptionKind;
use leitai_protocols::UCI;

fn introduction(remarks: &[&str]) -> Introduction {
    let offer = |name: &str, kind| Offer {
        name: name.to_owned(),
        kind,
        default: None,
        min: None,
        max: None,
        choices: Vec::new(),
    };
    let hash = Offer {
        min: Some(1),
        max: Some(64),
        ..offer("Hash", OptionKind::Spin)
    };
    let style = Offer {
        choices: vec!["Calm".to_owned(), "Wild".to_owned()],
        ..offer("Style", OptionKind::Combo)
    };
    Introduction {
        offers: vec![
            hash,
            style,
            offer("Ponder", OptionKind::Check),
            offer("Clear", OptionKind::Button),
        ],
        remarks: remarks.iter().map(|&line| line.to_owned()).collect(),
        ..Introduction::default()
    }
}

fn judged(options: &[(&str, &str)]) -> Check {
    let mut profile = Profile::of(UCI);
    let own = options.iter();
    profile.options = own
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    check(&profile, &introduction(&[]))
}

#[test]
fn values_that_fit_are_listed() {
    let fine = judged(&[("hash", "16"), ("Style", "wild"), ("Ponder", "false")]);
    assert_eq!(fine.status, Status::Ok);
    assert_eq!(
        fine.text,
        "4 offered; set: Hash = 16, Ponder = false, Style = Wild"
    );
    assert_eq!(fine.figures["offered"][0]["max"], 64);
    assert_eq!(judged(&[]).text, "4 offered; none set");
}

#[test]
fn missing_options_are_reported_with_the_nearest() {
    let missing = judged(&[("Hsah", "16")]);
    assert_eq!(missing.status, Status::Failure);
    assert_eq!(
        missing.text,
        "it has no option `Hsah`; the nearest is `Hash`"
    );
    assert_eq!(
        missing.help.as_deref(),
        Some("write `options = { Hash = 16 }` in the variant")
    );
    let strange = judged(&[("Volume", "loud")]);
    assert_eq!(
        strange.text,
        "it has no option `Volume`; it offers Hash, Style, Ponder, Clear"
    );
    assert_eq!(strange.help.as_deref(), Some("leave `options` out"));
}

#[test]
fn values_out_of_range_are_reported() {
    let large = judged(&[("Hash", "65")]);
    assert_eq!(large.text, "`Hash` = 65 is outside of 1 to 64");
    assert_eq!(
        large.help.as_deref(),
        Some("write `options = { Hash = 64 }` in the variant")
    );
    let both = judged(&[("Hash", "65"), ("Move Overhead", "9"), ("Ponder", "true")]);
    assert_eq!(
        both.help.as_deref(),
        Some("write `options = { Hash = 64, Ponder = true }` in the variant")
    );
    assert_eq!(judged(&[("Hash", "much")]).status, Status::Failure);
    assert_eq!(judged(&[("Ponder", "maybe")]).status, Status::Failure);
    assert_eq!(judged(&[("Clear", "true")]).status, Status::Ok);
    let unpressed = judged(&[("Clear", "false")]);
    assert_eq!(
        unpressed.text,
        "`Clear` is a button, which `true` presses: it takes no `false`"
    );
    assert_eq!(
        unpressed.help.as_deref(),
        Some("write `options = { Clear = true }` in the variant")
    );
    let style = judged(&[("Style", "wlid")]);
    assert_eq!(style.text, "`Style` knows no `wlid`, only Calm, Wild");
    assert_eq!(
        style.help.as_deref(),
        Some("write `options = { Style = \"Wild\" }` in the variant")
    );
}

#[test]
fn messages_of_the_program_are_quoted() {
    let profile = Profile::of(UCI);
    let said = check(&profile, &introduction(&["ok", "No such option: Hash"]));
    assert_eq!(said.status, Status::Warning);
    assert!(said.text.contains("`No such option: Hash`"));
}

#[test]
fn a_build_without_an_option_of_the_preset_is_another_program() {
    let mut profile = Profile::of(UCI);
    let usual = [("Style", "Xiangqi"), ("Volume", "loud")];
    profile.usual_options = usual
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let lacking = check(&profile, &introduction(&[]));
    assert_eq!(lacking.status, Status::Failure);
    assert_eq!(
        lacking.text,
        "`Style` knows no `Xiangqi`, only Calm, Wild; the preset sets it"
    );
    assert!(lacking.help.unwrap().starts_with("install a build"));
}
