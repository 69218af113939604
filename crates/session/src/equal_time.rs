//! Node budgets that give variants of different speed equal time.

use std::f64::consts::{FRAC_PI_2, SQRT_2};
use std::iter;
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use super::{Failure, Session};
use leitai_base::count::grouped;
use leitai_base::threads::pool;
use leitai_config::{Config, Variant};
use leitai_game::Move;
use leitai_game::card::{AnyLine, Thinker};
use leitai_game::search::{SearchLimits, SearchReport};
use leitai_platform::machine::thread_time;
use leitai_players::player::{guarded, thinker};
use leitai_runs::gate::Trials;
use leitai_runs::store::Store;
use leitai_runs::tournament::{Plan, replay_record};

/// Relative difference of a later measurement from the recorded one, above which a warning is
/// reported.
const DRIFT: f64 = 0.03;
/// Least number of rounds of a thread. In each round every variant searches the positions of one
/// game.
const MIN_ROUNDS: usize = 5;
/// Least number of rounds of all threads, unless [`ENOUGH`] is reached first. A short run needs as
/// many as longer ones, since its measurement is used for every later run of the record.
const MIN_ROUNDS_OF_ALL: usize = 30;
const MAX_ROUNDS: usize = 1_000;
/// Processor time of the first variant that suffices, after the least number of rounds.
const ENOUGH: Duration = Duration::from_secs(1);
/// The ply after which a game is abandoned.
const LAST_PLY: usize = 120;
/// Node limits of one search, and of all searches of one variant in a game.
const MAX_NODES: u64 = 200_000;
const NODES_OF_A_GAME: u64 = 400_000;
/// Node limit of a search that chooses moves in a game whose positions will be measured.
const MAX_NODES_OF_A_GUIDE: u64 = 5_000;
/// The golden ratio's fraction. Fractional parts of its multiples are evenly distributed for any
/// count, and so are the openings taken from a book.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

const NO_CLOCK: &str = "this system does not report the processor time of a thread";

impl Session<'_> {
    /// Sets the node budgets of variants at equal time: the recorded ones of the same players under
    /// the same limits, and measured ones otherwise. Recorded budgets are only compared with a new
    /// measurement, which is skipped if all games are played or the `trials` of a gate are decided.
    ///
    /// # Errors
    /// The record cannot be read, or the time cannot be measured.
    pub(crate) fn equalise(
        &self,
        plan: &mut Plan,
        store: &Store,
        trials: Option<&Trials>,
    ) -> Result<(), Failure> {
        let (true, Some(nodes)) = (plan.config.limits.equal_time, plan.config.limits.nodes) else {
            return Ok(());
        };
        let is_known = |known: &[Option<u64>]| known.iter().all(Option::is_some);
        let known = recall(plan, store)?;
        if is_known(&known) && is_over(plan, store, trials)? {
            return Ok(());
        }
        let players = Players::of(plan)?;
        if players.measured.len() > 1 {
            self.listener.info(format!(
                "measuring how fast {} variants search, for equal time",
                players.measured.len()
            ));
        }
        let speeds = self
            .cancel
            .run_uninterruptible(|| speeds(plan, &players.measured, nodes, self.threads))?;
        for (variant, drift) in drifts(nodes, &known, &players, &speeds) {
            self.listener.warn(format!(
                "`{}` is {:.1} % {} relative to `{}` than when its nodes were fixed (recorded: {} a \
                 move): they stay unchanged",
                plan.config.variants[variant].name,
                drift.abs() * 100.0,
                if drift > 0.0 { "faster" } else { "slower" },
                plan.config.variants[players.measured[0]].name,
                grouped(known[variant].unwrap_or_default(), ' '),
            ));
        }
        if is_known(&known) {
            return Ok(());
        }
        // Meanwhile another process may have measured and begun the run.
        let known = recall(plan, store)?;
        if is_known(&known) {
            return Ok(());
        }
        let (mut budgets, mut listed) = (Vec::new(), Vec::new());
        for ((variant, known), &place) in plan.config.variants.iter().zip(known).zip(&players.place)
        {
            let speed = speeds[place].ratio;
            let budget = known.unwrap_or_else(|| budget(nodes, speed));
            budgets.push(budget);
            listed.push(format!(
                "{} {} ({speed:.3})",
                variant.name,
                grouped(budget, ' ')
            ));
        }
        self.listener.info(format!(
            "equal time: nodes a move by measured speed: {}",
            listed.join(", ")
        ));
        plan.set_budgets(&budgets);
        Ok(())
    }
}

/// The node budget of each variant, if known.
type KnownBudgets = Vec<Option<u64>>;

