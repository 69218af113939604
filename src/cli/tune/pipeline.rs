//! All stages of a tune, one after the other.

use std::path::Path;

use super::Arguments;
use super::answer::{Answer, Judgement};
use super::derive::Line;
use super::files::{Files, Origin, command};
use super::learn::{TuneOutcome, learn};
use super::outlook;
use super::page::Page;
use super::stage::{Step, against_pool, judge};
use super::warm::{Stage, WarmStart, warm_start};
use crate::cli::configs::{default_store, resume};
use crate::cli::failure::all;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::games::known;
use crate::cli::terminal::{note, say, say_json};
use crate::cli::{Exit, program, signals};
use crate::config::{Loaded, Tune, Variant, path_word};
use crate::foreign::shown_path;
use crate::player::watch_pauses;
use crate::report::gate::render_gate;
use crate::session::{Session, Verb, processors};

pub(super) fn play(arguments: &Arguments, loaded: &Loaded) -> Outcome {
    let cancel = signals::heed();
    let store = arguments.store.clone();
    let store = store.unwrap_or_else(|| default_store(&arguments.config));
    let tune = super::terms_of(loaded)?;
    let tuned = &loaded.config.variants[tune.variant];
    let limits = tuned.limits.unwrap_or(loaded.config.limits);
    let threads = arguments.threads.get();
    let files = Files::of(&arguments.config, arguments.out.as_deref());
    let origin = Origin {
        config: &arguments.config,
        text: &loaded.warnings.text,
        loaded,
    };
    let mut door = files.check(&origin, &store)?;
    let watching = arguments.watching.prepare(&mut door)?;
    if arguments.json {
        door.prepare_stdout("--json")?;
    }
    let session = Session {
        threads,
        options: arguments.execution_options.get()?,
        ..Session::new(known(), &store, cancel, watching.listener)
    };
    let player = std::iter::once((tuned, limits));
    let (force, listener) = (session.options.force, &*session.listener);
    processors::check(player, threads, force, listener)?;
    watch_pauses()?;
    let pipeline = TunePipeline {
        arguments,
        session,
        is_told: !arguments.json && !watching.is_stdout,
        files,
        line: Line { origin, tune },
    };
    let proves = !arguments.no_proof;
    let proof = pipeline.line.rehearse(&pipeline.files, proves)?;
    outlook::tell(
        &pipeline.line,
        &proof,
        proves,
        &pipeline.session,
        arguments.watching.quiet,
    )?;
    let mut answer = Answer {
        store: store.clone(),
        ..Answer::default()
    };
    let mut page = Page::new(
        &pipeline.line,
        &pipeline.files,
        &pipeline.session,
        pipeline.afresh(),
    );
    let mut exit = Exit::Success;
    let is_complete = |exit: &Exit| !matches!(exit, Exit::Interrupted | Exit::PlayerFailed);
    let name = loaded.warnings.name.clone();
    let played = pipeline.session.during(Verb::Tune, name, is_complete, || {
        pipeline.play(&mut answer, &mut page)
    });
    let played = played.map(|ended| exit = ended);
    // The page is about the stages that have ended, however the last one did; and they
    // are told, whatever becomes of the page.
    let written = page.write().map(|files| {
        [answer.report, answer.trajectory] = files;
    });
    if let Some(report) = &answer.report {
        pipeline.tell(&format!("all of it: {}", shown_path(report)))?;
    }
    if arguments.json && played.is_ok() {
        say_json(&answer)?;
    }
    all([played, written])?;
    Ok(exit)
}

struct TunePipeline<'a> {
    arguments: &'a Arguments,
    session: Session<'a>,
    /// Whether standard output is for a person.
    is_told: bool,
    files: Files,
    line: Line<'a>,
}

/// Goes on if a stage is whole; else says how to carry on, and ends.
macro_rules! whole {
    ($pipeline:expr, $step:expr) => {
        if let Step::Halted(exit) = $step {
            $pipeline.tell_halt();
            return Ok(exit);
        }
    };
}

