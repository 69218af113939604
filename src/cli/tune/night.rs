//! All stages of a tune, one after the other.

use crate::cli::common::{Failure, Outcome, note, say, say_json};
use crate::cli::configs::{default_store, resume};
use crate::cli::venue::Venue;
use crate::cli::{Exit, signals};
use crate::config::{Loaded, Offspring, Play, Variant, path_word, quoted};
use crate::player::Playable;
use crate::report::gate::render_gate;

use super::Arguments;
use super::answer::{Answer, Judgement};
use super::files::{Files, Origin, command, gate_keys};
use super::learn::learn;
use super::stage::{Step, against_pool, judge};

/// How many seeds after that of the config each stage has its own: other openings
/// come first.
const SEED_OF_PROOF: u64 = 1;
const SEED_OF_SECOND: u64 = 3;
const SEED_OF_POOL: u64 = 4;

pub(super) fn play<P: Playable>(arguments: &Arguments, loaded: Loaded) -> Outcome {
    let cancel = signals::install()?;
    let store = arguments.store.clone();
    let store = store.unwrap_or_else(|| default_store(&arguments.config));
    let Some(tune) = loaded.config.tune.clone() else {
        return Ok(Exit::Usage);
    };
    let night = Night {
        arguments,
        venue: Venue {
            store: &store,
            threads: arguments.threads.get(),
            means: &arguments.means,
            quiet: arguments.quiet,
            cancel,
        },
        files: Files::of(arguments),
        origin: Origin {
            config: &arguments.config,
            text: &loaded.warnings.text,
            loaded: &loaded,
            tune: &tune,
        },
    };
    night.origin.check_names()?;
    let mut answer = Answer {
        store: &store,
        complete: false,
        learnt: None,
        tuned: None,
        proof: None,
        second: None,
        pool: None,
    };
    let exit = night.play::<P>(&mut answer)?;
    if arguments.json {
        say_json(&answer)?;
    }
    Ok(exit)
}

struct Night<'a> {
    arguments: &'a Arguments,
    venue: Venue<'a>,
    files: Files,
    origin: Origin<'a>,
}

