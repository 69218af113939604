//! Reports events in the lines of fastchess.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::Mutex;

use sha2::{Digest, Sha256};

use super::log::{Log, LogLevel};
use super::outcomes::{Outcomes, half_points};
use super::pgn_file::{GamesFile, TAG};
use super::reasons::{failure, illegal, reason, sign_mismatch, skipped_option, warning};
use super::request::Output;
use super::stdout::MatchOutput;
use super::table::Dialect;
use super::typed::translated;
use crate::cli::live::{ReportedFailures, eprint_notice, report_failures};
use crate::cli::prelude::*;
use leitai_base::threads::lock;
use leitai_config::Format;
use leitai_game::card::AnyPosition;
use leitai_game::{Cause, Side, Verdict};
use leitai_players::play::{Fault, GameRecord, PairRecord};
use leitai_players::player::GameId;
use leitai_players::schedule::{Schedule, hexadecimal};
use leitai_report::{
    EndedGame, GameCounts, LivePgn, cutechess, difference_line, format_cutechess_test_line,
    match_block, ranking, score_line, setting, test_line,
};
use leitai_runs::tournament::StoppingFailure;
use leitai_session::{Cancel, Estimate, Event, Level, Notice};

/// The line above and below a block.
const RULE: &str = "--------------------------------------------------\n";

/// Listens to a session, and reports it on standard output.
pub(super) struct FastchessPrinter {
    /// The line of the first stage, until it is printed.
    start: Mutex<Option<String>>,
    state: Mutex<State>,
    failed: Mutex<ReportedFailures>,
    /// Cancels the session when the reader of standard output has gone.
    cancel: &'static Cancel,
}

struct State {
    out: Arc<MatchOutput>,
    output: Output,
    games: OutputFiles,
    log: Option<Arc<Log>>,
    /// The schedule, once it is known.
    played: Option<MatchInfo>,
    /// Games that were reported as started.
    started: HashSet<u64>,
    /// The lines of finished games whose pairs are not counted yet.
    finished: BTreeMap<u64, String>,
    ended: u64,
    /// By pairing; the player that is first in the config is first.
    counts: BTreeMap<[usize; 2], GameCounts>,
    outcomes: Outcomes,
    /// The pairing whose block waits for the LLR of the test.
    due: Option<[usize; 2]>,
    /// The number of ended games at the last block.
    games_at_block: u64,
    /// The number of ended games at the last outcomes.
    games_at_outcomes: u64,
    level: Option<leitai_stats::Level>,
    failures: Vec<[u64; 2]>,
    /// The first write error.
    trouble: Option<Failure>,
}

/// The files of games.
#[derive(Default)]
pub(super) struct OutputFiles {
    pub(super) pgn: Option<(GrowingFile, LivePgn)>,
    pub(super) epd: Option<GrowingFile>,
}

/// A file of games, before and after it is opened.
pub(super) enum GrowingFile {
    Prepared(OutputFile),
    Open(GamesFile),
    /// It could not be opened.
    Failed,
}

impl GrowingFile {
    /// Opens the file.
    fn open(
        &mut self,
        open: impl FnOnce(OutputFile) -> Result<GamesFile, Failure>,
    ) -> Result<(), Failure> {
        if let Self::Prepared(file) = std::mem::replace(self, Self::Failed) {
            let name = shown_path(file.name()).to_string();
            let file = open(file)?;
            if file.was_emptied {
                eprint(&format!(
                    "note: {name} had games of another match, which `append=false` removed"
                ));
            }
            *self = Self::Open(file);
        }
        Ok(())
    }

    fn ready(&mut self) -> Option<&mut GamesFile> {
        match self {
            Self::Open(file) => Some(file),
            _ => None,
        }
    }
}

struct MatchInfo {
    names: Vec<String>,
    schedule: Schedule,
    setting: String,
    /// The hypotheses of a test.
    elo: Option<[f64; 2]>,
    /// The number of challengers of a gauntlet.
    seeds: Option<usize>,
}

impl MatchInfo {
    fn of(plan: &Plan) -> Self {
        let variants = plan.config.variants.iter();
        let names: Vec<String> = variants.map(|variant| variant.name.clone()).collect();
        let pair = [0, 1].map(|place| names.get(place).map_or("", String::as_str));
        let gate = plan.config.gate.as_ref();
        let tournament = plan.config.tournament.as_ref();
        Self {
            setting: setting(&plan.config, pair),
            schedule: plan.schedule.clone(),
            elo: gate.map(|gate| gate.stated().1),
            seeds: tournament
                .filter(|it| it.format == Format::Gauntlet)
                .map(|it| {
                    let sides = it.sides.as_ref();
                    sides.map_or(1, |sides| sides.challengers.len())
                }),
            names,
        }
    }

