//! Programs of others as players: those that misbehave, those that are installed, and what
//! the doctor says of them; and the examples.

mod doctor;
mod engines;
mod examples;
mod external;

/// Not a test: this binary is the program that plays, if its environment says so.
#[test]
fn mock_engine() {
    if let Ok(ailment) = std::env::var(doctor::mock::AILMENT) {
        doctor::mock::play(&ailment);
    } else if let Ok(mode) = std::env::var(external::mock::MODE) {
        external::mock::play(&mode);
    }
}
