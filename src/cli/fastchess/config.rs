//! Translates a request into a config of Leitai.

use std::path::is_separator;

use super::engine::{Engine, Limit, Stage};
use super::request::{MatchRequest, Tables};
use crate::cli::prelude::*;
use leitai_config::{TableResults, quoted};

/// Minutes that a move to a depth may take: fastchess waits for ever. Under a node limit the usual
/// limit of a config holds.
const MOVE_TIMEOUT_MINUTES: u64 = 60;

/// Nodes that an engine may report beyond its limit: fastchess does not check.
const NODE_MARGIN: u64 = 1_000_000_000_000_000;

/// The config, with comments where defaults matter.
pub(super) fn config(request: &MatchRequest) -> String {
    let mut text = String::from("game = \"chess\"\n");
    // Leitai's seeds have 63 bits.
    let seed = request.seed.unwrap_or(0) & (u64::MAX >> 1);
    let comment = "-srand; without it a match draws a seed";
    line(&mut text, "seed", &seed.to_string(), comment);
    if request.chess960 {
        text.push_str("\n[rules]\nchess960 = true\n");
    }
    limits(&mut text, request);
    openings(&mut text, request);
    adjudication(&mut text, request);
    text.push_str("\n[failures]\n");
    text.push_str("tolerate = \"100 %\"             # failures only lose games, as in fastchess\n");
    if !request.recover {
        text.push_str("# Without -recover the first engine that is gone ends the match.\n");
        text.push_str("crash = \"stop\"\ndisconnect = \"stop\"\n");
        // Fastchess scores a timed engine that is far too late as lost on time.
        if !request.engines.iter().any(|engine| engine.limit.is_timed()) {
            text.push_str("stall = \"stop\"\n");
        }
    }
    text.push_str("\n[checks]\n");
    if !request.check_mate_pvs {
        text.push_str("mate = false                   # checked with -check-mate-pvs\n");
    }
    text.push_str("score = true\n");
    record(&mut text, request);
    pairs(&mut text, request);
    contest(&mut text, request);
    for engine in &request.engines {
        variant(&mut text, request, engine);
    }
    text
}

/// Writes `[pairs]`.
fn pairs(text: &mut String, request: &MatchRequest) {
    let mut said = String::new();
    if request.games == 1 {
        said.push_str("games = 1                      # a round is one game\n");
    }
    if request.noswap {
        said.push_str("swap = false                   # -noswap\n");
    }
    if request.reverse {
        said.push_str("reverse = true                 # -reverse\n");
    }
    if !said.is_empty() {
        let _ = write!(text, "\n[pairs]\n{said}");
    }
}

/// Writes `[record]`: the lines and times that comments of `-pgnout` need.
fn record(text: &mut String, request: &MatchRequest) {
    let Some(pgn) = request.output.pgn.as_ref().filter(|pgn| !pgn.style.min) else {
        return;
    };
    text.push_str("\n[record]\n");
    text.push_str("times = true                   # for comments of -pgnout\n");
    if pgn.style.needs_info() {
        text.push_str("info = true\n");
    }
    if !pgn.lines.is_empty() {
        let lines: Vec<String> = pgn.lines.iter().map(|line| quoted(line)).collect();
        let _ = writeln!(text, "lines = [{}]", lines.join(", "));
    }
}

/// The config without its length: identical for a longer match.
pub(super) fn without_length(text: &str) -> String {
    let is_length = |line: &str| line.starts_with("pairs = ") || line.starts_with("max_pairs = ");
    text.lines().filter(|line| !is_length(line)).collect()
}

/// The column of comments.
const COLUMN: usize = 30;

fn line(text: &mut String, key: &str, value: &str, comment: &str) {
    let said = format!("{key} = {value}");
    let _ = writeln!(text, "{said:<COLUMN$} # {comment}");
}

fn limits(text: &mut String, request: &MatchRequest) {
    let Some(first) = request.engines.first() else {
        return;
    };
    text.push_str("\n[limits]\n");
    for (key, value, comment) in limit(&first.limit) {
        match comment {
            "" => drop(writeln!(text, "{key} = {value}")),
            comment => line(text, key, &value, comment),
        }
    }
}