impl Night<'_> {
    fn play<P: Playable>(&self, answer: &mut Answer<'_>) -> Outcome {
        let (origin, arguments) = (&self.origin, self.arguments);
        let start = origin.start();
        let (step, lesson) = learn::<P>(origin.loaded.clone(), &self.venue)?;
        self.tell(&lesson.learnt.table())?;
        let games = lesson.learnt.games;
        answer.learnt = Some(lesson.learnt);
        if let Step::Halted(exit) = step {
            return Ok(self.halted(exit));
        }
        if lesson.tuned == *start {
            answer.complete = true;
            note("nothing has changed, so that there is nothing to prove");
            return Ok(Exit::Inconclusive);
        }
        let tuned_name = origin.name("tuned");
        let comment = format!(
            "Tuned by `leitai tune` from {}: {games} games by {}.",
            arguments.config.display(),
            origin.tune.algorithm.name(),
        );
        let tuned = self.offspring(&tuned_name, &comment, &lesson.tuned);
        let proof = gate_keys(&start.name, &tuned_name, &origin.tune.proof);
        let file = &self.files.tuned;
        let loaded = origin.go_on(file, SEED_OF_PROOF, false, vec![tuned.clone()], proof)?;
        answer.tuned = Some(file.clone());
        self.tell(&format!("written to {}", file.display()))?;
        if arguments.no_proof {
            answer.complete = true;
            return Ok(Exit::Success);
        }
        let (step, judgement) = self.judge::<P>("the proof", loaded, file)?;
        let mut exit = judgement.exit();
        answer.proof = Some(judgement);
        if let Step::Halted(exit) = step {
            return Ok(self.halted(exit));
        }
        if let Some(second) = &origin.tune.second {
            let keys = gate_keys(&start.name, &tuned_name, &second.proof);
            let file = self.files.other("second.toml");
            let loaded = origin.go_on(&file, SEED_OF_SECOND, true, vec![tuned.clone()], keys)?;
            let (step, judgement) = self.judge::<P>("the second proof", loaded, &file)?;
            exit = worse(exit, judgement.exit());
            answer.second = Some(judgement);
            if let Step::Halted(exit) = step {
                return Ok(self.halted(exit));
            }
        }
        if let Some(stage) = &origin.tune.pool {
            let mut challengers = vec![(start.name.clone(), 0)];
            let names: Vec<String> = (1..=lesson.checkpoints.len())
                .map(|number| origin.name(&format!("checkpoint-{number}")))
                .collect();
            let comments: Vec<String> = lesson
                .checkpoints
                .iter()
                .map(|(_, games)| format!("After {games} games."))
                .collect();
            let mut variants = Vec::new();
            for (index, (variant, games)) in lesson.checkpoints.iter().enumerate() {
                challengers.push((names[index].clone(), *games));
                variants.push(self.offspring(&names[index], &comments[index], variant));
            }
            challengers.push((tuned_name.clone(), games));
            variants.push(tuned);
            let list = |names: Vec<&str>| {
                let names: Vec<String> = names.into_iter().map(quoted).collect();
                format!("[{}]", names.join(", "))
            };
            let pool = stage.variants.iter();
            let pool = pool.map(|&index| origin.loaded.config.variants[index].name.as_str());
            let keys = vec![
                ("format", quoted("gauntlet")),
                ("pairs", stage.pairs.to_string()),
                (
                    "challengers",
                    list(challengers.iter().map(|(name, _)| name.as_str()).collect()),
                ),
                ("opponents", list(pool.collect())),
            ];
            let file = self.files.other("pool.toml");
            let play = Play::Tournament(keys);
            let loaded = origin.go_on(&file, SEED_OF_POOL, false, variants, play)?;
            self.announce("the pool", "run", &file);
            let again = self.again();
            let (step, pool) = against_pool::<P>(loaded, file, &challengers, &self.venue, &again)?;
            self.tell(&pool.table())?;
            answer.pool = Some(pool);
            if let Step::Halted(exit) = step {
                return Ok(self.halted(exit));
            }
        }
        answer.complete = true;
        Ok(exit.unwrap_or(Exit::Inconclusive))
    }

    /// Plays a gate and tells its verdict.
    fn judge<P: Playable>(
        &self,
        what: &str,
        loaded: Loaded,
        file: &std::path::Path,
    ) -> Result<(Step, Judgement), Failure> {
        self.announce(what, "gate", file);
        let again = self.again();
        let (step, judgement) = judge::<P>(loaded, file.to_owned(), &self.venue, &again)?;
        self.tell(&render_gate(&judgement.summary))?;
        Ok((step, judgement))
    }

    fn offspring<'v>(
        &'v self,
        name: &'v str,
        comment: &'v str,
        variant: &'v Variant,
    ) -> Offspring<'v> {
        Offspring {
            name,
            comment,
            base: self.origin.start(),
            variant,
            limits: None,
        }
    }

    /// Says on standard error which stage begins, and how it is played by itself.
    fn announce(&self, what: &str, verb: &str, file: &std::path::Path) {
        if !self.arguments.quiet {
            note(&format!(
                "{what}: {}",
                command(verb, file, self.venue.store)
            ));
        }
    }

    /// A text for a person.
    fn tell(&self, text: &str) -> Result<(), Failure> {
        if self.arguments.json {
            return Ok(());
        }
        say(&format!("{text}\n"))
    }

    /// The command that carries on.
    fn again(&self) -> String {
        let arguments = self.arguments;
        let mut command = resume(
            "tune",
            &arguments.config,
            &arguments.overrides,
            self.venue.store,
            self.venue.threads,
            &arguments.means,
        );
        if let Some(out) = &arguments.out {
            command.push_str(" --out ");
            command.push_str(&path_word(out));
        }
        if arguments.no_proof {
            command.push_str(" --no-proof");
        }
        command
    }

    /// Says that a stage was stopped, and how to carry on.
    fn halted(&self, exit: Exit) -> Exit {
        note(&format!(
            "stopped; all games that were finished are recorded in {}; carry on with\n  {}",
            self.venue.store.display(),
            self.again()
        ));
        exit
    }
}

/// Of two verdicts the one that speaks against the tuned variant.
fn worse(one: Option<Exit>, other: Option<Exit>) -> Option<Exit> {
    let rank = |exit: &Option<Exit>| match exit {
        Some(Exit::Success) => 0,
        None | Some(Exit::Inconclusive) => 1,
        Some(Exit::PlayerFailed) => 2,
        Some(_) => 3,
    };
    [one, other].into_iter().max_by_key(rank).flatten()
}