/// The players to measure.
struct Players {
    /// One variant of each player, beginning with the variant whose nodes the config gives.
    /// Includes variants that do not play in this run, because another run of the record needs
    /// their budgets.
    measured: Vec<usize>,
    /// For each variant, the index of its player in `measured`.
    place: Vec<usize>,
}

impl Players {
    fn of(plan: &Plan) -> Result<Self, Failure> {
        let config = &plan.config;
        let players = players(&serde_json::to_value(config)?);
        let first = reference(config);
        let mut measured = vec![first];
        let mut place = Vec::new();
        for (variant, (player, _)) in players.iter().enumerate() {
            let same = measured.iter().position(|&one| players[one].0 == *player);
            place.push(same.unwrap_or(measured.len()));
            if same.is_none() {
                measured.push(variant);
            }
        }
        Ok(Self { measured, place })
    }
}

/// Returns the variant whose nodes the config gives: the baseline of a gate, otherwise the first.
fn reference(config: &Config) -> usize {
    config.gate.as_ref().map_or(0, |gate| gate.base)
}

/// Returns whether all games of a plan are recorded.
fn is_over(plan: &Plan, store: &Store, trials: Option<&Trials>) -> Result<bool, Failure> {
    let Some(entry) = store.known_run(plan.id())? else {
        return Ok(false);
    };
    let is_decided = |trials: &Trials| {
        let found = replay_record(trials.clone(), plan, store, &entry.handle);
        found.map(|(trials, _)| trials.is_over())
    };
    let is_decided = trials.map(is_decided).transpose()?;
    Ok(entry.recorded >= plan.schedule.len() || is_decided == Some(true))
}

/// Returns the node budget of a variant with that relative speed, where speed 1 has `nodes`.
fn budget(nodes: u64, speed: f64) -> u64 {
    ((speed * nodes as f64).round() as u64).clamp(1, u64::from(u32::MAX))
}

/// The speed of a variant relative to the first one, and its standard error.
#[derive(Clone, Copy, Debug)]
struct Speed {
    ratio: f64,
    error: f64,
}

impl Speed {
    /// Computes the median of the ratios, for an even number the geometric mean of the two in the
    /// middle. The error is that of a median of a normal distribution (Kendall and Stuart 1977,
    /// section 10.11).
    fn of(mut ratios: Vec<f64>) -> Self {
        ratios.sort_by(f64::total_cmp);
        let number = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / number;
        let squares: f64 = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum();
        Self {
            ratio: (ratios[ratios.len() / 2] * ratios[(ratios.len() - 1) / 2]).sqrt(),
            error: (FRAC_PI_2 * squares / (number - 1.0) / number).sqrt(),
        }
    }
}

/// Returns the variants whose speed has changed since their `known` budgets were set, and the
/// relative change: more than chance explains for two measurements, and more than [`DRIFT`].
fn drifts(
    nodes: u64,
    known: &[Option<u64>],
    players: &Players,
    speeds: &[Speed],
) -> Vec<(usize, f64)> {
    let both = known.iter().zip(&players.place).enumerate();
    let drift = both.filter_map(|(variant, (&budget, &place))| {
        let (was, speed) = (budget? as f64 / nodes as f64, speeds[place]);
        let drift = speed.ratio / was - 1.0;
        let chance = 3.0 * SQRT_2 * speed.error / was;
        (drift.abs() > DRIFT.max(chance)).then_some((variant, drift))
    });
    drift.collect()
}

/// Returns the recorded node budgets of the variants of a plan at equal time, regardless of their
/// names in the record. Also sets them in the plan if all are known.
pub(super) fn recall(plan: &mut Plan, store: &Store) -> Result<KnownBudgets, Failure> {
    let mut known = vec![None; plan.config.variants.len()];
    if !plan.config.limits.equal_time {
        return Ok(known);
    }
    let complete = |known: &KnownBudgets| known.iter().copied().collect::<Option<Vec<u64>>>();
    for budgets in recorded(&plan.config, store)? {
        if let Some(all) = complete(&budgets) {
            plan.set_budgets(&all);
            if store.known_run(plan.id())?.is_some() {
                return Ok(budgets);
            }
        }
        // The first measurement is used for all later runs.
        for (known, budget) in known.iter_mut().zip(budgets) {
            *known = known.or(budget);
        }
    }
    if let Some(all) = complete(&known) {
        plan.set_budgets(&all);
    }
    Ok(known)
}

