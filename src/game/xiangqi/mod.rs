//! Xiangqi: rules and text formats.