/// Keys, values and comments of a limit.
fn limit(limit: &Limit) -> Vec<(&'static str, String, &'static str)> {
    let mut all = Vec::new();
    let clock = &limit.clock;
    if let Some(first) = clock.stages.first() {
        let word = if clock.is_hourglass { "hourglass " } else { "" };
        let stages: Vec<String> = clock.stages.iter().map(stage).collect();
        let text = format!("\"{word}{}\"", stages.join(", "));
        all.push(("clock", text, "tc="));
        if first.increment > 0 {
            let comment = "the clock starts with time and increment";
            all.push(("first_increment", "true".to_owned(), comment));
        }
    }
    if limit.movetime > 0 {
        let text = format!("\"{}\"", seconds(limit.movetime));
        all.push(("movetime", text, "st="));
    }
    if clock.runs() || limit.movetime > 0 {
        // Fastchess truncates times to whole milliseconds: one is none.
        let text = format!("\"{}ms\"", limit.margin.max(1));
        all.push(("margin", text, "timemargin=; default: none"));
    }
    if limit.nodes > 0 {
        all.push(("nodes", limit.nodes.to_string(), ""));
    }
    if limit.plies > 0 {
        all.push(("depth", limit.plies.to_string(), ""));
    }
    all
}

/// A stage of a clock in a config's notation.
fn stage(stage: &Stage) -> String {
    let moves = match stage.moves {
        0 => String::new(),
        moves => format!("{moves}/"),
    };
    let increment = match stage.increment {
        0 => String::new(),
        increment => format!("+{}", seconds(increment)),
    };
    format!("{moves}{}{increment}", seconds(stage.time))
}

/// Milliseconds as seconds.
fn seconds(millis: i64) -> String {
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    format!("{}s", text.trim_end_matches('0').trim_end_matches('.'))
}

fn openings(text: &mut String, request: &MatchRequest) {
    let openings = &request.openings;
    text.push_str("\n[openings]\n");
    if openings.file.is_empty() {
        text.push_str("# No -openings: all games begin at the usual start.\n");
    } else {
        let _ = writeln!(text, "file = {}", quoted(&openings.file));
        if let Some(format) = openings.format {
            let format = format.name();
            // Not repeated if the file's extension names the format.
            let ending = Path::new(&openings.file).extension();
            let says = ending.is_some_and(|ending| ending.eq_ignore_ascii_case(format));
            if !says {
                let _ = writeln!(text, "format = \"{format}\"");
            }
        }
        let order = ["\"sequential\"", "\"random\""][usize::from(openings.random)];
        let comment = "fastchess draws another order from a seed";
        line(text, "order", order, comment);
        if openings.start > 1 {
            let _ = writeln!(text, "start = {}", openings.start);
        }
        if let Some(plies) = openings.plies {
            let _ = writeln!(text, "plies = {plies}");
        }
    }
    if request.sprt.is_some() && !request.is_timed() {
        let comment = "later laps replace the last plies: repeated games add no evidence";
        line(text, "exhausted", "\"vary\"", comment);
    } else {
        let comment = "after the last opening it starts over";
        line(text, "exhausted", "\"repeat\"", comment);
    }
}

impl MatchRequest {
    /// Returns whether a clock limits any engine.
    pub(super) fn is_timed(&self) -> bool {
        let mut limits = self.engines.iter().map(|engine| &engine.limit);
        limits.any(|limit| limit.clock.runs() || limit.movetime > 0)
    }
}

fn adjudication(text: &mut String, request: &MatchRequest) {
    let mut said = String::new();
    if let Some(resign) = &request.resign {
        let (by, plies) = if resign.twosided {
            ("far", 2 * resign.move_count)
        } else {
            ("loser", resign.move_count)
        };
        let score = resign.score;
        let _ = writeln!(
            said,
            "resign = {{ score = {score}, plies = {plies}, by = \"{by}\" }}"
        );
    }
    if let Some(draw) = &request.draw {
        let (score, plies, after) = (draw.score, 2 * draw.move_count, draw.move_number);
        let _ = writeln!(
            said,
            "draw = {{ score = {score}, plies = {plies}, after_move = {after}, reset = \
             \"irreversible\" }}"
        );
    }
    if let Some(moves) = request.max_moves {
        let _ = writeln!(said, "max_plies = {}", 2 * moves);
    }
    if !said.is_empty() {
        let _ = write!(text, "\n[adjudication]\n{said}");
    }
    if let Tables {
        path: Some(path),
        pieces,
        ignore_fifty,
        results,
    } = &request.tables
    {
        let _ = writeln!(text, "\n[adjudication.syzygy]\npath = {}", quoted(path));
        if *pieces > 0 {
            let _ = writeln!(text, "pieces = {pieces}");
        }
        if *ignore_fifty {
            text.push_str("fifty = false                  # -tbignore50\n");
        }
        if *results != TableResults::All {
            let _ = writeln!(text, "results = \"{}\"", results.name());
        }
    }
}

