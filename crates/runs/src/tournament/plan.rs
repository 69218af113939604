//! The plan of a run: config, openings and schedule, and the run's identity.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::tune_plan::method_of;
use super::{RemoteWorkers, ReusedPairs, RunError, TunePlan, has_same_result};
use crate::store::{
    Opening as StoredOpening, PairRow, RunHandle, Snapshot, Speed, Store, StoreError, StoredBook,
};
use leitai_base::foreign::shown_path;
use leitai_config::{Checks, Config, Exhausted, FailurePolicies, Kept, Limits, Variant};
use leitai_game::card::{AnyPosition, GameCard, GameChoice, OpenTables};
use leitai_game::search::SearchLimits;
use leitai_players::play::{Cores, RepeatBudget, Terms};
use leitai_players::player::external::dialogue::DialogueTarget;
use leitai_players::player::{
    Dialogues, External, GameId, InProcess, MetEngines, Observed, Observer, Openings, Player,
    SilenceListener, guarded, thinker,
};
use leitai_players::schedule::{
    Book, BookError, Opening, OpeningVariations, PairSpec, Schedule, ScheduleError,
    different_starts, hexadecimal,
};

/// All that determines a run's games.
#[derive(Debug)]
pub struct Plan {
    /// The checked config.
    pub config: Config,
    /// The openings.
    pub book: Book,
    /// The origin of the openings, for programs that need their moves.
    pub origins: Openings,
    /// The numbered pairs.
    pub schedule: Schedule,
    /// Start positions of games that repeat an opening; `None` if none does, or if it is repeated
    /// unchanged.
    variations: Option<OpeningVariations>,
    /// The terms of play.
    pub terms: Terms,
    /// Options of play that are not part of the identity.
    pub execution_options: ExecutionOptions,
    /// The speed of the machine at each start, including this one, if clocks are scaled by it.
    pub speeds: Vec<Speed>,
    /// The recorded run that this one continues from its beginning.
    pub earlier: Option<ContinuedRun>,
    /// The pairs of other runs that this one takes over at its beginning.
    pub taken: Vec<ReusedPairs>,
    /// The config file, kept with the run.
    pub source: Source,
    id: String,
}

/// Name and text of a config file.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The name, as given.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A recorded run whose pairs count for another run that continues it.
#[derive(Clone, Debug)]
pub struct ContinuedRun {
    /// The run.
    pub run: RunHandle,
    /// Pairs below this number count.
    pub end: u64,
}

impl ContinuedRun {
    /// The pairs that count for `plan`, whose policies on failures may differ.
    pub(super) fn rows<'a>(
        &'a self,
        plan: &'a Plan,
        store: &'a Store,
    ) -> impl Iterator<Item = Result<PairRow, StoreError>> + 'a {
        let is_before = |row: &PairRow| row.record.index < self.end;
        let counts = |row: &PairRow| has_same_result(&row.record, &plan.config.failures);
        let rows = store.pairs(&self.run);
        let rows = rows.take_while(move |row| row.as_ref().map_or(true, is_before));
        rows.filter(move |row| row.as_ref().map_or(true, counts))
    }
}

/// Receives the name of a player that has not moved for long, its game and its timeout.
#[derive(Clone)]
pub struct OnSilence(pub Arc<SilenceReport>);

/// A function of the name of a player, its game and its timeout.
type SilenceReport = dyn Fn(&str, GameId, Duration) + Send + Sync;

impl fmt::Debug for OnSilence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnSilence")
    }
}

/// Options of play that do not decide which games are played.
#[derive(Debug, Default)]
pub struct ExecutionOptions {
    /// The destination of dialogues with programs, if they are written.
    pub dialogues: Option<Dialogues>,
    /// The time after each game before the next one on the same thread.
    pub wait: Duration,
    /// Processors for the worker threads.
    pub cores: Option<Cores>,
    /// Receives the name of a player that has not moved for long, its game and its timeout.
    pub on_silence: Option<OnSilence>,
    /// An observer of the players' moves.
    pub observer: Option<Observer>,
    /// True if the first failure, or the first warning about a line of play, ends the run.
    pub strict: bool,
    /// The remote workers that play the pairs; `None` for this process.
    pub remote: Option<Arc<dyn RemoteWorkers>>,
    /// Engines that are ready for the first game of a player of this process.
    pub met: MetEngines,
}