impl TunePipeline<'_> {
    fn tune(&self) -> &Tune {
        self.line.tune
    }

    fn play(&self, answer: &mut Answer, page: &mut Page<'_>) -> Outcome {
        let start = self.line.start();
        let mut from = start.clone();
        if self.tune().texel.is_some() {
            let (step, fitted) = self.warm_start(answer, page)?;
            whole!(self, step);
            from = fitted.unwrap_or(from);
        }
        let mut offspring = Vec::new();
        let mut tuned = from.clone();
        if self.tune().games > 0 {
            if from != *start {
                offspring.push(self.line.fitted(&from));
            }
            let (step, outcome) = self.learn(&from)?;
            self.tell(&outcome.learnt.table())?;
            page.learnt(&outcome, &self.line);
            answer.learnt = Some(outcome.learnt);
            whole!(self, step);
            tuned = outcome.tuned;
            offspring.extend(self.line.checkpoints(&outcome.checkpoints));
        }
        if tuned == *start {
            note("no value has changed, so that there is nothing to prove");
            answer.complete = true;
            return Ok(Exit::Inconclusive);
        }
        let tuned = self.line.tuned(&tuned, self.arguments.config.as_path());
        let file = &self.files.tuned;
        let loaded = self.line.proof(&tuned).write(file)?;
        answer.tuned = Some(file.clone());
        self.tell(&format!("written to {}", shown_path(file)))?;
        if self.arguments.no_proof {
            answer.complete = true;
            return Ok(Exit::Success);
        }
        let (step, judgement) = self.judge("the proof", loaded, file)?;
        let mut exit = judgement.exit;
        page.judged("proof", &judgement);
        answer.proof = Some(judgement);
        whole!(self, step);
        if let Some(second) = self.line.second(&tuned) {
            let file = self.files.other("second.toml");
            let loaded = second.write(&file)?;
            let (step, judgement) = self.judge("the second proof", loaded, &file)?;
            exit = worse(exit, judgement.exit);
            page.judged("second proof", &judgement);
            answer.second = Some(judgement);
            whole!(self, step);
        }
        offspring.push(tuned);
        if let Some(gauntlet) = self.line.pool(&offspring) {
            let file = self.files.other("pool.toml");
            let loaded = gauntlet.write(&file)?;
            self.announce("the pool", "run", &file);
            let (session, again) = (&self.session, self.again());
            let (step, pool) = against_pool(
                loaded,
                file,
                self.line.challengers(&offspring),
                session,
                &again,
            )?;
            self.tell(&pool.table())?;
            page.met(&pool, &self.line);
            answer.pool = Some(pool);
            whole!(self, step);
        }
        answer.complete = true;
        Ok(exit.unwrap_or(Exit::Inconclusive))
    }

    /// Fits numbers to games of the start; what was fitted, if it is to be gone on
    /// with: where games follow, only if a gate has accepted it.
    fn warm_start(
        &self,
        answer: &mut Answer,
        page: &mut Page<'_>,
    ) -> Result<(Step, Option<Variant>), Failure> {
        let Some(texel) = &self.tune().texel else {
            return Ok((Step::Done, None));
        };
        let store = self.session.open()?;
        let stage = Stage {
            file: &self.files.other("toml"),
            loaded: self.line.origin.loaded,
            store: &store,
            session: &self.session,
            quiet: self.arguments.watching.quiet,
            again: &self.again(),
        };
        let fit = match warm_start(&stage, self.tune(), texel)? {
            WarmStart::Stopped(exit) => return Ok((Step::Halted(exit), None)),
            WarmStart::Fitted(fit) => fit,
        };
        store.close()?;
        self.tell(&fit.figures.text())?;
        page.fitted(&fit.figures, &fit.variant);
        answer.texel = Some(fit.figures);
        if fit.variant == *self.line.start() {
            note("the fit has changed nothing");
            return Ok((Step::Done, None));
        }
        if self.tune().games == 0 {
            return Ok((Step::Done, Some(fit.variant)));
        }
        let fitted = self.line.fitted(&fit.variant);
        let file = self.files.other("fitted.toml");
        let loaded = self.line.gate_of_fit(&fitted, texel).write(&file)?;
        let (step, judgement) = self.judge("the gate of the fit", loaded, &file)?;
        page.judged("gate of the fit", &judgement);
        let is_accepted = judgement.exit == Some(Exit::Success);
        answer.gate = Some(judgement);
        if step == Step::Done && !is_accepted {
            note("the fit is not accepted: the games begin from the start's values");
        }
        Ok((step, is_accepted.then_some(fit.variant)))
    }

    /// Learns from games, beginning at `from`.
    fn learn(&self, from: &Variant) -> Result<(Step, TuneOutcome), Failure> {
        let loaded = if from == self.line.start() {
            self.line.origin.loaded.clone()
        } else {
            let from = self.line.within_bounds(from);
            let fitted = self.line.fitted(&from);
            self.line
                .polish(&fitted)
                .write(&self.files.other("polish.toml"))?
        };
        let pool = self.tune().pool.as_ref();
        let checkpoints = pool.map_or(0, |pool| pool.checkpoints);
        learn(loaded, &self.session, checkpoints, &self.again())
    }

    /// Plays a gate and tells its verdict.
    fn judge(&self, what: &str, loaded: Loaded, file: &Path) -> Result<(Step, Judgement), Failure> {
        self.announce(what, "gate", file);
        let (step, judgement) = judge(loaded, file.to_owned(), &self.session, &self.again())?;
        self.tell(&render_gate(&judgement.summary))?;
        Ok((step, judgement))
    }

    /// Says on standard error which stage begins, and how it is played by itself.
    fn announce(&self, what: &str, verb: &str, file: &Path) {
        if !self.arguments.watching.quiet {
            note(&format!(
                "{what}: {}",
                command(verb, file, &self.session.store)
            ));
        }
    }

    /// A text for a person.
    fn tell(&self, text: &str) -> Result<(), Failure> {
        if !self.is_told {
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
            &self.session.store,
            self.session.threads,
            &arguments.execution_options,
        );
        if let Some(out) = &arguments.out {
            command.push_str(" --out ");
            command.push_str(&path_word(out));
        }
        for (word, is_said) in [
            (" --no-proof", arguments.no_proof),
            (" --json", arguments.json),
            (" --quiet", arguments.watching.quiet),
        ] {
            command.push_str(if is_said { word } else { "" });
        }
        command + &arguments.watching.in_words()
    }

    /// The command that gives the same on any machine.
    fn afresh(&self) -> String {
        let config = &self.line.origin.loaded.warnings.name;
        // Where values are overridden it is made of words.
        if config.contains(" --set ") {
            format!("{} tune {config}", program::name())
        } else {
            format!("{} tune {}", program::name(), path_word(Path::new(config)))
        }
    }

    /// Says that a stage was stopped, and how to carry on.
    fn tell_halt(&self) {
        note(&format!(
            "stopped; all games that were finished are recorded in {}; carry on with\n  {}",
            shown_path(&self.session.store),
            self.again()
        ));
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