/// Returns the node budgets of each variant in the runs of the record from this version with the
/// same first player and the same limits, in the order of their starts.
fn recorded(config: &Config, store: &Store) -> Result<Vec<KnownBudgets>, Failure> {
    let own = serde_json::to_value(config)?;
    let variants = players(&own);
    let mut found = Vec::new();
    for entry in store.runs()? {
        // Another version has another speed, and its runs are not continued.
        if entry.meta.version != env!("CARGO_PKG_VERSION") {
            continue;
        }
        let theirs: Value = serde_json::from_str(&entry.meta.config).unwrap_or_default();
        if own["game"] != theirs["game"] || own["limits"] != theirs["limits"] {
            continue;
        }
        let first = theirs["gate"]["base"].as_u64().unwrap_or_default() as usize;
        let theirs = players(&theirs);
        let is_same = |(player, _): &(Value, _)| *player == variants[reference(config)].0;
        if !theirs.get(first).is_some_and(is_same) {
            continue;
        }
        let nodes = |player: &Value| {
            let mut theirs = theirs.iter();
            theirs.find(|(other, _)| other == player)?.1
        };
        found.push(variants.iter().map(|(player, _)| nodes(player)).collect());
    }
    Ok(found)
}

/// Returns the players of a resolved config, without their names, and their node budgets.
fn players(resolved: &Value) -> Vec<(Value, Option<u64>)> {
    let variants = resolved["variants"].as_array().into_iter().flatten();
    let player = |variant: &Value| {
        let mut player = variant.clone();
        if let Some(table) = player.as_object_mut() {
            table.retain(|key, _| !["name", "limits"].contains(&key.as_str()));
        }
        (player, variant["limits"]["nodes"].as_u64())
    };
    variants.map(player).collect()
}

/// Measures the speed of each of `players` in nodes per second of processor time, relative to the
/// first one, on as many threads at once as games will use.
fn speeds(
    plan: &Plan,
    players: &[usize],
    nodes: u64,
    threads: NonZeroUsize,
) -> Result<Vec<Speed>, Failure> {
    let pairs = usize::try_from(plan.schedule.len()).unwrap_or(usize::MAX);
    let threads = NonZeroUsize::new(pairs).map_or(threads, |pairs| threads.min(pairs));
    // Measures about as many games as will be played, so that small runs do not take longer to
    // prepare than to play.
    let rounds = usize::try_from(plan.schedule.rounds()).unwrap_or(usize::MAX);
    let rounds = rounds.max(MIN_ROUNDS_OF_ALL).div_ceil(threads.get());
    let rounds = rounds.max(MIN_ROUNDS);
    let measured = pool(threads).broadcast(|worker| {
        let games = (worker.index()..).step_by(threads.get()).take(MAX_ROUNDS);
        ratios(plan, players, nodes.min(MAX_NODES), rounds, &games)
    });
    let measured: Vec<Vec<Vec<f64>>> = measured.into_iter().collect::<Result<_, Failure>>()?;
    let others = (0..players.len() - 1).map(|other| {
        let ratios = measured.iter().flat_map(|ratios| &ratios[other]);
        Speed::of(ratios.copied().collect())
    });
    let (ratio, error) = (1.0, 0.0);
    Ok(iter::once(Speed { ratio, error }).chain(others).collect())
}

/// Measures the speed of each player except the first relative to the first one, per game. Each
/// round is another game, because a player searches known positions faster.
fn ratios(
    plan: &Plan,
    players: &[usize],
    nodes: u64,
    rounds: usize,
    games: &(impl Iterator<Item = usize> + Clone),
) -> Result<Vec<Vec<f64>>, Failure> {
    let variant = |place: usize| &plan.config.variants[players[place]];
    let mut guiding = variant(0).clone();
    guiding.search.table_mb = guiding.search.table_mb.min(1);
    let mut guide = player(plan, &guiding)?;
    let mut lines: Vec<Vec<Box<dyn AnyLine>>> = Vec::new();
    let mut all = Vec::new();
    for other in 1..players.len() {
        let mut ratios = Vec::new();
        let mut first = Duration::ZERO;
        for (number, game) in games.clone().enumerate() {
            // A game without a position to search does not count as a round.
            if ratios.len() >= rounds || ratios.len() >= MIN_ROUNDS && first >= ENOUGH {
                break;
            }
            if lines.len() == number {
                // The node count depends on the game, so that a repeated opening gives another
                // game.
                let few = (nodes / 4).clamp(10, MAX_NODES_OF_A_GUIDE) + game as u64;
                guide.new_game();
                lines.push(positions(plan, game, nodes, |line| {
                    Ok(search(plan, &guiding, &mut *guide, line, few)?.best)
                })?);
            }
            let spent = by_turns(plan, [variant(0), variant(other)], &lines[number], nodes)?;
            first += spent[0].1;
            let speed = spent.map(|(nodes, time)| nodes as f64 / time.as_secs_f64());
            if speed.iter().all(|speed| speed.is_finite() && *speed > 0.0) {
                ratios.push(speed[1] / speed[0]);
            }
        }
        if ratios.len() < MIN_ROUNDS {
            let (problem, help) = if lines.iter().all(Vec::is_empty) {
                let problem = "games end before a player has moved".to_owned();
                (problem, "begin them from other openings")
            } else {
                let problem = format!("searches of {nodes} nodes take no time");
                (problem, "give more `nodes` under `[limits]`")
            };
            bail!(
                "the speed of the variants cannot be measured: {problem}\n\
                 help: {help}, or leave `equal_time` out"
            );
        }
        all.push(ratios);
    }
    Ok(all)
}