impl Plan {
    /// Creates a plan from a config and a book of its game.
    ///
    /// # Errors
    /// There are too few openings for the schedule.
    pub fn new(mut config: Config, book: Book) -> Result<Self, ScheduleError> {
        let schedule = Schedule::new(&config, book.len())?;
        let may_vary = config.tune.is_none() && config.openings.exhausted == Exhausted::Vary;
        if may_vary && !schedule.varies() {
            // A setting without effect is no part of the run.
            config.openings.exhausted = Exhausted::Error;
        }
        let terms = Terms {
            rules: config.game.rules,
            limits: player_limits(&config),
            adjudication: config.adjudication.clone(),
            spare: RepeatBudget::new(schedule.len()),
        };
        let variations = schedule
            .varies()
            .then(|| OpeningVariations::new(config.game, config.seed));
        let id = identity(&config, &book, variations.as_ref());
        Ok(Self {
            variations,
            origins: Openings::of(&config, &book),
            config,
            book,
            schedule,
            terms,
            execution_options: ExecutionOptions::default(),
            speeds: Vec::new(),
            earlier: None,
            taken: Vec::new(),
            source: Source::default(),
            id,
        })
    }

    /// The batches of a tune; `None` for other runs.
    pub fn tune(&self) -> Option<TunePlan<'_>> {
        let tune = self.config.tune.as_ref()?;
        Some(TunePlan { plan: self, tune })
    }

    /// The run's identity: 64 hexadecimal digits that depend on everything that determines the
    /// games and on nothing else. This is the resolved config with its seed, the openings, the
    /// version of the program, and each variant's result in a small search of the usual start, so
    /// that a changed search or evaluation is another run. That of a tune also depends on the
    /// version of its algorithm.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The identity if the nodes of all variants are known. At equal time they are measured when
    /// the run begins.
    pub fn known_id(&self) -> Option<&str> {
        let config = &self.config;
        let is_known = !config.limits.equal_time || config.budgets().len() == config.variants.len();
        is_known.then_some(&*self.id)
    }

    /// Sets each variant's nodes per move, in order. The plan is then another run.
    pub fn set_budgets(&mut self, budgets: &[u64]) {
        self.config.set_budgets(budgets);
        self.terms.limits = player_limits(&self.config);
        self.id = identity(&self.config, &self.book, self.variations.as_ref());
    }

    /// The place of a recorded pair in the schedule.
    ///
    /// # Errors
    /// The plan has another pair at its number ([`RunError::OtherPlan`]).
    pub fn spec_of(&self, row: &PairRow) -> Result<PairSpec, RunError> {
        let index = row.record.index;
        let spec = self.schedule.pair(index);
        let is_it =
            (spec.pairing, spec.variants, spec.opening) == (row.pairing, row.variants, row.opening);
        is_it.then_some(spec).ok_or(RunError::OtherPlan(index))
    }

    /// The start position of a pair's games; `None` if the book has no such opening.
    pub fn start(&self, spec: &PairSpec) -> Option<Box<dyn AnyPosition>> {
        let opening = self.book.get(spec.opening)?;
        Some(match &self.variations {
            Some(variations) => variations.start(&opening, spec.lap),
            None => opening.position(),
        })
    }

    /// Checks the opening of a pair, if that was not done when the book was read.
    ///
    /// # Errors
    /// The line of the opening is bad, or the protocol of the engines cannot express it.
    pub(super) fn check_opening(&self, pair: u64) -> Result<(), BookError> {
        if self.book.is_checked() {
            return Ok(());
        }
        self.check_openings([self.schedule.pair(pair).opening])
    }

    /// Checks openings of the book.
    ///
    /// # Errors
    /// The first such error: a line is bad, or the protocol of the engines cannot express it.
    pub fn check_openings(
        &self,
        indices: impl IntoIterator<Item = usize>,
    ) -> Result<(), BookError> {
        let file = self.config.openings.file.as_ref();
        let name = file.map(|file| shown_path(file).to_string());
        let ways = self.config.ways();
        self.book
            .check(indices, ways.as_ref(), &name.unwrap_or_default())
    }

    /// The opening with that index as the record has it.
    pub fn stored_opening(&self, index: usize) -> Option<StoredOpening> {
        let opening = self.book.get(index)?;
        Some(StoredOpening {
            id: opening.id().into_owned(),
            fen: opening.fen().to_owned(),
            moves: match opening.line() {
                Some(line) if self.variations.is_some() => line.to_vec(),
                _ => Vec::new(),
            },
        })
    }

    /// The book as a record begins with it, without its openings.
    pub(super) fn stored_book(&self) -> StoredBook {
        StoredBook {
            digest: self.book.digest(self.variations.is_some()),
            len: self.book.len(),
            held: Vec::new(),
        }
    }

    /// Reads the openings that the record has gained, for the plan of a recorded run. Until the
    /// returned guard is dropped, the store does not see later changes.
    ///
    /// # Errors
    /// The record cannot be read, or its openings are damaged.
    pub(super) fn recall<'s>(
        &self,
        store: &'s Store,
        run: &RunHandle,
    ) -> Result<Option<Snapshot<'s>>, StoreError> {
        let Some(known) = self.book.recalled() else {
            return Ok(None);
        };
        let snapshot = store.snapshot()?;
        if store.count_openings(run)? != known {
            add(
                &self.book,
                store.openings(run)?,
                store,
                self.config.game.card,
            )?;
        }
        Ok(Some(snapshot))
    }

    /// Takes over the recorded starts of later laps.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn read_starts(&self, store: &Store, run: &RunHandle) -> Result<(), StoreError> {
        if let Some(variations) = &self.variations {
            variations.recall(store.starts(run)?);
        }
        Ok(())
    }

    /// Records new starts of later laps.
    pub(super) fn record_starts(&self, store: &Store, run: &RunHandle) -> Result<(), StoreError> {
        let new = self.variations.as_ref().map(OpeningVariations::take_new);
        store.add_starts(run, &new.unwrap_or_default())
    }

    /// The ply at which the games of a pair begin; `None` if the opening's ply is unknown.
    pub fn start_ply(&self, spec: &PairSpec) -> Option<u32> {
        let opening = self.book.get(spec.opening)?;
        Some(opening.ply? + self.added_plies(spec))
    }

    /// The number of plies between a pair's opening and its start.
    pub fn added_plies(&self, spec: &PairSpec) -> u32 {
        if self.variations.is_none() {
            return 0;
        }
        let opening = self.book.get(spec.opening);
        opening.map_or(0, |opening| OpeningVariations::added(&opening, spec.lap))
    }

    /// The number of start positions, up to the symmetries of the board; where there are many, at
    /// least the number of pairs of a pairing.
    pub fn different_starts(&self) -> u64 {
        let rounds = self.schedule.rounds();
        if !self.schedule.varies() {
            return rounds;
        }
        match different_starts(&self.book, MANY_STARTS) {
            MANY_STARTS => rounds,
            few => few,
        }
    }

    /// Sets endgame tables that were opened again for the plan of a recorded run.
    pub fn take_tables(&mut self, opened: OpenTables) {
        if let Some(tables) = &mut self.terms.adjudication.syzygy {
            tables.opened = opened;
        }
    }

    /// Scales the times of limits that name a
    /// [`reference_nps`](leitai_config::Limits::reference_nps) to a machine with this number of
    /// nodes per second.
    pub fn scale_clocks(&mut self, nps: f64) {
        let limits = player_limits(&self.config).into_iter();
        self.terms.limits = limits.map(|limits| limits.scaled(nps)).collect();
    }

    /// The variant of a player. Both players of a tune are the tuned variant.
    pub fn variant_of(&self, player: usize) -> &Variant {
        let tuned = self.config.tune.as_ref().map(|tune| tune.variant);
        &self.config.variants[tuned.unwrap_or(player)]
    }

    /// The name of a player: that of its variant; in a tune with `+` for the first player of a
    /// batch and `-` for the second.
    pub fn player_name(&self, player: usize) -> String {
        let name = &self.variant_of(player).name;
        match (&self.config.tune, player) {
            (None, _) => name.clone(),
            (Some(_), 0) => format!("{name}+"),
            (Some(_), _) => format!("{name}-"),
        }
    }

    /// The consequences of a player's failure.
    pub(super) fn policies(&self) -> &FailurePolicies {
        static STRICT: FailurePolicies = FailurePolicies::STOP;
        if self.execution_options.strict && self.config.tune.is_none() {
            &STRICT
        } else {
            &self.config.failures
        }
    }

    /// Creates a player for the variant with that index.
    #[expect(
        clippy::expect_used,
        reason = "a plan is only made of variants of its own game"
    )]
    pub(super) fn player(&self, index: usize) -> Box<dyn Player> {
        let variant = &self.config.variants[index];
        let setting = PlayerSetting {
            limits: &self.terms.limits[index],
            game: &self.config.game,
            openings: &self.origins,
            options: &self.execution_options,
            checks: self.config.checks,
            kept: &self.config.kept,
        };
        let player = setting.create(variant, &variant.name);
        player.expect("a variant of the plan's game")
    }
}

