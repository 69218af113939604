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
    /// The number of moves, including failed ones.
    pub moves: u64,
    /// Median in milliseconds; like the others within 1 %.
    pub p50_ms: f64,
    /// 99 % quantile in milliseconds.
    pub p99_ms: f64,
    /// Maximum in milliseconds.
    pub worst_ms: f64,
    /// The part that the player does not report; absent if it reports no times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
}

/// The difference between measured and reported times: engines report whole milliseconds, and some
/// only the time of their last info line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beyond {
    /// The number of moves with a reported time.
    pub moves: u64,
    /// Median in milliseconds.
    pub p50_ms: f64,
    /// 99 % quantile in milliseconds.
    pub p99_ms: f64,
    /// Maximum in milliseconds.
    pub worst_ms: f64,
}

impl Latency {
    /// The latencies of a run if a clock limits play, else none, because they would differ whenever
    /// the same games are played.
    pub fn by_the_clock(config: &Config, standings: &Standings) -> Vec<Self> {
        if config.is_timed() {
            Self::all(config, standings)
        } else {
            Vec::new()
        }
    }

    /// The latencies of all variants with recorded times, in the order of the config.
    pub fn all(config: &Config, standings: &Standings) -> Vec<Self> {
        let variants = config.variants.iter().enumerate();
        let known = variants.filter_map(|(index, variant)| {
            let latencies = standings.latencies.get(&index)?;
            let delays = standings.delays.get(&index);
            Some(Self::of(&variant.name, latencies, delays))
        });
        known.collect()
    }

    fn of(name: &str, latencies: &Histogram<u64>, delays: Option<&Histogram<u64>>) -> Self {
        let [p50_ms, p99_ms, worst_ms] = quantiles(latencies);
        Self {
            name: name.to_owned(),
            moves: latencies.len(),
            p50_ms,
            p99_ms,
            worst_ms,
            beyond: delays.map(|delays| {
                let [p50_ms, p99_ms, worst_ms] = quantiles(delays);
                Beyond {
                    moves: delays.len(),
                    p50_ms,
                    p99_ms,
                    worst_ms,
                }
            }),
        }
    }

    /// The latency as a sentence.
    pub fn sentence(&self) -> String {
        let beyond = self.beyond.map_or_else(String::new, |beyond| {
            format!(
                "; beyond what it reports itself half within {} ms, 99 % within {} ms, at most {} ms",
                shown(beyond.p50_ms),
                shown(beyond.p99_ms),
                shown(beyond.worst_ms)
            )
        });
        format!(
            "{}: {}, half of them within {} ms, 99 % within {} ms, the slowest {} ms{beyond}",
            self.name,
            count(self.moves, "move", "moves"),
            shown(self.p50_ms),
            shown(self.p99_ms),
            shown(self.worst_ms)
        )
    }
}

/// Median, 99 % quantile and maximum in milliseconds.
fn quantiles(micros: &Histogram<u64>) -> [f64; 3] {
    // Each bucket reports its upper bound, which may exceed every sample.
    let worst = micros.max();
    let ms = |micros: u64| micros.min(worst) as f64 / 1000.0;
    let within = |share| ms(micros.value_at_quantile(share));
    [within(0.5), within(0.99), ms(worst)]
}

/// A time with three digits.
fn shown(ms: f64) -> String {
    let digits = if ms < 1.0 {
        3
    } else if ms < 10.0 {
        2
    } else {
        usize::from(ms < 100.0)
    };
    format!("{ms:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_times() {
        let mut latencies = Histogram::new_with_max(u32::MAX.into(), 2).expect("bounds");
        // 1 to 1000 ms, in another order.
        for number in 0..1000_u64 {
            latencies.saturating_record((number * 7 % 1000 + 1) * 1000);
        }
        let latency = Latency::of("a", &latencies, None);
        assert_eq!(latency.moves, 1000);
        for (found, wanted) in [
            (latency.p50_ms, 500.0),
            (latency.p99_ms, 990.0),
            (latency.worst_ms, 1000.0),
        ] {
            assert!((found / wanted - 1.0).abs() < 0.01, "{found} {wanted}");
        }
        let mut one = Histogram::new_with_max(u32::MAX.into(), 2).expect("bounds");
        one.saturating_record(52_345);
        let alone = Latency::of("b", &one, None).sentence();
        let sentence = Latency::of("b", &one, Some(&one)).sentence();
        let beyond = sentence.strip_prefix(&alone).expect("the same and more");
        assert!(
            beyond.starts_with("; beyond what it reports itself half within 52."),
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
