//! The profile of a program, from a variant's keys.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Protocol;
use super::form::Spanned;
use super::problem::{Problem, Problems};
use super::program::{Profile, Unsaid};
use super::program_check::CheckContext;
use super::program_typed::{Habit, Texts, Typed};
use super::raw::Text;
use super::search::Raw;
use super::value::{choice, optional, setting_or};
use leitai_game::card::GameCard;

/// The profile of the preset or the protocol, changed by the variant's other keys; and its
/// unspecified parts.
pub(super) fn profile(
    typed: &Typed,
    context: &CheckContext,
    span: Range<usize>,
    problems: &mut Problems,
) -> Option<(Profile, Unsaid)> {
    let known = context.games.iter().flat_map(|card| card.facts().programs);
    let known: Vec<_> = known.map(|program| (program.name, program)).collect();
    let preset = typed.preset.as_ref();
    let preset = preset.map(|name| choice(name, "program preset", &known, problems));
    let protocol = typed.protocol.as_ref();
    let protocol = protocol.map(|name| setting_or(Some(name), Protocol::Uci, "protocol", problems));
    let profile = match (preset, protocol) {
        (Some(preset), _) => Profile::known(preset?),
        (None, Some(protocol)) => Profile::of(protocol?),
        (None, None) => {
            let problem = Problem::error(span, "a program of which nobody knows what it speaks");
            let ways: Vec<String> = context.games.iter().filter_map(ways_to_speak).collect();
            return problem.help(ways.join("\n")).refuse(problems);
        }
    };
    if let (Some(Some(other)), Some(name), Some(place)) = (protocol, &typed.preset, &typed.protocol)
        && other != profile.protocol
    {
        let message = format!("the preset `{}` is for another protocol", name.get_ref());
        Problem::error(place.span(), message)
            .context(name.span(), "the preset")
            .help("remove `protocol`; or remove `preset` and say the rest key by key")
            .report(problems);
    }
    refuse_idle(typed, profile.protocol, context, problems);
    let habit = typed.unknown_options.as_ref();
    let habit = setting_or(habit, Habit::Refuse, "value of `unknown_options`", problems);
    let mut unsaid = Unsaid {
        options: habit == Some(Habit::Skip),
        ..Unsaid::default()
    };
    if let (None, Some(game)) = (&typed.preset, context.game) {
        let facts = game.card.facts();
        // A config that sets the notation, or an option of a preset, excludes other presets.
        let is_said = |key: &&str| typed.place(key).is_some();
        let says_ways = facts.ways.iter().any(is_said) || is_said(&"usermove");
        let options = typed.options.iter().flat_map(Spanned::get_ref);
        let options: Vec<&str> = options.map(|(name, _)| name.get_ref().as_str()).collect();
        let sets = |&(name, _): &(&str, &str)| {
            let mut said = options.iter();
            said.any(|said| said.eq_ignore_ascii_case(name))
        };
        let may_be = facts.programs.iter().copied().filter(|program| {
            let is_by_hand = says_ways || program.options.iter().any(sets);
            program.ways.protocol == profile.protocol && !is_by_hand
        });
        // Problems of the other keys are reported only once, below.
        unsaid.presets = may_be
            .map(|program| {
                let profile = worded(typed, Profile::known(&program), &mut Problems::default());
                (program, under_rules(profile, context))
            })
            .collect();
        unsaid.ranks = typed.rank_base.is_none() && facts.ways.contains(&"rank_base");
    }
    Some((
        under_rules(worded(typed, profile, problems), context),
        unsaid,
    ))
}