/// The book of a recorded run, with the openings that its record has.
///
/// # Errors
/// The record cannot be read, or its openings are damaged.
pub fn recorded_book(
    store: &Store,
    run: &RunHandle,
    card: &'static dyn GameCard,
) -> Result<Book, StoreError> {
    let stored = store.openings(run)?;
    let book = Book::recorded(stored.len, stored.digest);
    add(&book, stored, store, card)?;
    Ok(book)
}

/// Adds the openings of a record to the book of its run.
fn add(
    book: &Book,
    stored: StoredBook,
    store: &Store,
    card: &'static dyn GameCard,
) -> Result<(), StoreError> {
    let read = |(index, opening): (usize, StoredOpening)| {
        let moves = (!opening.moves.is_empty()).then_some(opening.moves);
        let position = card.read(&opening.fen).ok();
        let read = position.and_then(|it| Opening::recorded(&*it, &opening.id, moves));
        let damaged = || store.damaged(format!("opening {} of a book is none", index + 1));
        Ok((index, read.ok_or_else(damaged)?))
    };
    let openings: Result<Vec<_>, StoreError> = stored.held.into_iter().map(read).collect();
    book.recall(openings?);
    Ok(())
}

/// Creates a player for a variant of this game under these limits, for games outside a run; `None`
/// if the variant is of another game.
pub fn player_of(variant: &Variant, limits: &Limits, game: &GameChoice) -> Option<Box<dyn Player>> {
    let setting = PlayerSetting {
        limits,
        game,
        openings: &Openings::default(),
        options: &ExecutionOptions::default(),
        checks: Checks::default(),
        kept: &Kept::default(),
    };
    setting.create(variant, &variant.name)
}

