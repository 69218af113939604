//! Othello: rules and text formats.
