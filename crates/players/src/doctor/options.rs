//! Checks that the program offers the options of the config, and accepts their values. Runs no
//! program.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::check::Check;
use super::display;
use crate::player::{Introduction, Offer};
use leitai_base::count::quoted;
use leitai_base::suggest::nearest_names;
use leitai_config::Profile;

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
        .filter_map(|(name, value)| match Offer::find(offers, name) {
            Some(offer) => refused(offer, name, value),
            None => Some(missing(name, value, offers)),
        })
        .collect();
    // Options of a preset that the program does not offer are not sent.
    let usual = profile.usual_options.iter();
    complaints.extend(usual.filter_map(|(name, value)| {
        let mut complaint = refused(Offer::find(offers, name)?, name, value)?;
        complaint.text += "; the preset sets it";
        // Another value would mean another game.
        complaint.right = None;
        Some(complaint)
    }));
    let complaint_line = introduction.remarks.iter().find(|line| {
        let line = line.to_lowercase();
        COMPLAINTS.iter().any(|word| line.contains(word))
    });
    let check = if !complaints.is_empty() {
        let texts: Vec<&str> = complaints.iter().map(|one| one.text.as_str()).collect();
        Check::failure("options", texts.join("; ")).help(line(profile, &complaints))
    } else if let Some(line) = complaint_line {
        let line = display::shortened(line);
        let text = format!("it printed `{line}` while its options were set");
        Check::warning("options", text)
    } else {
        let text = format!("{} offered; {}", offers.len(), listed(profile, offers));
        Check::ok("options", text)
    };
    check
        .figure("offered", serde_json::to_value(offers).unwrap_or_default())
        .figure("set", serde_json::json!(sent(&profile.options, offers)))
}

/// The config line with all options corrected; `None` for those of a preset.
fn line(profile: &Profile, complaints: &[Complaint]) -> String {
    let of = |name: &String| complaints.iter().find(|one| one.name == *name);
    if profile.options.keys().all(|name| of(name).is_none()) {
        return "install a build of the program that has it, or choose another `preset`".to_owned();
    }
    let own = profile.options.iter();
    let corrected = own.filter_map(|(name, value)| match of(name) {
        None => Some((name.clone(), value.clone())),
        Some(complaint) => complaint.right.clone(),
    });
    let entry = |(name, value): (String, String)| format!("{} = {}", key(&name), literal(&value));
    let entries: Vec<String> = corrected.map(entry).collect();
    match entries.join(", ") {
        entries if entries.is_empty() => "leave `options` out".to_owned(),
        entries => format!("write `options = {{ {entries} }}` in the variant"),
    }
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}

/// The options of the config and of the preset.
fn listed(profile: &Profile, offers: &[Offer]) -> String {
    let own = sent(&profile.options, offers).into_iter();
    let own = own.map(|(name, value)| format!("{name} = {value}"));
    let usual = sent(&profile.usual_options, offers).into_iter();
    let usual = usual.map(|(name, value)| format!("{name} = {value} (preset)"));
    let set: Vec<String> = own.chain(usual).collect();
    match set.join(", ") {
        set if set.is_empty() => "none set".to_owned(),
        set => format!("set: {set}"),
    }
}

/// The options that the program accepts, as they are sent.
fn sent(options: &BTreeMap<String, String>, offers: &[Offer]) -> BTreeMap<String, String> {
    let sent = options.iter().filter_map(|(name, value)| {
        let offer = Offer::find(offers, name)?;
        Some((offer.name.clone(), offer.accept(value).ok()?))
    });
    sent.collect()
}

fn missing(name: &str, value: &str, offers: &[Offer]) -> Complaint {
    let names: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    let near = nearest_names(name, &names);
    let offered = match (near.as_slice(), names.as_slice()) {
        ([], []) => "it offers none".to_owned(),
        ([], _) => format!("it offers {}", display::shortened(&names.join(", "))),
        (near, _) => format!("the nearest is {}", quoted(near)),
    };
    let nearest = near.first();
    Complaint {
        text: format!("it has no option `{name}`; {offered}"),
        name: name.to_owned(),
        right: nearest.map(|near| ((*near).to_owned(), value.to_owned())),
    }
}

/// The reason why the program would refuse the value.
fn refused(offer: &Offer, set: &str, value: &str) -> Option<Complaint> {
    let refused = offer.accept(value).err()?;
    Some(Complaint {
        text: refused.text,
        name: set.to_owned(),
        right: refused.right.map(|right| (offer.name.clone(), right)),
    })
}

/// A value in TOML syntax.
fn literal(value: &str) -> String {
    match value {
        "true" | "false" => value.to_owned(),
        _ if value.parse::<i64>().is_ok() => value.to_owned(),
        _ => format!("{value:?}"),
    }
}
