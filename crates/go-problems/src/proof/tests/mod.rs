//! Certificates made by hand, by brute force and by forgery.

mod brute;
mod forged;
mod goals;
mod hand;
mod theory;

use super::*;

/// The only certificate of a text.
pub(super) fn one(text: &str) -> Certificate {
    let mut read = read(text.as_bytes());
    let listed = read.next().expect("a certificate").expect("readable");
    assert!(read.next().is_none(), "one certificate");
    listed.certificate
}

/// The check that follows every play.
pub(super) fn exhaustive() -> Effort {
    Effort {
        exhaustive: true,
        positions: 4_000,
    }
}