    fn games(&self) -> u64 {
        self.schedule.games_of(self.schedule.len())
    }

    fn name(&self, player: usize) -> &str {
        self.names.get(player).map_or("?", String::as_str)
    }

    /// The players of a game, White first, and its number from 1.
    fn game(&self, pair: u64, game: usize) -> ([usize; 2], u64) {
        let spec = self.schedule.pair(pair);
        let players = spec.games().nth(game).unwrap_or(spec.variants);
        (players, self.schedule.games_of(pair) + game as u64 + 1)
    }

    fn finished_line(&self, pair: u64, game: usize, verdict: Verdict, reason: &str) -> String {
        let ([white, black], number) = self.game(pair, game);
        format!(
            "Finished game {number} ({} vs {}): {} {{{reason}}}\n",
            self.name(white),
            self.name(black),
            verdict.result_text()
        )
    }
}

/// A digest of the match without its length: a longer match begins with the same games.
fn identity(plan: &Plan) -> String {
    let mut config = plan.config.clone();
    if let Some(tournament) = &mut config.tournament {
        tournament.pairs = 1;
    }
    if let Some(gate) = &mut config.gate {
        gate.max_pairs = None;
    }
    let mut hasher = Sha256::new();
    hasher.update(config.resolved().unwrap_or_default());
    hasher.update(plan.book.digest(false));
    hexadecimal(&hasher.finalize())
}

impl FastchessPrinter {
    /// `start` is a line that the first stage prints.
    pub(super) fn new(
        start: String,
        output: Output,
        games: OutputFiles,
        log: Option<Arc<Log>>,
        out: Arc<MatchOutput>,
        cancel: &'static Cancel,
    ) -> Self {
        let state = State {
            out,
            output,
            games,
            log,
            played: None,
            started: HashSet::new(),
            finished: BTreeMap::new(),
            ended: 0,
            counts: BTreeMap::new(),
            outcomes: Outcomes::default(),
            due: None,
            games_at_block: 0,
            games_at_outcomes: 0,
            level: None,
            failures: Vec::new(),
            trouble: None,
        };
        Self {
            start: Mutex::new(Some(start)),
            state: Mutex::new(state),
            failed: Mutex::default(),
            cancel,
        }
    }

    /// Ends the session if the reader has gone, or games cannot be written.
    fn look(&self, state: &State) {
        if state.out.is_unread() || state.trouble.is_some() {
            self.cancel.set();
        }
    }

    /// Creates the PGN file of a match that does not begin.
    pub(super) fn create_files(&self) {
        let mut state = lock(&self.state);
        if let Some((file, _)) = &mut state.games.pgn {
            // The caller reports the failure that ends the match, not this one.
            let _ = file.open(|file| GamesFile::resume(file, "", true));
        }
    }

    /// The write error, if any.
    pub(super) fn trouble(&self) -> Option<Failure> {
        lock(&self.state).trouble.take()
    }

    /// Prints a line; the log has it with this level.
    pub(super) fn say(&self, level: LogLevel, line: &str) {
        lock(&self.state).print(level, &format!("{line}\n"));
    }

    /// Reports the game whose failure ended a match without `-recover`.
    pub(super) fn stopped(&self, failure: &StoppingFailure) {
        lock(&self.state).stopped(failure);
    }

    /// Reports the end; `accepted` is the accepted hypothesis of a test.
    pub(super) fn end(&self, accepted: Option<&str>) {
        lock(&self.state).end(accepted);
    }
}

