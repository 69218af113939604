//! The attack: kills programs, damages files, lets players misbehave and mutilates texts, and
//! checks the promises of docs/reliability.md.
//!
//! Everything is drawn from a seed. A short run is part of every `cargo test`; the long one is
//!
//! ```text
//! LEITAI_ATTACK=long cargo test --release --all-features --test all -- \
//!     attack:: fleet::kills --include-ignored --nocapture --test-threads=1
//! ```

#![allow(
    clippy::unwrap_used,
    reason = "an attack that cannot be set up has failed"
)]

mod damages;
mod inputs;
mod jobs;
mod kills;
mod limits;
mod programs;
#[cfg(target_os = "linux")]
mod readers;
mod requests;
mod scale;
mod soak;
pub(crate) mod watched;

pub(crate) use inputs::peak_memory;
pub(crate) use kills::stop;

use scale::Scale;

#[test]
fn mutilated_inputs_are_read_or_refused() {
    println!("{}", inputs::attack(&Scale::from_environment()));
}

#[test]
fn bad_arguments_are_answered_or_refused() {
    println!("{}", inputs::attack_arguments(&Scale::from_environment()));
}

#[test]
fn misbehaving_players_harm_no_other() {
    println!("{}", programs::attack(&Scale::from_environment()));
}

/// Not a test: makes this binary the player if its environment requests that.
#[test]
fn mock_player() {
    if let Ok(orders) = std::env::var(programs::mock::MOCK) {
        programs::mock::play(&orders);
    }
}

#[test]
fn hostile_requests_lock_nobody_out() {
    println!("{}", requests::attack(&Scale::from_environment()));
}

#[test]
fn many_games_take_no_more_than_few() {
    println!("{}", soak::attack(&Scale::from_environment()));
}

#[test]
fn killed_commands_end_as_if_nothing_had_been() {
    println!("{}", kills::attack(&Scale::from_environment()));
}

#[test]
fn commands_that_are_asked_to_stop_do_and_carry_on() {
    println!("{}", kills::attack_by_signals(&Scale::from_environment()));
}

#[test]
fn commands_without_room_carry_on_with_it() {
    println!("{}", limits::attack(&Scale::from_environment()));
}

#[test]
fn damaged_files_are_reported_or_harmless() {
    println!("{}", damages::attack(&Scale::from_environment()));
}
