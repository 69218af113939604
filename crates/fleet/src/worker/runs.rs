//! The runs that a worker has prepared or refuses.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, RwLock};

use anyhow::{Context as _, bail};
use async_nats::jetstream::Message;

use super::{PreparedRun, Run, Worker};
use crate::messages::RunNote;
use crate::streams::{origin_of, run_of};
use leitai_base::foreign::shown;
use leitai_base::threads::lock;
use leitai_runs::tournament::RunDescription;
use leitai_session::{Failure, Refused, remote_plan};

/// The number of runs that are kept ready.
const MAX_RUNS: usize = 8;

impl Worker<'_> {
    /// The run of a unit, ready to play; `None` if this worker refuses it.
    pub(super) fn run_of(&self, message: &Message) -> Result<Option<Arc<Run>>, Failure> {
        let subject = message.subject.as_str();
        let (Some(short), Some((_, leader))) = (run_of(subject), origin_of(subject)) else {
            bail!("a unit without a run arrived");
        };
        if !lock(&self.runs).contains_key(short) {
            self.runtime.block_on(self.read_lease());
        }
        // One thread prepares the run, the others wait.
        let lease = self.extend_lease(message);
        let _one = lock(&self.preparing);
        let prepared = self.find(short, &leader);
        lease.abort();
        prepared
    }

    /// The run, prepared again if a coordinator of another build leads it now.
    fn find(&self, short: &str, leader: &str) -> Result<Option<Arc<Run>>, Failure> {
        let known = |prepared: &PreparedRun| prepared.leader == leader;
        if let Some(prepared) = lock(&self.runs).get(short).filter(|it| known(it)) {
            return Ok(prepared.run.clone().ok());
        }
        let note = self.note(short)?;
        if let Some(prepared) = lock(&self.runs).get_mut(short)
            && (&prepared.note.build, prepared.note.other_builds)
                == (&note.build, note.other_builds)
        {
            leader.clone_into(&mut prepared.leader);
            return Ok(prepared.run.clone().ok());
        }
        let run = self.prepare(&note, short)?.map(Arc::new);
        let prepared = PreparedRun {
            note,
            leader: leader.to_owned(),
            run: run.clone(),
        };
        let mut runs = lock(&self.runs);
        if runs.len() >= MAX_RUNS {
            runs.clear();
        }
        runs.insert(short.to_owned(), prepared);
        drop(runs);
        if let Err(refusal) = &run {
            let text = format!("this worker does not play run {short:.12}: {refusal}");
            self.listener.warn(text);
            self.runtime.block_on(self.send_heartbeat());
        }
        Ok(run.ok())
    }

    /// Reads the coordinator's note.
    fn note(&self, short: &str) -> Result<RunNote, Failure> {
        let subject = format!("run.{short}");
        let note = self.runtime.block_on(self.cache.files.last(&subject))?;
        let note = note.context("a unit of a run without a coordinator arrived")?;
        serde_json::from_slice(&note).context("no description of a run")
    }

    /// Fetches the description of a run and builds its plan.
    fn prepare(&self, note: &RunNote, short: &str) -> Result<Result<Run, String>, Failure> {
        let own = self.options.build;
        if note.build != own && !note.other_builds {
            return Ok(Err(format!(
                "the coordinator is build `{}`, this worker is build `{}`\n\
                 help: install the coordinator's build, or let it play with `--other-builds`",
                shown(&note.build),
                shown(own)
            )));
        }
        let text = self.cache.read(&note.description)?;
        let described: RunDescription = serde_json::from_slice(&text)
            .context("the description of a run is from another version of leitai")?;
        let plan = match remote_plan(&described, self.games, &self.cache, self.cancel) {
            Ok(plan) => plan,
            Err(error) => match error.downcast::<Refused>() {
                Ok(refused) => return Ok(Err(refused.to_string())),
                Err(error) if self.cancel.is_draining() => return Err(error),
                Err(error) => return Ok(Err(Refused::because(&error).to_string())),
            },
        };
        self.listener.info(format!(
            "plays {} ({}), run {short:.12}",
            shown(&note.overview.name),
            shown(&note.overview.game)
        ));
        let limits = plan.config.limits_by_variant();
        Ok(Ok(Run {
            has_reference: limits.iter().any(|own| own.reference_nps.is_some()),
            plan: RwLock::new(plan),
            cancel: AtomicBool::new(false),
            measured: Mutex::default(),
        }))
    }
}
