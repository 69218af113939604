//! The profile of a program, from a variant's keys.

use std::collections::BTreeMap;
use std::ops::Range;

use super::context::CheckContext;
use super::problem::{BACKSLASHES, Problem, Problems};
use super::program::{Profile, UnspecifiedProfile};
use super::program_typed::{Habit, Typed};
use super::values::{RawTable, RawValue, Spanned, Text, choice, flag_or, ranged_or, setting_or};
use leitai_game::card::{GameCard, KnownProgram, programs_of, protocols_of};
use leitai_protocols::Protocol;

/// The profile of the preset or the protocol, changed by the variant's other keys; and its
/// unspecified parts.
pub(super) fn profile(
    typed: &Typed,
    context: &CheckContext,
    span: Range<usize>,
    problems: &mut Problems,
) -> Option<(Profile, UnspecifiedProfile)> {
    // A program that plays several games is that of the config's game.
    let own = context.game.map(|game| game.card);
    let known = programs_of(own.into_iter().chain(context.games.iter())).into_iter();
    let known: Vec<_> = known.map(|program| (program.name, program)).collect();
    let preset = typed.preset.as_ref();
    let preset = preset.map(|name| choice(name, "program preset", &known, problems));
    let protocols = protocols_of(context.games.iter()).into_iter();
    let protocols: Vec<_> = protocols.map(|it| (it.name, it)).collect();
    let protocol = typed.protocol.as_ref();
    let protocol = protocol.map(|name| choice(name, "protocol", &protocols, problems));
    let profile = match (preset, protocol) {
        (Some(preset), _) => Profile::known(preset?),
        (None, Some(protocol)) => Profile::of(protocol?),
        (None, None) => {
            let ways = context.games.iter().filter_map(protocol_help);
            return Problem::error(span, "the protocol of the program is missing")
                .help(ways.collect::<Vec<_>>().join("\n"))
                .refuse(problems);
        }
    };
    if let (Some(Some(other)), Some(name), Some(place)) = (protocol, &typed.preset, &typed.protocol)
        && other != profile.protocol
    {
        let message = format!("the preset `{}` is for another protocol", name.get_ref());
        Problem::error(place.span(), message)
            .context(name.span(), "the preset")
            .help("remove `protocol`; or remove `preset` and set the other keys one by one")
            .report(problems);
    }
    refuse_idle(typed, profile.protocol, context, problems);
    let habit = &typed.unknown_options;
    let habit = setting_or(habit, Habit::Refuse, "value of `unknown_options`", problems);
    let mut unspecified = UnspecifiedProfile {
        options: habit == Habit::Skip,
        ..UnspecifiedProfile::default()
    };
    if let (None, Some(game)) = (&typed.preset, context.game) {
        let facts = game.card.facts();
        let options = typed
            .options
            .iter()
            .flat_map(|options| options.get_ref().keys());
        let options: Vec<&str> = options.map(|name| name.get_ref().as_str()).collect();
        // A config that sets the notation, or an option of a preset, excludes other presets.
        let has_notation = [facts.ways, &["usermove"]].concat();
        let has_notation = has_notation.iter().any(|key| typed.place(key).is_some());
        let sets_option = |program: &KnownProgram| {
            let mut names = program.options.iter().map(|(name, _)| name);
            names.any(|name| options.iter().any(|set| set.eq_ignore_ascii_case(name)))
        };
        let may_be = facts.programs.iter().copied().filter(|program| {
            program.ways.protocol == profile.protocol && !has_notation && !sets_option(program)
        });
        // Problems of the other keys are reported only once, below.
        let with_profile = |program| {
            let profile = customized(typed, Profile::known(&program), &mut Problems::default());
            (program, under_rules(profile, context))
        };
        unspecified.presets = may_be.map(with_profile).collect();
        unspecified.ranks = typed.rank_base.is_none() && facts.ways.contains(&"rank_base");
    }
    let profile = customized(typed, profile, problems);
    Some((under_rules(profile, context), unspecified))
}