impl Listener for FastchessPrinter {
    fn notify(&self, event: &Event) {
        match event {
            Event::Notice(notice) => {
                let level = match notice.level {
                    Level::Warning => LogLevel::Warn,
                    _ => LogLevel::Info,
                };
                if let Some(log) = &lock(&self.state).log {
                    log.write(level, &notice.text);
                }
                eprint_notice(&Notice {
                    text: translated(&notice.text),
                    help: notice.help.as_deref().map(translated),
                    ..*notice
                });
            }
            Event::OptionSkipped {
                player,
                option,
                value,
                refused,
                malformed,
            } => {
                let refused = refused.as_deref().map(|reason| (reason, *malformed));
                let text = skipped_option(player, (option, value), refused);
                let mut state = lock(&self.state);
                state.print(LogLevel::Warn, &text);
                self.look(&state);
            }
            Event::StageBegun(_) => lock(&self.start).take().iter().for_each(|it| eprint(it)),
            Event::GameBegun { game, .. } if game.attempt == 1 => {
                let mut state = lock(&self.state);
                state.start(game.pair, usize::from(game.game.saturating_sub(1)));
                self.look(&state);
            }
            // Clients of a test environment count words in these lines, as if each were a game.
            Event::Pair(_) if lock(&self.state).output.test_env => {}
            Event::Pair(pair) => {
                let mut reported = lock(&self.failed);
                report_failures(pair, &mut reported, eprint);
            }
            Event::Estimate {
                estimate: Estimate::Gate(summary),
                ..
            } => {
                let mut state = lock(&self.state);
                state.level = summary.candidates.first().map(|it| it.level);
                if let Some(pairing) = state.due.take() {
                    state.block(pairing);
                }
                self.look(&state);
            }
            _ => {}
        }
    }

    fn wants_games(&self) -> bool {
        true
    }

    fn wants_estimate(&self) -> bool {
        lock(&self.state).due.is_some()
    }

    fn wants_recorded_pairs(&self) -> bool {
        true
    }

    fn planned(&self, plan: &Plan) {
        let mut state = lock(&self.state);
        state.played = Some(MatchInfo::of(plan));
        state.failures = vec![[0; 2]; plan.config.variants.len()];
        let run = identity(plan);
        let State { games, output, .. } = &mut *state;
        let mut opened = Ok(());
        if let Some((file, _)) = &mut games.pgn {
            let append = output.pgn.as_ref().is_none_or(|pgn| pgn.append);
            opened = file.open(|file| GamesFile::resume(file, &run, append));
        }
        if let Some(file) = &mut games.epd {
            let append = output.epd.as_ref().is_none_or(|epd| epd.append);
            let epd = file.open(|file| GamesFile::resume_epd(file, &run, append));
            opened = opened.and(epd);
        }
        state.trouble = opened.err();
        self.look(&state);
    }

    fn game_ended(&self, game: GameId, first_to_move: Side, record: &GameRecord) {
        let mut state = lock(&self.state);
        state.finish_early(game, first_to_move, record);
        self.look(&state);
    }

    fn pair_counted(&self, plan: &Plan, pair: &PairRecord) {
        let mut state = lock(&self.state);
        state.pair(plan, pair);
        self.look(&state);
    }
}

impl State {
    fn print(&mut self, level: LogLevel, text: &str) {
        if let Some(log) = &self.log {
            log.write(level, text);
        }
        self.out.print(text);
    }

    fn start(&mut self, pair: u64, game: usize) {
        let Some(played) = &self.played else {
            return;
        };
        let ([white, black], number) = played.game(pair, game);
        let line = format!(
            "Started game {number} of {} ({} vs {})\n",
            played.games(),
            played.name(white),
            played.name(black)
        );
        if self.started.insert(number) {
            self.print(LogLevel::Info, &line);
        }
    }

    fn pair(&mut self, plan: &Plan, pair: &PairRecord) {
        let Some(played) = &self.played else {
            return;
        };
        let total = played.games();
        let spec = played.schedule.pair(pair.index);
        let Some(start) = plan.start(&spec) else {
            return;
        };
        let [white, black] = spec.variants;
        let pairing = [white.min(black), white.max(black)];
        let before = self.ended;
        for (game, record) in pair.games.iter().enumerate() {
            self.start(pair.index, game);
            self.finish(plan, (pair, game), &*start, record);
        }
        let points: Vec<u8> = pair
            .games
            .iter()
            .map(|it| it.half_points(pairing[0]))
            .collect();
        if let &[one, two] = points.as_slice() {
            self.counts.entry(pairing).or_default().pair([one, two]);
        }
        let is_due = match self.output.rating_interval {
            // In cutechess the interval is in games: `count` reports it.
            _ if self.output.dialect == Dialect::Cutechess => return,
            None => false,
            Some(interval) if self.output.penta => (pair.index + 1).is_multiple_of(interval),
            Some(interval) => self.ended / interval > before / interval,
        };
        if is_due || self.ended >= total {
            self.block_when_known(pairing);
        }
    }

