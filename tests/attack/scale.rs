//! The size of an attack, and its random numbers.

/// The variable: `long`, or numbers such as `kills=50,seed=3`; others keep the values of a short
/// attack.
const VARIABLE: &str = "LEITAI_ATTACK";

/// The size of an attack.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// The seed of all random numbers.
    pub(crate) seed: u64,
    /// Processes killed during their work.
    pub(crate) kills: usize,
    /// Processes stopped by a signal.
    pub(crate) signals: usize,
    /// Commands with few handles, little memory, or small files.
    pub(crate) limits: usize,
    /// Damaged files.
    pub(crate) damages: usize,
    /// One in this number of the cells of bad behaviour is tried; 1: all.
    pub(crate) every: usize,
    /// Mutilated texts.
    pub(crate) inputs: usize,
    /// Command lines with bad arguments.
    pub(crate) arguments: usize,
    /// Hostile requests to a server of pages.
    pub(crate) requests: usize,
    /// Games of one run.
    pub(crate) games: usize,
}

const SHORT: Scale = Scale {
    seed: 1,
    kills: 3,
    signals: 2,
    limits: 4,
    damages: 12,
    every: 150,
    inputs: 500,
    arguments: 30,
    requests: 150,
    games: 1_000,
};

const LONG: Scale = Scale {
    seed: 1,
    kills: 1_500,
    signals: 300,
    limits: 1_000,
    damages: 6_000,
    every: 1,
    inputs: 15_000_000,
    arguments: 3_000,
    requests: 5_000,
    games: 1_000_000,
};

impl Scale {
    /// Reads the size from the variable.
    pub(crate) fn from_environment() -> Self {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let mut scale = SHORT;
        for word in text.split(',').filter(|word| !word.is_empty()) {
            if word == "long" {
                scale = LONG;
                continue;
            }
            let number = word
                .split_once('=')
                .map(|(key, value)| (key, value.parse()));
            match number {
                Some(("seed", Ok(value))) => scale.seed = value as u64,
                Some(("kills", Ok(value))) => scale.kills = value,
                Some(("signals", Ok(value))) => scale.signals = value,
                Some(("limits", Ok(value))) => scale.limits = value,
                Some(("damages", Ok(value))) => scale.damages = value,
                Some(("every", Ok(value))) => scale.every = value.max(1),
                Some(("inputs", Ok(value))) => scale.inputs = value,
                Some(("arguments", Ok(value))) => scale.arguments = value,
                Some(("requests", Ok(value))) => scale.requests = value,
                Some(("games", Ok(value))) => scale.games = value,
                _ => panic!("{VARIABLE}: what is `{word}`?"),
            }
        }
        scale
    }

    /// Random numbers for one part of the attack.
    pub(crate) fn dice(&self, part: &str) -> Dice {
        let mut dice = Dice(self.seed);
        for byte in part.bytes() {
            dice.0 = dice.next() ^ u64::from(byte);
        }
        dice
    }
}

/// The generator `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A random item.
    pub(crate) fn of<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }
}