/// The profile under the rules of the config, with the options that the rules require.
fn under_rules(mut profile: Profile, context: &CheckContext) -> Profile {
    if let Some(game) = context.game {
        profile.rules = Some(game.rules);
        for &(name, value) in game.card.options_for(&profile.ways()) {
            let is_it = |said: &String| said.eq_ignore_ascii_case(name);
            if !profile.options.keys().any(is_it) {
                profile.options.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    profile
}

/// A profile with the config's own settings applied.
fn worded(typed: &Typed, mut profile: Profile, problems: &mut Problems) -> Profile {
    let letters = typed.letters.as_ref();
    let letters = setting_or(letters, profile.letters, "letters", problems);
    profile.letters = letters.unwrap_or(profile.letters);
    let base = optional(typed.rank_base.as_ref(), "rank_base", problems);
    profile.rank_base = base.unwrap_or(profile.rank_base);
    if let Some(number) = &typed.fen_fields {
        match number.get_ref() {
            4 => profile.fen_fields = 4,
            6 => profile.fen_fields = 6,
            _ => problems.push(
                Problem::error(number.span(), "`fen_fields` is neither 4 nor 6")
                    .help("6: board, side, two dashes, two counters; 4: without the dashes"),
            ),
        }
    }
    let margin = typed.node_margin.as_ref();
    let margin = optional(margin, "node_margin", problems);
    profile.node_margin = margin.unwrap_or(profile.node_margin);
    let flag =
        |typed: &Option<Spanned<bool>>, usual| typed.as_ref().map_or(usual, |flag| *flag.get_ref());
    profile.usermove = flag(&typed.usermove, profile.usermove);
    profile.milliseconds = flag(&typed.milliseconds, profile.milliseconds);
    let passes = typed.passes.as_ref();
    let passes = setting_or(passes, profile.passes, "value of `passes`", problems);
    profile.passes = passes.unwrap_or(profile.passes);
    profile.restart = flag(&typed.restart, profile.restart);
    if let Some(lines) = &typed.init {
        let lines = lines.get_ref().iter();
        profile.init = lines.filter_map(|line| plain(line, problems)).collect();
    }
    profile.options = texts(typed.options.as_ref(), problems);
    profile.environment = texts(typed.environment.as_ref(), problems);
    check_names(typed, problems);
    profile.usual_options.retain(|usual, _| {
        !profile
            .options
            .keys()
            .any(|name| name.eq_ignore_ascii_case(usual))
    });
    profile
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
fn refuse_idle(typed: &Typed, protocol: Protocol, context: &CheckContext, problems: &mut Problems) {
    let mut refuse = |key: &str, fits: bool, to: &str| {
        if let Some(place) = typed.place(key).filter(|_| !fits) {
            Problem::error(place, format!("`{key}` belongs to {to}"))
                .help("remove it: this program is not spoken to that way")
                .report(problems);
        }
    };
    let is_cecp = protocol == Protocol::Cecp;
    refuse("usermove", is_cecp, "the protocol `cecp`");
    let is_ucci = protocol == Protocol::Ucci;
    refuse("milliseconds", is_ucci, "the protocol `ucci`");
    let carries = |card: &&dyn GameCard| card.facts().protocols.contains(&protocol);
    let own = context.game.map(|game| game.card).filter(carries);
    for key in WAYS {
        let looks_at = |card: &&dyn GameCard| card.facts().ways.contains(&key);
        let theirs: Vec<_> = context.games.iter().filter(looks_at).collect();
        let (is_looked_at, to) = if own.as_ref().is_some_and(looks_at) {
            let protocols = own.iter().flat_map(|card| card.facts().protocols);
            let useful = protocols.filter(|it| it.has_use_for(key));
            let names: Vec<_> = useful.map(|it| format!("`{}`", it.name())).collect();
            (true, format!("the protocol {}", names.join(" or ")))
        } else {
            let title = theirs
                .first()
                .map_or("another game", |card| card.facts().title);
            let is_looked_at = own.is_none() && theirs.iter().any(carries);
            (is_looked_at, format!("the protocols of {title}"))
        };
        let fits = is_looked_at && protocol.has_use_for(key);
        refuse(key, fits, &to);
    }
}

/// Help for naming the protocol of a game's programs; `None` if no program plays the game.
fn ways_to_speak(card: &'static dyn GameCard) -> Option<String> {
    /// Column limit after which the second alternative starts a new line.
    const WIDE: usize = 80;
    let or = |names: &[&str]| match names {
        [] => String::new(),
        names => format!(" (or `{}`)", names.join("`, `")),
    };
    let protocols: Vec<&str> = card.facts().protocols.iter().map(|it| it.name()).collect();
    let (first, others) = protocols.split_first()?;
    let protocol = format!("`protocol = \"{first}\"`{}", or(others));
    let programs: Vec<&str> = card.facts().programs.iter().map(|it| it.name).collect();
    let Some((first, others)) = programs.split_first() else {
        return Some(format!("{}: add {protocol}", card.facts().title));
    };
    let preset = format!(
        "{}: add `preset = \"{first}\"`{}",
        card.facts().title,
        or(others)
    );
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
            .help("a program is told one line at a time: write one line")
            .report(problems);
    }
    fine
}

/// Refuses invalid names of environment variables, and duplicate options.
fn check_names(typed: &Typed, problems: &mut Problems) {
    let names = |texts: &Option<Spanned<Texts>>| -> Vec<Text> {
        let texts = texts.iter().flat_map(Spanned::get_ref);
        texts.map(|(name, _)| name.clone()).collect()
    };
    for name in names(&typed.environment) {
        if name.get_ref().is_empty() || name.get_ref().contains('=') {
            Problem::error(name.span(), "no name of a variable")
                .help("a name is not empty and has no `=` in it")
                .report(problems);
        }
    }
    let options = names(&typed.options);
    for (index, name) in options.iter().enumerate() {
        let same = |other: &&Text| other.get_ref().eq_ignore_ascii_case(name.get_ref());
        if let Some(first) = options[..index].iter().find(same) {
            Problem::error(name.span(), format!("option `{}` twice", name.get_ref()))
                .context(first.span(), "the first one")
                .help("programs do not tell upper from lower case: keep one")
                .report(problems);
        }
    }
}

fn texts(typed: Option<&Spanned<Texts>>, problems: &mut Problems) -> BTreeMap<String, String> {
    let entries = typed.into_iter().flat_map(Spanned::get_ref);
    let mut texts = BTreeMap::new();
    for (name, value) in entries {
        let text = match value.get_ref() {
            Raw::Flag(flag) => flag.to_string(),
            Raw::Number(number) => number.to_string(),
            Raw::Text(text) => text.clone(),
            other => {
                let message = format!("`{}` is {}", name.get_ref(), other.what());
                Problem::error(value.span(), message)
                    .help("give it a text, a whole number, `true` or `false`")
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