    /// Reports a block; that of a test waits for its LLR.
    fn block_when_known(&mut self, pairing: [usize; 2]) {
        if self.is_test() {
            self.due = Some(pairing);
        } else {
            self.block(pairing);
        }
    }

    fn is_test(&self) -> bool {
        self.played.as_ref().is_some_and(|it| it.elo.is_some())
    }

    /// Counts a game after its line, and reports the numbers that are due.
    fn count(&mut self, players: [usize; 2], winner: Option<Side>, reason: &str) {
        let [white, black] = players;
        let pairing = [white.min(black), white.max(black)];
        let side = [Side::First, Side::Second][usize::from(white > black)];
        let counts = self.counts.entry(pairing).or_default();
        counts.games.record(half_points(side, winner));
        self.ended += 1;
        self.outcomes.record(players, winner, reason);
        self.score(pairing);
        if self.output.dialect == Dialect::Cutechess {
            let ended = self.ended;
            let is_due =
                |interval: Option<u64>| interval.is_some_and(|it| ended.is_multiple_of(it));
            if is_due(self.output.rating_interval) {
                self.block_when_known(pairing);
            }
            if is_due(self.output.outcome_interval) {
                self.print_outcomes();
            }
        }
    }

    fn print_outcomes(&mut self) {
        let names = self.played.as_ref().map_or(&[][..], |played| &played.names);
        let text = self.outcomes.text(names);
        self.games_at_outcomes = self.ended;
        self.print(LogLevel::Info, &text);
    }

    /// Prints the `Finished game` line of a game at once. Failures, warnings, second games after
    /// these, replays, tests and cutechess's lines wait for their pair.
    fn finish_early(&mut self, game: GameId, first_to_move: Side, record: &GameRecord) {
        let Some(played) = &self.played else {
            return;
        };
        if self.output.cutechess || played.elo.is_some() || game.attempt > 1 {
            return;
        }
        let Verdict { cause, winner } = record.verdict;
        let is_plain = !cause.is_failure()
            && record.pv_warnings.is_empty()
            && sign_mismatch(record, [""; 2], first_to_move).is_none();
        let (pair, place) = (game.pair, usize::from(game.game.saturating_sub(1)));
        let number = played.game(pair, place).1;
        if !is_plain || place > 0 && !self.finished.contains_key(&(number - 1)) {
            return;
        }
        let reason = reason(cause, winner, record.times.late, self.output.dialect);
        let line = played.finished_line(pair, place, record.verdict, &reason);
        self.start(pair, place);
        self.print(LogLevel::Info, &line);
        self.finished.insert(number, line);
    }

    fn finish(
        &mut self,
        plan: &Plan,
        (pair, game): (&PairRecord, usize),
        start: &dyn AnyPosition,
        record: &GameRecord,
    ) {
        let Some(played) = &self.played else {
            return;
        };
        // Fastchess scores a timed engine that is far too late as lost on time.
        let mut record = record.clone();
        if record.verdict.cause == Cause::Stall && is_timed(plan, &record) {
            record.verdict.cause = Cause::TimeForfeit;
        }
        let record = &record;
        let number = played.game(pair.index, game).1;
        let (winner, cause) = (record.verdict.winner, record.verdict.cause);
        let dialect = self.output.dialect;
        let reason = reason(cause, winner, record.times.late, dialect);
        let evidence = pair.evidence.of(pair.replays() + 1, game);
        let illegal = match cause {
            Cause::IllegalMove | Cause::MalformedOutput => illegal(evidence),
            _ => None,
        };
        let full_reason = match &illegal {
            Some(illegal) if dialect == Dialect::Cutechess => format!("{reason}: {illegal}"),
            _ => reason.clone(),
        };
        let line = played.finished_line(pair.index, game, record.verdict, &full_reason);
        let ended = EndedGame {
            pair,
            number: game,
            game: record,
            start,
            reason: &reason,
            illegal: illegal.as_deref(),
            own: (TAG, ""),
        };
        if let Err(error) = self.write(plan, number, &ended) {
            let what = Failure::new(error).context("cannot write the games");
            self.trouble.get_or_insert(what);
        }
        let failed = match cause {
            Cause::TimeForfeit => Some(0),
            Cause::Crash | Cause::Disconnect | Cause::Stall => Some(1),
            _ => None,
        };
        let loser = winner.map(|winner| record.variant(winner.other()));
        if let Some((failures, kind)) = loser.and_then(|it| self.failures.get_mut(it)).zip(failed) {
            failures[kind] += 1;
        }
        let name = |variant: usize| plan.config.variants[variant].name.as_str();
        let in_one = self.output.test_env;
        let mut warnings = String::new();
        for warned in &record.pv_warnings {
            let name = name(record.variant(warned.side));
            warnings += &self::warning(&warned.first, name, in_one);
        }
        let names = [record.first, record.second].map(name);
        warnings.extend(sign_mismatch(record, names, start.side_to_move()));
        if let Some(loser) = loser {
            warnings += &failure(name(loser), cause, evidence, in_one);
        }
        self.print(LogLevel::Warn, &warnings);
        // A pair that was played again may have another result.
        if self.finished.remove(&number).as_ref() != Some(&line) {
            self.print(LogLevel::Info, &line);
        }
        self.count([record.first, record.second], winner, &full_reason);
    }

