//! The plan of a run: config, openings and schedule, and the run's identity.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{Remote, Taken, comes_out_the_same};
use crate::card::{AnyPosition, GameChoice, OpenTables};
use crate::config::{Checks, Config, Exhausted, FailurePolicies, Limits, Variant};
use crate::play::{Cores, Spare, Terms};
use crate::player::external::dialogue::Shelf;
use crate::player::{
    Dialogues, External, InProcess, Observed, Observer, Openings, Player, guarded, thinker,
};
use crate::schedule::{
    Book, Opening, PairSpec, Schedule, ScheduleError, Variations, different_starts, hexadecimal,
};
use crate::search::SearchLimits;
use crate::store::{PairRow, RunHandle, Speed, Store, StoreError};

/// All that decides which games are played.
#[derive(Debug)]
pub struct Plan {
    /// The checked config.
    pub config: Config,
    /// The openings.
    pub book: Book,
    /// How the openings came about, where a program has to know.
    pub origins: Openings,
    /// The numbered pairs.
    pub schedule: Schedule,
    /// Where games begin that meet an opening again; `None` where none does, or where it is
    /// played as it is.
    variations: Option<Variations>,
    /// The terms of play.
    pub terms: Terms,
    /// How they are played, which no identity depends on.
    pub execution_options: ExecutionOptions,
    /// How fast the machine was at each start, this one included, if clocks are scaled by
    /// that.
    pub speeds: Vec<Speed>,
    /// The recorded run that this one goes on from when it is begun.
    pub carried: Option<Carried>,
    /// The pairs of other runs that it has when it is begun.
    pub taken: Vec<Taken>,
    id: String,
}

/// A recorded run whose pairs count for another that goes on from it.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The run.
    pub run: RunHandle,
    /// Those below this number count.
    pub end: u64,
}

impl Carried {
    /// The pairs that count for `plan`: its policies on failures may be others.
    pub(super) fn rows<'a>(
        &'a self,
        plan: &'a Plan,
        store: &'a Store,
    ) -> impl Iterator<Item = Result<PairRow, StoreError>> + 'a {
        let is_before = |row: &Result<PairRow, StoreError>| {
            row.as_ref().map_or(true, |row| row.record.index < self.end)
        };
        let policies = &plan.config.failures;
        let counts = |row: &Result<PairRow, StoreError>| {
            row.as_ref()
                .map_or(true, |row| comes_out_the_same(&row.record, policies))
        };
        let rows = store.pairs(&self.run).take_while(is_before);
        rows.filter(counts)
    }
}

/// How games are played, without a say in which.
#[derive(Debug, Default)]
pub struct ExecutionOptions {
    /// Where dialogues with programs are written, if they are.
    pub dialogues: Option<Dialogues>,
    /// Processors for the worker threads.
    pub cores: Option<Cores>,
    /// Who sees what players do, if somebody does.
    pub observer: Option<Observer>,
    /// Whether the first failure, and the first warning of a line of play, ends the run.
    pub strict: bool,
    /// Who plays the pairs, if that is not this process.
    pub remote: Option<Arc<dyn Remote>>,
}

