//! `leitai engine`: a variant plays for another program.

use std::io::{self, BufRead, Write};

use super::prelude::*;
use leitai_config::{GameChoice, Variant, default_variant, search_preset};
use leitai_players::serve::{Output, Player, Protocol, Session};
use leitai_session::memory;

/// Play a variant for another program, over standard input and output.
///
/// Speaks UCI for any game, with positions as `leitai show` writes them and moves in the game's own
/// form, or UCCI 3.0 or USI if the game supports it. Point a GUI or another tournament manager at this
/// command. Without a config the full search plays with the usual evaluation. At a fixed number of
/// nodes it plays the moves that `leitai run` would.
///
/// A conversation: (printf "position startpos\ngo depth 6\n"; sleep 1) | leitai engine
///
/// To let it play in a tournament of `leitai run`, give a variant the command and the protocol:
/// `command = ["leitai", "engine", "--game", "GAME"]`, `protocol = "uci"`, or the game's own first
/// protocol.
#[derive(Debug, Args)]
#[command(after_help = examples("engine", "--game GAME"))]
pub(super) struct Arguments {
    /// The config that describes the variant.
    config: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// The variant, by default the first one; without a config a preset of the search: full (the
    /// default) or plain.
    #[arg(long)]
    variant: Option<String>,
    /// The protocol of the other program; by default `usi` if the game has it first, else `uci`.
    #[arg(long, value_parser = choice(&PROTOCOLS))]
    protocol: Option<Protocol>,
    /// Announce the options of all square tables too, possibly over a thousand; they can be set
    /// without this.
    #[arg(long)]
    all_options: bool,
    /// The game, if there is no config.
    #[arg(long, conflicts_with = "config", default_value = games::first(), value_parser = games::parser())]
    game: Card,
}

/// The protocols.
const PROTOCOLS: [Choice<Protocol>; 3] = [
    ("uci", "Universal Chess Interface", Protocol::Uci),
    (
        "ucci",
        "Universal Chinese Chess Protocol 3.0, for games that support it",
        Protocol::Ucci,
    ),
    ("usi", "USI, for games that support it", Protocol::Usi),
];

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let player = player(arguments)?;
    let table = [Variant {
        name: player.name.clone(),
        search: player.search.clone(),
        eval: player.eval.clone(),
        program: None,
        player: None,
        limits: None,
    }];
    memory::check_players(&table, 1, NonZeroUsize::MIN)?;
    let protocol = protocol(arguments.protocol, player.game.card)?;
    let output: Output = Arc::new(|text: &str| {
        let mut out = io::stdout().lock();
        // If the other program stops reading, the end of the input follows.
        let _ = writeln!(out, "{text}").and_then(|()| out.flush());
    });
    let mut session = Session::new(protocol, player, output, memory::table_refusal);
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        match read_line(&mut input, &mut line)? {
            InputLine::End => break,
            InputLine::TooLong => session.remark(&format!(
                "a line of more than {LONGEST_LINE} bytes is ignored"
            )),
            InputLine::Line => {
                if !session.handle_line(&String::from_utf8_lossy(&line)) {
                    break;
                }
            }
        }
    }
    session.end();
    Ok(Exit::Success)
}

/// Table size in MiB without a config: the table of a preset fills within seconds, but an engine in
/// a GUI searches for minutes.
const DEFAULT_TABLE: u32 = 16;

/// Bytes of the longest accepted line: the longest possible game fits.
const LONGEST_LINE: usize = 1 << 18;

enum InputLine {
    Line,
    TooLong,
    End,
}

/// Reads a line without its terminator. Discards a line that is too long.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<InputLine, Failure> {
    let failed = "cannot read standard input";
    line.clear();
    let mut limited = io::Read::take(&mut *input, LONGEST_LINE as u64 + 1);
    if limited.read_until(b'\n', line).context(failed)? == 0 {
        return Ok(InputLine::End);
    }
    // The last line may have no terminator.
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > LONGEST_LINE {
        input.skip_until(b'\n').context(failed)?;
        return Ok(InputLine::TooLong);
    }
    Ok(InputLine::Line)
}

/// The protocol for a game.
///
/// # Errors
/// The game does not support the requested protocol.
fn protocol(asked: Option<Protocol>, game: Card) -> Result<Protocol, Failure> {
    let served = Protocol::of(game);
    let title = game.facts().title;
    let Some(&first) = served.first() else {
        bail!("{title} has no protocol that `leitai engine` speaks");
    };
    let protocol = asked.unwrap_or(first);
    if served.contains(&protocol) {
        return Ok(protocol);
    }
    let others: Vec<_> = served.iter().map(|it| it.name()).collect();
    bail!(
        "the protocol `{}` does not support {title}\nhelp: use `--protocol {}`",
        protocol.name(),
        others.join(" or ")
    );
}

fn player(arguments: &Arguments) -> Result<Player, Failure> {
    let asked = arguments.variant.as_deref();
    let (variant, game) = if let Some(path) = &arguments.config {
        let config = load_for_players(path, &arguments.overrides)?.config;
        (choose(&config, asked)?.clone(), config.game)
    } else {
        let game = GameChoice::usual(arguments.game);
        let mut variant = default_variant(game)?;
        let preset = asked.unwrap_or("full");
        variant.search = search_preset(Some(arguments.game), preset).with_context(|| {
            format!(
                "no preset `{preset}` of the search; there are full, plain (a config can \
                 describe others)"
            )
        })?;
        variant.search.table_mb = DEFAULT_TABLE;
        preset.clone_into(&mut variant.name);
        (variant, game)
    };
    if variant.program.is_some() {
        bail!(
            "`{}` is another program, and speaks for itself\n\
             help: choose another variant with --variant",
            variant.name
        );
    }
    if let Some(other) = variant.player {
        bail!(
            "the player `{}` does not play for other programs",
            other.name()
        );
    }
    Ok(Player {
        name: variant.name,
        search: variant.search,
        eval: variant.eval,
        announces_squares: arguments.all_options,
        game,
    })
}