/// Measures nodes and time of two players that search the same positions alternately, so that other
/// load on the machine slows both equally, and so that each finds the processor's caches in the
/// state that the other left, as in a game.
fn by_turns(
    plan: &Plan,
    both: [&Variant; 2],
    line: &[Box<dyn AnyLine>],
    nodes: u64,
) -> Result<[(u64, Duration); 2], Failure> {
    let mut spent = [(0, Duration::ZERO); 2];
    // The order of creation changes the memory layout, which makes a player faster or slower by one
    // per cent or more: each player is created first once.
    for made_first in 0..2 {
        let mut thinkers = [
            player(plan, both[made_first])?,
            player(plan, both[1 - made_first])?,
        ];
        thinkers.swap(0, made_first);
        for thinker in &mut thinkers {
            thinker.new_game();
        }
        for (place, position) in line.iter().enumerate() {
            for turn in 0..2 {
                let side = (turn + place + made_first) % 2;
                let began = thread_time().context(NO_CLOCK)?;
                let report = search(plan, both[side], &mut *thinkers[side], &**position, nodes)?;
                let (sum, time) = &mut spent[side];
                *time += thread_time().context(NO_CLOCK)?.saturating_sub(began);
                *sum += report.nodes;
            }
        }
    }
    Ok(spent)
}

fn player(plan: &Plan, variant: &Variant) -> Result<Box<dyn Thinker>, Failure> {
    thinker(variant, &plan.config.game).context("a variant that cannot be measured")
}

/// Searches with a node limit. The player may be user code, which may panic.
fn search(
    plan: &Plan,
    variant: &Variant,
    thinker: &mut dyn Thinker,
    line: &dyn AnyLine,
    nodes: u64,
) -> Result<SearchReport, Failure> {
    let limits = SearchLimits {
        nodes: Some(nodes),
        depth: plan.config.limits.depth,
    };
    let Variant { name, player, .. } = variant;
    guarded(player.is_some(), || {
        thinker.run(line, &limits, &|| false, None)
    })
    .map_err(|panic| anyhow!("`{name}` panicked while its speed was measured: {panic}"))
}