    /// Writes a game into the files of games.
    fn write(&mut self, plan: &Plan, number: u64, ended: &EndedGame<'_>) -> io::Result<()> {
        let State { games, output, .. } = self;
        let mut crc = None;
        if let Some((file, style)) = &mut games.pgn
            && let Some(file) = file.ready()
            && !file.has(number)
        {
            let value = file.value(number);
            let ended = EndedGame {
                own: (TAG, &value),
                ..*ended
            };
            let text = style.text(plan, &ended);
            file.add(number, &text)?;
            let is_wanted = output.pgn.as_ref().is_some_and(|pgn| pgn.crc);
            crc = is_wanted.then(|| file.crc_line());
        }
        if let Some(file) = games.epd.as_mut().and_then(GrowingFile::ready)
            && !file.has(number)
        {
            let mut position = ended.start.boxed();
            for ply in &ended.game.plies {
                position.play(ply.mv);
            }
            let text = epd_line(&position.to_fen(), &file.value(number));
            file.add(number, &text)?;
        }
        if let Some(line) = crc {
            self.print(LogLevel::Info, &line);
        }
        Ok(())
    }

    /// The score, as cutechess reports it.
    fn score(&mut self, pairing: [usize; 2]) {
        let Some(played) = &self.played else {
            return;
        };
        let interval = self.output.score_interval;
        let is_due = interval.is_some_and(|interval| self.ended.is_multiple_of(interval));
        // cutechess-cli prints `Score of` only in a match of two players.
        let is_wanted = self.output.dialect == Dialect::Fastchess || played.names.len() == 2;
        if !self.output.cutechess || !is_wanted || !is_due && self.ended < played.games() {
            return;
        }
        let names = pairing.map(|player| played.name(player));
        let counts = self.counts.get(&pairing).copied().unwrap_or_default();
        let line = score_line(names, &counts);
        self.print(LogLevel::Info, &line);
    }

    fn block(&mut self, pairing: [usize; 2]) {
        let Some(played) = &self.played else {
            return;
        };
        if self.output.dialect == Dialect::Cutechess {
            let text = self.cutechess_block(played);
            self.games_at_block = self.ended;
            return self.print(LogLevel::Info, &text);
        }
        let (cutechess, penta) = (self.output.cutechess, self.output.penta);
        let counts = self.counts.get(&pairing).copied().unwrap_or_default();
        let names = pairing.map(|player| played.name(player));
        let mut text = match played.names.len() {
            2 if cutechess => difference_line(&counts),
            2 => match_block(names, &played.setting, &counts, penta),
            players => {
                let all = (0..players).map(|player| (played.name(player), self.of_player(player)));
                ranking(&all.collect::<Vec<_>>(), penta, !cutechess)
            }
        };
        if let Some((level, elo)) = self.level.zip(played.elo) {
            text.push_str(&if cutechess {
                format_cutechess_test_line(&level)
            } else {
                test_line(&level, elo)
            });
        }
        if !cutechess {
            text = format!("{RULE}{text}{RULE}");
        }
        self.games_at_block = self.ended;
        self.print(LogLevel::Info, &text);
    }

