//! Move times of players.

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::tournament::Standings;
use leitai_base::count::count;
use leitai_config::Config;

/// Times of one variant's moves, from request to reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// The variant's name.
    pub name: String,
    /// Measured times of all moves, including failed ones.
    #[serde(flatten)]
    pub times: Times,
    /// The part that the player does not report; absent if it reports no times. Engines report
    /// whole milliseconds, and some only the time of their last info line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Times>,
}

/// Quantiles of times in milliseconds, within 1 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Times {
    /// The number of moves.
    pub moves: u64,
    /// Median.
    pub p50_ms: f64,
    /// 99 % quantile.
    pub p99_ms: f64,
    /// Maximum.
    pub worst_ms: f64,
}

impl Latency {
    /// The latencies of a run if a clock limits play, else none, because they would differ whenever
    /// the same games are played.
    pub fn by_the_clock(config: &Config, standings: &Standings) -> Vec<Self> {
        let all = config.is_timed().then(|| Self::all(config, standings));
        all.unwrap_or_default()
    }

    /// The latencies of all variants with recorded times, in the order of the config.
    pub fn all(config: &Config, standings: &Standings) -> Vec<Self> {
        let variants = config.variants.iter().enumerate();
        let known = variants.filter_map(|(index, variant)| {
            Some(Self {
                name: variant.name.clone(),
                times: Times::of(standings.latencies.get(&index)?),
                beyond: standings.delays.get(&index).map(Times::of),
            })
        });
        known.collect()
    }

    /// The latency as a sentence.
    pub fn sentence(&self) -> String {
        let quantiles = |times: Times| [times.p50_ms, times.p99_ms, times.worst_ms].map(shown);
        let beyond = self.beyond.map_or_else(String::new, |beyond| {
            let [p50, p99, worst] = quantiles(beyond);
            format!(
                "; beyond its own reports half within {p50} ms, 99 % within {p99} ms, at most \
                 {worst} ms"
            )
        });
        let [p50, p99, worst] = quantiles(self.times);
        format!(
            "{}: {}, half of them within {p50} ms, 99 % within {p99} ms, the slowest {worst} ms{beyond}",
            self.name,
            count(self.times.moves, "move", "moves"),
        )
    }
}

impl Times {
    fn of(micros: &Histogram<u64>) -> Self {
        // Each bucket reports its upper bound, which may exceed every sample.
        let worst = micros.max();
        let ms = |micros: u64| micros.min(worst) as f64 / 1000.0;
        Self {
            moves: micros.len(),
            p50_ms: ms(micros.value_at_quantile(0.5)),
            p99_ms: ms(micros.value_at_quantile(0.99)),
            worst_ms: ms(worst),
        }
    }
}

/// A time with three digits.
fn shown(ms: f64) -> String {
    let digits = [1.0, 10.0, 100.0]
        .iter()
        .filter(|limit| ms < **limit)
        .count();
    format!("{ms:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latency(name: &str, times: &Histogram<u64>, delays: Option<&Histogram<u64>>) -> Latency {
        Latency {
            name: name.to_owned(),
            times: Times::of(times),
            beyond: delays.map(Times::of),
        }
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_times() {
        let mut latencies = Histogram::new_with_max(u32::MAX.into(), 2).expect("bounds");
        // 1 to 1000 ms, in another order.
        for number in 0..1000_u64 {
            latencies.saturating_record((number * 7 % 1000 + 1) * 1000);
        }
        let times = Times::of(&latencies);
        assert_eq!(times.moves, 1000);
        for (found, wanted) in [
            (times.p50_ms, 500.0),
            (times.p99_ms, 990.0),
            (times.worst_ms, 1000.0),
        ] {
            assert!((found / wanted - 1.0).abs() < 0.01, "{found} {wanted}");
        }
        let mut one = Histogram::new_with_max(u32::MAX.into(), 2).expect("bounds");
        one.saturating_record(52_345);
        let alone = latency("b", &one, None).sentence();
        let sentence = latency("b", &one, Some(&one)).sentence();
        let beyond = sentence.strip_prefix(&alone).expect("the same and more");
        assert!(
            beyond.starts_with("; beyond its own reports half within 52."),
            "{beyond}"
        );
        assert!(
            sentence.starts_with("b: 1 move, half of them within 52."),
            "{sentence}"
        );
        assert_eq!(
            [0.0123, 1.234, 12.34, 123.4].map(shown),
            ["0.012", "1.23", "12.3", "123"]
        );
    }
}
