//! Checks that the program offers the options of the config, and accepts their values. Runs no
//! program.

#[cfg(test)]
mod tests;

use super::check::{Check, Status};
use super::words;
use crate::player::{Introduction, Offer};
use leitai_base::count::quoted;
use leitai_config::{Profile, nearest_names};

/// A problem with one option.
struct Complaint {
    text: String,
    /// The option's name in the config.
    name: String,
    /// The correct name and value; `None` if the option should be removed.
    right: Option<(String, String)>,
}

/// Words in error messages of programs about options.
const COMPLAINTS: [&str; 5] = ["no such option", "unknown", "invalid", "error", "illegal"];

/// Compares the options of the config with those that the program offers, and with its messages.
pub(super) fn check(profile: &Profile, introduction: &Introduction) -> Check {
    let offers = &introduction.offers;
    let set = profile.options.iter();
    let mut complaints: Vec<Complaint> = set
        .filter_map(|(name, value)| match offer(offers, name) {
            Some(offer) => refused(offer, name, value),
            None => Some(missing(name, value, offers)),
        })
        .collect();
    // Options of a preset that the program does not offer are not sent.
    let usual = profile.usual_options.iter();
    complaints.extend(usual.filter_map(|(name, value)| {
        let mut complaint = refused(offer(offers, name)?, name, value)?;
        complaint.text += "; the preset sets it";
        // Another value would mean another game.
        complaint.right = None;
        Some(complaint)
    }));
    let status = if complaints.is_empty() {
        Status::Ok
    } else {
        Status::Failure
    };
    let spoken = introduction.remarks.iter().find(|line| {
        let line = line.to_lowercase();
        COMPLAINTS.iter().any(|word| line.contains(word))
    });
    if let (Some(line), Status::Ok) = (spoken, status) {
        let text = format!(
            "while its options were set it said `{}`",
            words::shortened(line)
        );
        return finished(Check::warning("options", text), profile, offers);
    }
    let text = if complaints.is_empty() {
        format!("{} offered; {}", offers.len(), listed(profile, offers))
    } else {
        let texts: Vec<&str> = complaints.iter().map(|one| one.text.as_str()).collect();
        texts.join("; ")
    };
    let help = (!complaints.is_empty()).then(|| line(profile, &complaints));
    finished(
        Check::new("options", status, text).help(help),
        profile,
        offers,
    )
}

fn finished(check: Check, profile: &Profile, offers: &[Offer]) -> Check {
    let offers = serde_json::to_value(offers).unwrap_or_default();
    check.figure("offered", offers).figure(
        "set",
        serde_json::to_value(&profile.options).unwrap_or_default(),
    )
}

/// The config line with all options corrected; `None` for those of a preset.
fn line(profile: &Profile, complaints: &[Complaint]) -> String {
    let of = |name: &String| complaints.iter().find(|one| one.name == *name);
    if profile.options.keys().all(|name| of(name).is_none()) {
        return "install a build of the program that has it, or choose another `preset`".to_owned();
    }
    let own = profile.options.iter();
    let own = own.filter_map(|(name, value)| match of(name) {
        None => Some((name.clone(), value.clone())),
        Some(complaint) => complaint.right.clone(),
    });
    let all: Vec<String> = own
        .map(|(name, value)| format!("{} = {}", key(&name), literal(&value)))
        .collect();
    if all.is_empty() {
        "leave `options` out".to_owned()
    } else {
        format!("write `options = {{ {} }}` in the variant", all.join(", "))
    }
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}

/// The options of the config and of the preset.
fn listed(profile: &Profile, offers: &[Offer]) -> String {
    let own = profile.options.iter();
    let own = own.map(|(name, value)| format!("{name} = {value}"));
    let usual = profile.usual_options.iter();
    let usual = usual
        .filter(|(name, _)| offer(offers, name).is_some())
        .map(|(name, value)| format!("{name} = {value} (preset)"));
    let set: Vec<String> = own.chain(usual).collect();
    if set.is_empty() {
        "none set".to_owned()
    } else {
        format!("set: {}", set.join(", "))
    }
}

fn offer<'o>(offers: &'o [Offer], name: &str) -> Option<&'o Offer> {
    offers.iter().find(|offer| offer.is_called(name))
}

fn missing(name: &str, value: &str, offers: &[Offer]) -> Complaint {
    let names: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    let near = nearest_names(name, &names);
    let offered = match (near.as_slice(), names.as_slice()) {
        ([], []) => "it offers none".to_owned(),
        ([], _) => format!("it offers {}", words::shortened(&names.join(", "))),
        (near, _) => format!("the nearest is {}", quoted(near)),
    };
    Complaint {
        text: format!("it has no option `{name}`; {offered}"),
        name: name.to_owned(),
        right: near
            .first()
            .map(|near| ((*near).to_owned(), value.to_owned())),
    }
}

/// The reason why the program would refuse the value.
fn refused(offer: &Offer, set: &str, value: &str) -> Option<Complaint> {
    let refused = offer.refuses(value)?;
    Some(Complaint {
        text: refused.text,
        name: set.to_owned(),
        right: refused.right.map(|right| (offer.name.clone(), right)),
    })
}

/// A value in TOML syntax.
fn literal(value: &str) -> String {
    let plain = value.parse::<i64>().is_ok() || matches!(value, "true" | "false");
    if plain {
        value.to_owned()
    } else {
        format!("{value:?}")
    }
}
