//! Limits derived from speeds: clocks scaled to the machines of the games, and nodes by the speed
//! of each variant.

use serde::Serialize;

use crate::store::Speed;
use leitai_base::count::{count, grouped};
use leitai_config::{Config, Variant};

/// Largest factor between speeds that count as equal.
const SAME: f64 = 1.2;

/// Scale of the config's times at one start of the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockScale {
    /// Measured nodes per second on each thread.
    pub nps: u64,
    /// The number of working threads.
    pub threads: u64,
    /// The reference speed in the config.
    pub reference_nps: u64,
    /// Factor of the times.
    pub factor: f64,
}

/// The scales at each start, in order; a config may have several reference speeds.
pub fn clock_scales(config: &Config, speeds: &[Speed]) -> Vec<ClockScale> {
    let limits = config.limits_by_variant();
    let mut references: Vec<u64> = limits.iter().filter_map(|own| own.reference_nps).collect();
    references.sort_unstable();
    references.dedup();
    let of = |&Speed { nps, threads }: &Speed| {
        let references = references.clone().into_iter();
        references.map(move |reference_nps| ClockScale {
            nps,
            threads,
            reference_nps,
            factor: reference_nps as f64 / nps.max(1) as f64,
        })
    };
    speeds.iter().flat_map(of).collect()
}

impl ClockScale {
    /// The scale as a sentence.
    pub fn sentence(&self) -> String {
        format!(
            "clocks: {} nodes per second on each of {} here, where the config means {}: times are \
             multiplied by {:.3}",
            self.nps,
            count(self.threads, "thread", "threads"),
            self.reference_nps,
            self.factor
        )
    }
}

/// Nodes per move of a variant if all variants have equal time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodeBudget {
    /// The variant's name.
    pub name: String,
    /// Nodes per move.
    pub nodes: u64,
}

/// The node budget of each variant, in the order of the config; empty unless they play at equal
/// time.
pub fn node_budgets(config: &Config) -> Vec<NodeBudget> {
    let variants = config.variants.iter().zip(config.budgets());
    let budget = |(variant, nodes): (&Variant, u64)| NodeBudget {
        name: variant.name.clone(),
        nodes,
    };
    variants.map(budget).collect()
}

/// The budgets as a sentence; `None` if there are none.
pub fn equal_time_note(budgets: &[NodeBudget]) -> Option<String> {
    let nodes = budgets.iter();
    let nodes = nodes.map(|it| format!("`{}` {}", it.name, grouped(it.nodes, ' ')));
    let nodes: Vec<String> = nodes.collect();
    (!nodes.is_empty()).then(|| {
        format!(
            "Equal time: nodes per move by measured speed: {}.",
            nodes.join(", ")
        )
    })
}

/// A warning about speeds that differ by more than a fifth; `None` if none do.
pub fn uneven_speeds(speeds: &[Speed]) -> Option<String> {
    let all = || speeds.iter().map(|speed| speed.nps.max(1));
    let (least, most) = (all().min()?, all().max()?);
    (most as f64 > SAME * least as f64).then(|| {
        format!(
            "this machine's speed ranged from {least} to {most} nodes per second between starts of \
             this run, so its clocks were scaled differently; run it on an otherwise idle machine"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(nps: u64) -> Speed {
        Speed { nps, threads: 2 }
    }

    #[test]
    fn every_start_has_its_scale() {
        let text = "game = \"othello\"\nlimits = { movetime = \"50ms\", reference_nps = 900_000 }\n\
                    tournament = { pairs = 1 }\nvariant = [{ name = \"a\" }, { name = \"b\" }]";
        let config = leitai_config::parse(text, "t.toml", &leitai_games::all())
            .unwrap()
            .config;
        let scales = clock_scales(&config, &[speed(450_000), speed(300_000)]);
        assert_eq!(scales.len(), 2);
        assert_eq!(
            scales[1].sentence(),
            "clocks: 300000 nodes per second on each of 2 threads here, where the config means \
             900000: times are multiplied by 3.000"
        );
    }

    #[test]
    fn a_fifth_is_the_same_speed() {
        assert_eq!(uneven_speeds(&[]), None);
        assert_eq!(uneven_speeds(&[speed(100), speed(120)]), None);
        let text = uneven_speeds(&[speed(100), speed(121), speed(110)]).unwrap();
        assert!(text.contains("100 to 121 nodes per second"), "{text}");
    }
}
