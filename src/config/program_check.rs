//! The keys of a `[[variant]]` that is another program, checked.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;

use super::duration::patience;
use super::problem::Problem;
use super::program::{Letters, Preset, Profile, Program, Protocol};
use super::program_typed::{Texts, Typed};
use super::raw::Text;
use super::search::Raw;
use super::tables::Find;
use super::value::{choice, ranged};
use super::{GameChoice, Limits, TimeControl};

/// What the rest of the config means for its players.
#[derive(Clone, Copy)]
pub(super) struct Ground<'f> {
    pub(super) game: Option<GameChoice>,
    pub(super) limits: Limits,
    pub(super) is_study: bool,
    pub(super) find: Find<'f>,
}

/// How long a greeting, and how long a move may take where nothing is said.
const USUAL_PATIENCE: Duration = Duration::from_secs(10);

/// Refuses what belongs to a program where there is none.
pub(super) fn refuse_strays(typed: &Typed, problems: &mut Vec<Problem>) {
    if let (Some((key, span)), false) = (typed.stray(), typed.broken) {
        problems.push(
            Problem::error(
                span,
                format!("`{key}` belongs to a program, and there is none"),
            )
            .help("add `command = [\"...\"]`, or remove the key"),
        );
    }
}

/// The program that a variant's words and those that it inherits describe, under
/// these limits; `None` if something is wrong with it.
pub(super) fn program(
    typed: Typed,
    limits: &Limits,
    ground: &Ground,
    problems: &mut Vec<Problem>,
) -> Option<Program> {
    let command = typed.command.as_ref()?;
    let span = command.span();
    let words: Option<Vec<String>> = command
        .get_ref()
        .iter()
        .map(|word| plain(word, problems))
        .collect();
    if command
        .get_ref()
        .first()
        .is_none_or(|first| first.get_ref().trim().is_empty())
    {
        problems.push(
            Problem::error(span.clone(), "a command without a program").help(
                "name the program first, then its arguments: `command = [\"fairy-stockfish\"]`",
            ),
        );
        return None;
    }
    let profile = profile(&typed, span.clone(), problems);
    if let Some(profile) = &profile {
        check_ground(profile, limits, ground, &span, problems);
    }
    let startup = time(typed.startup.as_ref(), "startup", problems);
    let stall = time(typed.stall.as_ref(), "stall", problems);
    let program = words.zip(profile).map(|(command, profile)| Program {
        executable: executable(&command[0], ground.find),
        command,
        working_folder: typed
            .folder
            .as_ref()
            .map(|folder| found(folder.get_ref(), ground.find)),
        folder: typed.folder.map(Spanned::into_inner),
        profile,
        startup,
        stall,
        found: None,
    });
    program.filter(|_| !typed.broken)
}

/// The profile: that of the preset or of the protocol, with what stands beside.
fn profile(typed: &Typed, span: Range<usize>, problems: &mut Vec<Problem>) -> Option<Profile> {
    let preset = typed.preset.as_ref();
    let preset = preset.map(|name| choice(name, "program preset", &Preset::NAMED, problems));
    let protocol = typed.protocol.as_ref();
    let protocol = protocol.map(|name| choice(name, "protocol", &Protocol::NAMED, problems));
    let mut profile = match (preset, protocol) {
        (Some(preset), _) => Profile::preset(preset?),
        (None, Some(protocol)) => Profile::of(protocol?),
        (None, None) => {
            problems.push(
                Problem::error(span, "a program of which nobody knows what it speaks").help(
                    "add `preset = \"fairy-stockfish\"` (or `hoixiangqi`, `elephanteye`, `pikafish`, \
                     `sjaakii`),\nor `protocol = \"uci\"` (or `ucci`, `cecp`)",
                ),
            );
            return None;
        }
    };
    if let Some(Some(protocol)) = protocol {
        profile.protocol = protocol;
    }
    let schools = [("BN", Letters::Bn), ("EH", Letters::Eh)];
    let letters = typed.letters.as_ref();
    let letters = letters.and_then(|name| choice(name, "letters", &schools, problems));
    profile.letters = letters.unwrap_or(profile.letters);
    let base = typed.rank_base.as_ref();
    let base = base.and_then(|base| ranged(base, "rank_base", 0..=1, problems));
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
    let flag =
        |typed: &Option<Spanned<bool>>, usual| typed.as_ref().map_or(usual, |flag| *flag.get_ref());
    profile.usermove = flag(&typed.usermove, profile.usermove);
    profile.milliseconds = flag(&typed.milliseconds, profile.milliseconds);
    profile.restart = flag(&typed.restart, profile.restart);
    if let Some(lines) = &typed.init {
        let lines = lines.get_ref().iter();
        profile.init = lines.filter_map(|line| plain(line, problems)).collect();
    }
    profile.options = texts(typed.options.as_ref(), problems);
    profile.environment = texts(typed.environment.as_ref(), problems);
    profile.usual_options.retain(|usual, _| {
        !profile
            .options
            .keys()
            .any(|name| name.eq_ignore_ascii_case(usual))
    });
    Some(profile)
}

