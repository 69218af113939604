//! A conformance suite that every game passes.