impl Plan {
    /// A plan from a config, over a book of its game.
    ///
    /// # Errors
    /// There are too few openings for the schedule.
    pub fn new(mut config: Config, book: Book) -> Result<Self, ScheduleError> {
        let schedule = Schedule::new(&config, book.len())?;
        if config.openings.exhausted == Exhausted::Vary && !schedule.varies() {
            // What never comes to pass is no part of the run: one that was recorded
            // before it was possible is the same.
            config.openings.exhausted = Exhausted::Error;
        }
        let terms = Terms {
            rules: config.game.rules,
            limits: config.limits_by_variant(),
            adjudication: config.adjudication.clone(),
            spare: Spare::of(schedule.len()),
        };
        let variations = schedule
            .varies()
            .then(|| Variations::new(config.game, config.seed));
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
            carried: None,
            taken: Vec::new(),
            id,
        })
    }

    /// The run's identity: 64 hexadecimal digits that depend on everything
    /// that decides the games (resolved config with seed, openings, version of
    /// the program, and what each variant finds in a small search of the usual
    /// start, so that a changed search or evaluation is another run) and on
    /// nothing else.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The identity, if the nodes of all variants are known: at equal time they are measured when
    /// the run is begun.
    pub fn known_id(&self) -> Option<&str> {
        let config = &self.config;
        let is_known = !config.limits.equal_time || config.budgets().len() == config.variants.len();
        is_known.then_some(&*self.id)
    }

    /// Gives each variant so many nodes for a move, in their order: another run from now on.
    pub fn set_budgets(&mut self, budgets: &[u64]) {
        self.config.set_budgets(budgets);
        self.terms.limits = self.config.limits_by_variant();
        self.id = identity(&self.config, &self.book, self.variations.as_ref());
    }

    /// Where the games of a pair begin; `None` if the book has no such opening.
    pub fn start(&self, spec: &PairSpec) -> Option<Box<dyn AnyPosition>> {
        let opening = self.book.openings.get(spec.opening)?;
        Some(match &self.variations {
            Some(variations) => variations.start(opening, spec.lap),
            None => opening.position(),
        })
    }

    /// Takes over the starts of later laps that the record of the run has.
    pub(crate) fn recall_starts(&self, store: &Store, run: &RunHandle) -> Result<(), StoreError> {
        if let Some(variations) = &self.variations {
            variations.recall(store.starts(run)?);
        }
        Ok(())
    }

    /// Records the starts of later laps that were found since.
    pub(super) fn record_starts(&self, store: &Store, run: &RunHandle) -> Result<(), StoreError> {
        let new = self.variations.as_ref().map(Variations::take_new);
        store.add_starts(run, &new.unwrap_or_default())
    }

    /// The ply at which the games of a pair begin; `None` where the opening's is unknown.
    pub fn start_ply(&self, spec: &PairSpec) -> Option<u32> {
        let opening = self.book.openings.get(spec.opening)?;
        Some(opening.ply? + self.added_plies(spec))
    }

    /// Plies by which the games of a pair begin deeper than its opening.
    pub fn added_plies(&self, spec: &PairSpec) -> u32 {
        match (&self.variations, self.book.openings.get(spec.opening)) {
            (Some(_), Some(opening)) => Variations::added(opening, spec.lap),
            _ => 0,
        }
    }

    /// Positions at which games can begin, up to the symmetries of the board; no less than
    /// a pairing has pairs where they are many.
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

    /// Gives the plan of a recorded run tables of endgames that have been opened again.
    pub(crate) fn take_tables(&mut self, opened: OpenTables) {
        if let Some(tables) = &mut self.terms.adjudication.syzygy {
            tables.opened = opened;
        }
    }

    /// Scales the times of limits that name a
    /// [`reference_nps`](crate::config::Limits::reference_nps) to a machine that
    /// makes so many nodes per second.
    pub fn scale_clocks(&mut self, nps: f64) {
        let limits = self.config.limits_by_variant().into_iter();
        self.terms.limits = limits.map(|limits| limits.scaled(nps)).collect();
    }

    /// What a failing player entails.
    pub(super) fn policies(&self) -> &FailurePolicies {
        static STRICT: FailurePolicies = FailurePolicies::STOP;
        if self.execution_options.strict {
            &STRICT
        } else {
            &self.config.failures
        }
    }

    /// A new player for the variant of that index.
    pub(crate) fn player(&self, index: usize) -> Option<Box<dyn Player>> {
        let variant = self.config.variants.get(index)?;
        let limits = self.terms.limits.get(index)?;
        factory(
            variant,
            &variant.name,
            limits,
            &self.config.game,
            (&self.origins, &self.execution_options),
            self.config.checks,
        )
    }
}

/// A player for a variant of this game under these limits, for games of no run; `None` if it
/// is of another game.
pub fn player_of(variant: &Variant, limits: &Limits, game: &GameChoice) -> Option<Box<dyn Player>> {
    let (origins, options) = (Openings::default(), ExecutionOptions::default());
    let parts = (&origins, &options);
    factory(
        variant,
        &variant.name,
        limits,
        game,
        parts,
        Checks::default(),
    )
}

/// A player for the variant, whose dialogues carry that name; `None` if it is of
/// another game.
pub(super) fn factory(
    variant: &Variant,
    name: &str,
    limits: &Limits,
    game: &GameChoice,
    (origins, execution_options): (&Openings, &ExecutionOptions),
    checks: Checks,
) -> Option<Box<dyn Player>> {
    let player: Box<dyn Player> = if let Some(program) = &variant.program {
        let mut player = External::new(program, limits);
        player.openings = origins.clone();
        player.checks = checks;
        let dialogues = execution_options.dialogues.clone();
        let name = name.to_owned();
        player.shelf = dialogues.map(|dialogues| Shelf { dialogues, name });
        Box::new(player)
    } else {
        Box::new(InProcess::new(variant, game)?)
    };
    Some(match &execution_options.observer {
        Some(observer) => Box::new(Observed::new(player, name, observer.clone())),
        None => player,
    })
}

pub(super) fn canonical(config: &Config) -> String {
    config.resolved().unwrap_or_default()
}

/// More starts than this need not be counted: no test waits for so many pairs.
const MANY_STARTS: u64 = 30_000;

/// Nodes of the search that a variant is known by.
const SIGNATURE_NODES: u64 = 2_000;

pub(super) fn identity(config: &Config, book: &Book, variations: Option<&Variations>) -> String {
    let mut hasher = Sha256::new();
    for part in [
        "leitai",
        env!("CARGO_PKG_VERSION"),
        &canonical(config),
        &book.digest(),
    ] {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    // A program is known by what the config says of it and by the identity that
    // it was found to have.
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
            // A stranger's player that panics loses its games, and says nothing of itself.
            let found = guarded(variant.player.is_some(), run);
            hasher.update(found.map_or_else(String::new, |found| format!("{found:?}")));
        }
    }
    if let Some(variations) = variations {
        hasher.update(variations.signature());
        for line in book.openings.iter().map(Opening::line) {
            let moves = line.unwrap_or_default();
            hasher.update(moves.len().to_le_bytes());
            for mv in moves {
                hasher.update(mv.0.to_le_bytes());
            }
        }
    }
    hexadecimal(&hasher.finalize())
}

/// The identity of a run whose algorithm has such a version; of the first, the run's own.
pub(super) fn versioned(id: String, algorithm: &str, version: u32) -> String {
    if version == 1 {
        return id;
    }
    let mut hasher = Sha256::new();
    hasher.update(format!("{id}\0{algorithm} {version}"));
    hexadecimal(&hasher.finalize())
}