/// Refuses what a program cannot play.
fn check_ground(
    profile: &Profile,
    limits: &Limits,
    ground: &Ground,
    span: &Range<usize>,
    problems: &mut Vec<Problem>,
) {
    let mut refuse = |message: &str, mend: &str| {
        problems.push(Problem::error(span.clone(), message).help(mend));
    };
    if matches!(ground.game, Some(GameChoice::Othello)) {
        refuse(
            "programs can play Xiangqi only",
            "remove the variant: no protocol for programs that play Othello is known here",
        );
    }
    if ground.is_study {
        refuse(
            "a study looks into the search of its players, and cannot look into a program",
            "remove the variant, or let it play a `[tournament]` without `[study]`",
        );
    }
    if profile.protocol == Protocol::Cecp && limits.nodes.is_some() {
        refuse(
            "the protocol `cecp` has no node limit",
            "limit the games by `depth`, `movetime` or `clock` under `[limits]`",
        );
    }
    let given = [
        limits.nodes.is_some(),
        limits.depth.is_some(),
        limits.time.is_some(),
    ];
    if profile.protocol == Protocol::Ucci
        && given.into_iter().filter(|is_given| *is_given).count() > 1
    {
        refuse(
            "the protocol `ucci` has one limit at a time",
            "keep one of `nodes`, `depth` and the time under `[limits]`",
        );
    }
    let whole = |time: Duration| time.subsec_nanos() == 0;
    let ucci_seconds = profile.protocol == Protocol::Ucci && !profile.milliseconds;
    if limits.reference_nps.is_some() && (profile.protocol == Protocol::Cecp || ucci_seconds) {
        refuse(
            "the program is told its times in whole seconds, which cannot be scaled",
            "remove `reference_nps`",
        );
    }
    match limits.time {
        Some(TimeControl::PerMove(time))
            if (profile.protocol == Protocol::Cecp || ucci_seconds) && !whole(time) =>
        {
            refuse(
                "the program is told its time per move in whole seconds",
                "give a `movetime` of whole seconds, such as `\"1s\"`",
            );
        }
        Some(TimeControl::Clock { base, increment })
            if (profile.protocol == Protocol::Cecp || ucci_seconds)
                && !(whole(base) && whole(increment)) =>
        {
            refuse(
                "the program is told its clock in whole seconds",
                "give a `clock` of whole seconds, such as `\"60s+1s\"`",
            );
        }
        _ => {}
    }
}

/// The text, if it can be handed to a program: a line break in it would begin
/// another command.
fn plain(text: &Text, problems: &mut Vec<Problem>) -> Option<String> {
    is_plain(text.get_ref(), text.span(), problems).then(|| text.get_ref().clone())
}

fn is_plain(text: &str, span: Range<usize>, problems: &mut Vec<Problem>) -> bool {
    let fine = !text.chars().any(char::is_control);
    if !fine {
        problems.push(
            Problem::error(span, "a text with control characters")
                .help("a program is told one line at a time: write one line"),
        );
    }
    fine
}

fn texts(typed: Option<&Spanned<Texts>>, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let entries = typed.into_iter().flat_map(Spanned::get_ref);
    let mut texts = BTreeMap::new();
    for (name, value) in entries {
        let text = match value.get_ref() {
            Raw::Flag(flag) => flag.to_string(),
            Raw::Number(number) => number.to_string(),
            Raw::Text(text) => text.clone(),
            other => {
                problems.push(
                    Problem::error(
                        value.span(),
                        format!("`{}` is {}", name.get_ref(), other.what()),
                    )
                    .help("give it a text, a whole number, `true` or `false`"),
                );
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

fn time(text: Option<&Text>, key: &str, problems: &mut Vec<Problem>) -> Duration {
    let Some(text) = text else {
        return USUAL_PATIENCE;
    };
    patience(text.get_ref()).unwrap_or_else(|error| {
        problems.push(
            Problem::error(text.span(), format!("`{key}` is not a time"))
                .label(error.to_string())
                .help(format!("write it like this: `{key} = \"10s\"`")),
        );
        USUAL_PATIENCE
    })
}

/// The path of the program: where the config's folder has it if the name has a
/// separator, as it is if it is to be looked for in `PATH`.
fn executable(name: &str, find: Find) -> PathBuf {
    if name.contains('/') {
        found(name, find)
    } else {
        PathBuf::from(name)
    }
}

/// The path as found from the config's folder. That it does not exist is said
/// when it is needed: a config may be checked on another machine.
fn found(name: &str, find: Find) -> PathBuf {
    let missing = |tried: Vec<PathBuf>| tried.into_iter().next();
    find(Path::new(name)).unwrap_or_else(|tried| missing(tried).unwrap_or_else(|| name.into()))
}