/// The conditions under which a player plays.
pub(super) struct PlayerSetting<'a> {
    pub(super) limits: &'a Limits,
    pub(super) game: &'a GameChoice,
    pub(super) openings: &'a Openings,
    pub(super) options: &'a ExecutionOptions,
    pub(super) checks: Checks,
    pub(super) kept: &'a Kept,
}

impl PlayerSetting<'_> {
    /// Creates a player for the variant whose dialogues carry that name; `None` if the variant is
    /// of another game.
    pub(super) fn create(&self, variant: &Variant, name: &str) -> Option<Box<dyn Player>> {
        let player: Box<dyn Player> = if let Some(program) = &variant.program {
            let mut player = External::new(program, self.limits);
            player.openings = self.openings.clone();
            player.rules = Some(self.game.rules);
            player.checks = self.checks;
            player.kept.clone_from(self.kept);
            let dialogues = self.options.dialogues.clone();
            let name = name.to_owned();
            player.on_silence = self.options.on_silence.clone().map(|OnSilence(report)| {
                let name = name.clone();
                SilenceListener(Arc::new(move |game, stall| report(&name, game, stall)))
            });
            player.shelf = dialogues.map(|dialogues| DialogueTarget { dialogues, name });
            player.take_over(&self.options.met);
            Box::new(player)
        } else {
            Box::new(InProcess::new(variant, self.game)?)
        };
        Some(match &self.options.observer {
            Some(observer) => Box::new(Observed::new(player, name, observer.clone())),
            None => player,
        })
    }
}

/// The limits of each player.
fn player_limits(config: &Config) -> Vec<Limits> {
    let limits = config.limits_by_variant();
    match &config.tune {
        Some(tune) => vec![limits[tune.variant]; 2],
        None => limits,
    }
}

pub(super) fn canonical(config: &Config) -> String {
    config.resolved().unwrap_or_default()
}

/// The largest number of starts that is counted: no test needs as many pairs.
const MANY_STARTS: u64 = 30_000;

/// Nodes of the search that is part of a variant's identity.
const SIGNATURE_NODES: u64 = 2_000;

fn identity(config: &Config, book: &Book, variations: Option<&OpeningVariations>) -> String {
    let mut hasher = Sha256::new();
    for part in [
        "leitai",
        env!("CARGO_PKG_VERSION"),
        &canonical(config),
        &hexadecimal(&book.digest(variations.is_some())),
    ] {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    // A program is identified by its config and by its recorded identity.
    let in_process = config.variants.iter();
    for variant in in_process.filter(|variant| variant.program.is_none()) {
        let mut variant = variant.clone();
        variant.search.table_mb = variant.search.table_mb.min(1);
        if let Some(mut thinker) = thinker(&variant, &config.game) {
            let limits = SearchLimits {
                nodes: Some(SIGNATURE_NODES),
                depth: None,
            };
            let run = || thinker.run(&*config.game.line(), &limits, &|| false, None);
            // A player from another crate that panics loses its games; its result here is left out.
            let found = guarded(variant.player.is_some(), run);
            hasher.update(found.map_or_else(|_| String::new(), |found| format!("{found:?}")));
        }
    }
    if let Some(variations) = variations {
        hasher.update(variations.signature());
    }
    let id = hexadecimal(&hasher.finalize());
    match config
        .tune
        .as_ref()
        .map(|tune| method_of(tune, config.seed))
    {
        // Version 1 of an algorithm has the run's own identity.
        Some(method) if method.version() > 1 => {
            let mut hasher = Sha256::new();
            hasher.update(format!("{id}\0{} {}", method.name(), method.version()));
            hexadecimal(&hasher.finalize())
        }
        _ => id,
    }
}
