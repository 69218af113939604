//! The program of a stranger that the tests play against: well, badly or sick, as its
//! environment says.
//!
//! It is no part of the tests' binary: whole programs are read for their digests at every run,
//! and started for every game, and the smaller one costs a tenth.

mod ailing;
mod capture;
mod cecp;
mod gtp;
mod nboard;
mod playing;
mod words;

fn main() {
    // As many programs do before anybody has asked.
    playing::say("\nMock, a program that plays");
    if let Ok(ailment) = std::env::var(words::AILMENT) {
        ailing::play(&ailment);
    } else if let Ok(mode) = std::env::var(words::MODE) {
        playing::play(&mode);
    }
}