/// The profile under the rules of the config, with the options that the rules require.
fn under_rules(mut profile: Profile, context: &CheckContext) -> Profile {
    if let Some(game) = context.game {
        profile.rules = Some(game.rules);
        for &(name, value) in (game.card.facts().options_for)(&profile.ways()) {
            let mut names = profile.options.keys();
            if !names.any(|set| set.eq_ignore_ascii_case(name)) {
                profile.options.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    profile
}

/// A profile with the config's own settings applied.
fn customized(typed: &Typed, mut profile: Profile, problems: &mut Problems) -> Profile {
    profile.letters = setting_or(&typed.letters, profile.letters, "letters", problems);
    profile.rank_base = ranged_or(&typed.rank_base, profile.rank_base, "rank_base", problems);
    if let Some(number) = &typed.fen_fields {
        match *number.get_ref() {
            fields @ (4 | 6) => profile.fen_fields = fields as u8,
            _ => Problem::error(number.span(), "`fen_fields` is neither 4 nor 6")
                .help("6: board, side, two dashes, two counters; 4: without the dashes")
                .report(problems),
        }
    }
    let margin = profile.node_margin;
    profile.node_margin = ranged_or(&typed.node_margin, margin, "node_margin", problems);
    profile.usermove = flag_or(&typed.usermove, profile.usermove);
    profile.milliseconds = flag_or(&typed.milliseconds, profile.milliseconds);
    profile.passes = setting_or(&typed.passes, profile.passes, "value of `passes`", problems);
    profile.restart = flag_or(&typed.restart, profile.restart);
    if let Some(lines) = &typed.init {
        let lines = lines.get_ref().iter();
        profile.init = lines.filter_map(|line| plain(line, problems)).collect();
    }
    profile.options = texts(typed.options.as_ref(), problems);
    profile.environment = texts(typed.environment.as_ref(), problems);
    check_names(typed, problems);
    require_ponder_option(typed, &mut profile, problems);
    let (usual, own) = (&mut profile.usual_options, &profile.options);
    usual.retain(|usual, _| !own.keys().any(|name| name.eq_ignore_ascii_case(usual)));
    profile
}

/// Sets the option for pondering: a program of UCI must offer it. `ponder` excludes its own value.
fn require_ponder_option(typed: &Typed, profile: &mut Profile, problems: &mut Problems) {
    let Some(place) = typed.ponder.as_ref().filter(|ponder| *ponder.get_ref()) else {
        return;
    };
    let option = profile.protocol.ponder_option;
    let mut names = profile.options.keys();
    let known = option.unwrap_or("Ponder");
    if let Some(name) = names.find(|name| name.eq_ignore_ascii_case(known)) {
        return Problem::error(place.span(), format!("`ponder` and the option `{name}`"))
            .help("remove the option: `ponder` sets it")
            .report(problems);
    }
    if let Some(option) = option {
        profile.options.insert(option.to_owned(), "true".to_owned());
    }
}

/// The keys for a program's notation, which do not apply to every game.
pub(super) const WAYS: [&str; 5] = [
    "letters",
    "rank_base",
    "fen_fields",
    "node_margin",
    "passes",
];

/// Refuses keys that do not apply to the game or the protocol.
fn refuse_idle(
    typed: &Typed,
    protocol: &Protocol,
    context: &CheckContext,
    problems: &mut Problems,
) {
    let mut refuse = |key: &str, fits: bool, to: &str| {
        if let Some(place) = typed.place(key).filter(|_| !fits) {
            Problem::error(place, format!("`{key}` belongs to {to}"))
                .help("remove it: it has no effect on this program")
                .report(problems);
        }
    };
    for (key, owner) in [("usermove", "`cecp`"), ("milliseconds", "`ucci`")] {
        refuse(key, protocol.uses(key), &format!("the protocol {owner}"));
    }
    let carries = |card: &&dyn GameCard| card.facts().protocols.contains(&protocol);
    let own = context.game.map(|game| game.card).filter(carries);
    for key in WAYS {
        let has_key = |card: &&dyn GameCard| card.facts().ways.contains(&key);
        let theirs: Vec<_> = context.games.iter().filter(has_key).collect();
        let (has_meaning, owner) = if own.as_ref().is_some_and(has_key) {
            let protocols = own.iter().flat_map(|card| card.facts().protocols);
            let useful = protocols.filter(|it| it.uses(key));
            let names: Vec<_> = useful.map(|it| format!("`{}`", it.name)).collect();
            (true, format!("the protocol {}", names.join(" or ")))
        } else {
            let title = theirs
                .first()
                .map_or("another game", |card| card.facts().title);
            let has_meaning = own.is_none() && theirs.iter().any(carries);
            (has_meaning, format!("the protocols of {title}"))
        };
        refuse(key, has_meaning && protocol.uses(key), &owner);
    }
}

/// Help for naming the protocol of a game's programs; `None` if no program plays the game.
fn protocol_help(card: &'static dyn GameCard) -> Option<String> {
    /// Column limit after which the second alternative starts a new line.
    const WIDE: usize = 80;
    let or = |names: &[&str]| match names {
        [] => String::new(),
        names => format!(" (or `{}`)", names.join("`, `")),
    };
    let facts = card.facts();
    let protocols: Vec<&str> = facts.protocols.iter().map(|it| it.name).collect();
    let (first, others) = protocols.split_first()?;
    let protocol = format!("`protocol = \"{first}\"`{}", or(others));
    let programs: Vec<&str> = facts.programs.iter().map(|it| it.name).collect();
    let Some((first, others)) = programs.split_first() else {
        return Some(format!("{}: add {protocol}", facts.title));
    };
    let preset = format!("{}: add `preset = \"{first}\"`{}", facts.title, or(others));
    let gap = if preset.len() > WIDE { "\n" } else { " " };
    Some(format!("{preset},{gap}or {protocol}"))
}

/// The text, if it is safe to send to a program: a line break would start another command.
pub(super) fn plain(text: &Text, problems: &mut Problems) -> Option<String> {
    is_plain(text.get_ref(), text.span(), problems).then(|| text.get_ref().clone())
}

fn is_plain(text: &str, span: Range<usize>, problems: &mut Problems) -> bool {
    let fine = !text.chars().any(char::is_control);
    if !fine {
        Problem::error(span, "a text with control characters")
            .help(format!(
                "a program reads one line at a time: write one line; {BACKSLASHES}"
            ))
            .report(problems);
    }
    fine
}

/// Refuses invalid names of environment variables, and duplicate options.
fn check_names(typed: &Typed, problems: &mut Problems) {
    let names = |texts: &Option<Spanned<RawTable>>| -> Vec<Text> {
        let texts = texts.iter().flat_map(|texts| texts.get_ref().keys());
        texts.cloned().collect()
    };
    for name in names(&typed.environment) {
        if name.get_ref().is_empty() || name.get_ref().contains('=') {
            Problem::error(name.span(), "not a name of a variable")
                .help("a name is not empty and has no `=` in it")
                .report(problems);
        }
    }
    let options = names(&typed.options);
    for (index, name) in options.iter().enumerate() {
        let same = |other: &&Text| other.get_ref().eq_ignore_ascii_case(name.get_ref());
        if let Some(first) = options[..index].iter().find(same) {
            Problem::error(
                name.span(),
                format!("the option `{}` is set twice", name.get_ref()),
            )
            .context(first.span(), "the first one")
            .help("programs ignore the case of letters: keep one")
            .report(problems);
        }
    }
}

fn texts(typed: Option<&Spanned<RawTable>>, problems: &mut Problems) -> BTreeMap<String, String> {
    let entries = typed.into_iter().flat_map(Spanned::get_ref);
    let mut texts = BTreeMap::new();
    for (name, value) in entries {
        let text = match value.get_ref() {
            RawValue::Flag(flag) => flag.to_string(),
            RawValue::Number(number) => number.to_string(),
            RawValue::Fraction(number) if number.is_finite() => format!("{number:?}"),
            RawValue::Text(text) => text.clone(),
            other => {
                let kind = match other {
                    RawValue::Fraction(_) => "not a finite number",
                    other => other.type_name(),
                };
                let message = format!("`{}` is {kind}", name.get_ref());
                Problem::error(value.span(), message)
                    .help("give it a text, a number, `true` or `false`")
                    .report(problems);
                continue;
            }
        };
        let fine = is_plain(name.get_ref(), name.span(), problems)
            && is_plain(&text, value.span(), problems);
        if fine {
            texts.insert(name.get_ref().clone(), text);
        }
    }
    texts
}