    fn cutechess_block(&self, played: &MatchInfo) -> String {
        let all = (0..played.names.len()).map(|it| (played.name(it), self.of_player(it).games));
        let all: Vec<_> = all.collect();
        let mut text = match all[..] {
            [(name, games), _] => cutechess::match_lines(name, self.outcomes.white, games),
            _ => cutechess::table(&all, played.seeds),
        };
        let level = self.level.as_ref().filter(|_| played.elo.is_some());
        text.extend(level.map(cutechess::test_line));
        text
    }

    fn of_player(&self, player: usize) -> GameCounts {
        let mut all = GameCounts::default();
        for ([first, second], counts) in &self.counts {
            if *first == player {
                all.add(counts);
            } else if *second == player {
                all.add(&counts.mirrored());
            }
        }
        all
    }

    fn stopped(&mut self, failure: &StoppingFailure) {
        let Some(played) = &self.played else {
            return;
        };
        let Fault {
            game,
            variant,
            cause,
            ..
        } = failure.fault;
        let (players, number) = played.game(failure.pair, game);
        let winner = [Side::First, Side::Second][usize::from(players[0] == variant)];
        let reason = reason(cause, Some(winner), failure.late, self.output.dialect);
        let verdict = Verdict::win(winner, cause);
        let line = played.finished_line(failure.pair, game, verdict, &reason);
        let stop = format!(
            "Game {number} stalled / disconnected and no recover option set for engine, stopping \
             tournament.\n"
        );
        if self.output.dialect == Dialect::Fastchess {
            self.print(LogLevel::Warn, &stop);
        }
        self.print(LogLevel::Info, &line);
        self.count(players, Some(winner), &reason);
    }

    fn end(&mut self, accepted: Option<&str>) {
        // The last block covers all games: in cutechess always, in fastchess after an undecided
        // test; other blocks are printed with their pair.
        let is_cutechess = self.output.dialect == Dialect::Cutechess;
        if (is_cutechess || self.is_test() && accepted.is_none())
            && self.games_at_block < self.ended
        {
            self.block([0, 1]);
        }
        if is_cutechess && self.games_at_outcomes < self.ended {
            self.print_outcomes();
        }
        let elo = self
            .played
            .as_ref()
            .and_then(|played| played.elo)
            .filter(|_| !is_cutechess);
        if let Some((hypothesis, [elo0, elo1])) = accepted.zip(elo) {
            self.block([0, 1]);
            if self.output.cutechess {
                self.print(LogLevel::Info, "Tournament finished\n");
            } else {
                self.print(
                    LogLevel::Info,
                    &format!(
                        "SPRT ([{elo0:.2}, {elo1:.2}]) completed - {hypothesis} was accepted\n"
                    ),
                );
            }
        }
        if !self.output.cutechess && self.failures.iter().flatten().any(|&count| count > 0) {
            let failures = self.failures.iter().enumerate();
            let failing = failures.filter(|(_, counts)| **counts != [0, 0]);
            let lines = failing.map(|(player, [timeouts, crashes])| {
                let name = self.played.as_ref().map_or("?", |it| it.name(player));
                format!("Player: {name}\n  Timeouts: {timeouts}\n  Crashed: {crashes}\n")
            });
            let lines: String = lines.collect();
            self.print(LogLevel::Info, &format!("\n{lines}\n"));
        }
        let has_crc = self.output.pgn.as_ref().is_some_and(|pgn| pgn.crc);
        let file = self.games.pgn.as_mut().filter(|_| has_crc);
        if let Some(line) = file.and_then(|(file, _)| Some(file.ready()?.crc_line())) {
            self.print(LogLevel::Info, &line);
        }
    }
}

/// The last position of a game as a line of EPD: four fields of a FEN, and its counters and the mark
/// of the game as operations.
fn epd_line(fen: &str, mark: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let position = fields.get(..4).unwrap_or(&fields).join(" ");
    let [half_moves, number] = [4, 5].map(|place| fields.get(place).copied().unwrap_or("0"));
    format!("{position} hmvc {half_moves}; fmvn {number}; c0 \"{mark}\";\n")
}

/// Returns whether a clock or a time per move limits the loser of the game.
fn is_timed(plan: &Plan, record: &GameRecord) -> bool {
    let winner = record.verdict.winner;
    let loser = winner.map(|winner| record.variant(winner.other()));
    let loser = loser.and_then(|loser| plan.config.variants.get(loser));
    let limits = loser.map(|loser| loser.limits.unwrap_or(plan.config.limits));
    limits.is_some_and(|limits| limits.time.is_some())
}