/// Returns positions of one game for one side, with moves of both sides from `choose`, starting
/// from one of the openings. The positions are consecutive, since a player knows most of its search
/// from its last move, and their number limits the total time of searches with `nodes` nodes.
fn positions(
    plan: &Plan,
    game: usize,
    nodes: u64,
    mut choose: impl FnMut(&dyn AnyLine) -> Result<Option<Move>, Failure>,
) -> Result<Vec<Box<dyn AnyLine>>, Failure> {
    let openings = plan.book.len();
    // With few openings, each lap of the schedule has its own positions.
    let round = game as u64 % plan.schedule.rounds();
    let mut pair = plan
        .schedule
        .pair(round * plan.schedule.pairings().len() as u64);
    pair.opening = (game as f64 * GOLDEN % 1.0 * openings as f64) as usize;
    plan.check_openings([pair.opening])?;
    let start = plan.start(&pair).context("a pair without an opening")?;
    let mut line = plan.config.game.card.line(&*start);
    let mut positions = Vec::new();
    let end = plan.config.adjudication.max_plies;
    for ply in 0..end.map_or(LAST_PLY, |end| LAST_PLY.min(end as usize)) {
        if line.verdict(&plan.config.game.rules).is_some() {
            break;
        }
        if ply % 2 == game % 2 {
            positions.push(line.boxed());
        }
        let Some(mv) = choose(&*line)? else {
            break;
        };
        line.play(mv);
    }
    let most = (NODES_OF_A_GAME / nodes.max(1)).max(1) as usize;
    let parts = positions.len().div_ceil(most).max(1);
    // Covers beginning, middle and end of games even with few games.
    let part = (game as f64 * SQRT_2 % 1.0 * parts as f64) as usize;
    let part = positions.into_iter().skip(part * most);
    Ok(part.take(most).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use leitai_config::parse;
    use leitai_games as games;
    use leitai_players::schedule::Book;
    use leitai_runs::store::{Mode, RunMeta, StoredBook};

    /// A gauntlet of three variants from the usual start.
    fn plan() -> Plan {
        let text = "game = \"xiangqi\"\nlimits = { nodes = 400, equal_time = true }\n\
                    openings = { exhausted = \"vary\" }\n\
                    tournament = { pairs = 7, format = \"gauntlet\" }\n\
                    variant = [{ name = \"a\" }, { name = \"b\", search = { table_mb = 8 } }, \
                    { name = \"c\", search = { table_mb = 2 } }]";
        let config = parse(text, "test.toml", &games::all()).unwrap().config;
        let book = Book::usual(&config.game).unwrap();
        Plan::new(config, book).unwrap()
    }

    #[test]
    fn without_a_book_a_gauntlet_is_measured_from_as_many_starts_as_it_plays() {
        let plan = plan();
        let starts = (0..12).step_by(2).map(|game| {
            let line = positions(&plan, game, 400, |_| Ok(None)).unwrap();
            line[0].position().to_fen()
        });
        let starts: HashSet<String> = starts.collect();
        assert_eq!(starts.len(), 6, "{starts:?}");
    }

    #[test]
    fn nodes_are_known_from_runs_of_this_version_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("games.sqlite"), Mode::Write).unwrap();
        let record = |version: &str, budgets| {
            let mut plan = plan();
            plan.set_budgets(budgets);
            let config = &plan.config;
            let meta = RunMeta {
                id: plan.id().to_owned(),
                game: config.game.name().to_owned(),
                config: serde_json::to_string(config).unwrap(),
                source_name: "test.toml".to_owned(),
                source_text: String::new(),
                seed: config.seed,
                version: version.to_owned(),
                variants: Vec::new(),
                pairs: 1,
                reproducible: true,
            };
            store.begin_run(&meta, &StoredBook::default()).unwrap();
        };
        let mut plan = plan();
        record("0.0.1", &[400, 300, 200]);
        assert_eq!(recall(&mut plan, &store).unwrap(), [None; 3]);
        assert_eq!(plan.known_id(), None);
        record(env!("CARGO_PKG_VERSION"), &[400, 310, 210]);
        let known = [400, 310, 210].map(Some);
        assert_eq!(recall(&mut plan, &store).unwrap(), known);
        assert!(plan.known_id().is_some());
    }

    #[test]
    fn budgets_follow_speeds_and_drifts_beyond_three_per_cent_are_reported() {
        let speeds = [1.0, 0.86, 1.25];
        let budgets = speeds.map(|speed| budget(20_000, speed));
        assert_eq!(budgets, [20_000, 17_200, 25_000]);
        let (known, players) = (
            budgets.map(Some),
            Players {
                measured: vec![0, 1, 2],
                place: vec![0, 1, 2],
            },
        );
        assert_eq!(
            [budget(1, 0.1), budget(u64::MAX, 2.0)],
            [1, u64::from(u32::MAX)]
        );
        let drifts = |ratios: [f64; 3], error| -> Vec<(usize, bool)> {
            let speeds = ratios.map(|ratio| Speed { ratio, error });
            let told = drifts(20_000, &known, &players, &speeds).into_iter();
            told.map(|(at, drift)| (at, drift > 0.0)).collect()
        };
        assert_eq!(drifts(speeds, 0.001), []);
        assert_eq!(drifts([1.0, 0.88, 1.22], 0.001), []);
        assert_eq!(drifts([1.0, 0.90, 1.20], 0.001), [(1, true), (2, false)]);
        assert_eq!(drifts([1.0, 0.90, 1.20], 0.1), [], "it may be chance");
    }

    #[test]
    fn a_speed_is_a_median_with_its_error() {
        let Speed { ratio, error } = Speed::of(vec![0.8, 1.2, 0.9, 5.0, 1.0]);
        assert!((ratio - 1.0).abs() < 1e-12);
        let even = Speed::of(vec![0.5, 2.0, 0.8, 1.25]);
        assert!((even.ratio - 1.0).abs() < 1e-12, "whoever is the first one");
        // The sample variance is 3.262, that of the mean is a fifth of it, that of the median pi /
        // 2 times that.
        assert!((error - (FRAC_PI_2 * 3.262 / 5.0).sqrt()).abs() < 1e-9);
    }
}