fn contest(text: &mut String, request: &MatchRequest) {
    let pairs = request.rounds;
    let Some(sprt) = &request.sprt else {
        text.push_str("\n[tournament]\n");
        if let Some(seeds) = request.gauntlet {
            let names = request.engines.iter().take(seeds);
            let names: Vec<String> = names.map(|engine| quoted(&engine.name)).collect();
            let _ = writeln!(
                text,
                "format = \"gauntlet\"\nchallengers = [{}]",
                names.join(", ")
            );
        }
        let _ = writeln!(text, "pairs = {pairs}");
        return;
    };
    let [first, second] = [0, 1].map(|place| {
        let engine = request.engines.get(place);
        engine.map_or_else(String::new, |engine| quoted(&engine.name))
    });
    let _ = write!(
        text,
        "\n[gate]\ncandidate = {first}\nbase = {second}\nmodel = \"{}\"\nelo0 = {:?}\n\
         elo1 = {:?}\nalpha = {:?}\nbeta = {:?}\nmax_pairs = {pairs}\n",
        sprt.model, sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
    );
    text.push_str(if sprt.counts_games {
        "test = \"trinomial\"             # counts games, as without pairs in the report\n"
    } else {
        "overshoot = false              # bounds without correction, as in fastchess\n"
    });
    text.push_str("alike_pairs = 0                # go on where engines play alike\n");
}

fn variant(text: &mut String, request: &MatchRequest, engine: &Engine) {
    let mut command = vec![engine.program()];
    command.extend(words(&engine.args));
    command.extend(engine.arg.iter().cloned());
    let command: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    let _ = write!(
        text,
        "\n[[variant]]\nname = {}\ncommand = [{}]\n",
        quoted(&engine.name),
        command.join(", ")
    );
    if !engine.dir.is_empty() {
        let _ = writeln!(text, "folder = {}", quoted(&engine.dir));
    }
    let protocol = if engine.is_cecp { "cecp" } else { "uci" };
    let _ = writeln!(text, "protocol = \"{protocol}\"");
    if !engine.init.is_empty() {
        let lines: Vec<String> = engine.init.iter().map(|line| quoted(line)).collect();
        let _ = writeln!(text, "init = [{}]", lines.join(", "));
    }
    if engine.restart {
        text.push_str("restart = true\n");
    }
    if engine.ponder {
        text.push_str("ponder = true\n");
    }
    let limits = &engine.limit;
    let first = request.engines.first();
    if first.is_some_and(|first| first.limit != *limits) {
        let own = limit(limits).into_iter();
        let own = own.map(|(key, value, _)| format!("{key} = {value}"));
        let own: Vec<String> = own.collect();
        let _ = writeln!(text, "limits = {{ {} }}", own.join(", "));
    }
    if limits.nodes > 0 {
        let margin = NODE_MARGIN.to_string();
        line(text, "node_margin", &margin, "node counts are not checked");
    }
    let scaled = |millis: u64| (millis as f64 * engine.patience.unwrap_or(1.0)) as u64;
    let [startup, new_game] = [request.startup, request.new_game].map(scaled);
    let _ = writeln!(text, "startup = \"{startup}ms\"");
    if new_game != startup {
        let _ = writeln!(text, "new_game = \"{new_game}ms\"");
    }
    if let Some(ping) = request.ping {
        let _ = writeln!(text, "ping = \"{ping}ms\"");
    }
    if !limits.is_timed() && limits.nodes == 0 {
        let stall = format!("\"{MOVE_TIMEOUT_MINUTES}min\"");
        line(text, "stall", &stall, "a move to a depth");
    }
    if !engine.options.is_empty() {
        let options = engine.options.iter();
        let options = options.map(|(name, value)| format!("{} = {}", quoted(name), plain(value)));
        let options: Vec<String> = options.collect();
        let _ = writeln!(text, "options = {{ {} }}", options.join(", "));
    }
    if !engine.options.is_empty() || engine.ponder {
        text.push_str(
            "unknown_options = \"skip\"       # engines play without options that they lack\n",
        );
    }
}

impl Engine {
    /// The program: within `dir`, in the current folder, or on the PATH.
    fn program(&self) -> String {
        let cmd = self.cmd.strip_prefix("./").unwrap_or(&self.cmd);
        if !self.dir.is_empty() {
            if Path::new(cmd).is_absolute() {
                return cmd.to_owned();
            }
            return format!("{}/{cmd}", self.dir.trim_end_matches(is_separator));
        }
        // A bare name is searched on the PATH; a path is relative to the current folder.
        if self.cmd.contains(is_separator) {
            return self.cmd.clone();
        }
        if Path::new(cmd).is_file() {
            return format!("./{cmd}");
        }
        cmd.to_owned()
    }
}

/// The value of an option: numbers and booleans verbatim, everything else in quotes.
fn plain(value: &str) -> String {
    let is_number = value
        .parse::<i64>()
        .is_ok_and(|number| number.to_string() == value);
    if is_number || ["true", "false"].contains(&value) {
        return value.to_owned();
    }
    quoted(value)
}

/// The words of `args=`, split as by a shell: at blanks outside quotes.
fn words(args: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = args.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == letter => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, ' ' | '\t') => all.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    all.extend(word);
    all
}
