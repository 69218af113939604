//! The external program that the tests play against: correct, faulty or with a defect, selected by
//! its environment.
//!
//! It is not part of the tests' binary: a run reads whole programs for their digests and starts
//! them for every game, and the smaller one costs a tenth.

mod ailing;
mod capture;
mod cecp;
mod cycle;
mod exact;
mod examples;
mod gtp;
mod nboard;
mod playing;
mod ponder;
mod words;

fn main() {
    // Like many programs, prints before the first command.
    playing::print_line("\nMock, a program that plays");
    match std::env::args().nth(1).as_deref() {
        Some("gomocup") => return examples::gomocup(),
        Some("usi") => return examples::usi(),
        _ => {}
    }
    if let Ok(ailment) = std::env::var(words::AILMENT) {
        ailing::play(&ailment);
    } else if let Ok(mode) = std::env::var(words::MODE) {
        playing::play(&mode);
    }
}
