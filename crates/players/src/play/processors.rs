//! Lists of processors in user notation: `0,2,4-7`.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Processor numbers of the system without repetition, in the user's order. Its text (`Display`)
/// parses to the same list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processors(pub(super) Vec<usize>);

/// Upper bound of processor numbers: more than a Linux processor set can hold.
const MAX: usize = 1 << 16;

/// An invalid list of processors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProcessorsError {
    /// A part is neither a number nor a range of numbers.
    #[error("`{0}` is not a processor number or a range such as `4-7`")]
    Number(String),
    /// The end of a range is before its beginning.
    #[error("the range `{0}` ends before it begins")]
    Backwards(String),
    /// A processor is repeated.
    #[error("the processor {0} is named twice: two threads would share it")]
    Twice(usize),
}

impl Processors {
    /// The numbers in order.
    pub fn numbers(&self) -> &[usize] {
        &self.0
    }
}

/// A list in the order of the numbers.
impl FromIterator<usize> for Processors {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let numbers: BTreeSet<usize> = numbers.into_iter().collect();
        Self(numbers.into_iter().collect())
    }
}

impl FromStr for Processors {
    type Err = ProcessorsError;

    fn from_str(text: &str) -> Result<Self, ProcessorsError> {
        let (mut numbers, mut seen) = (Vec::new(), HashSet::new());
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let ends = number(first).zip(number(last));
            let (first, last) = ends.ok_or_else(|| ProcessorsError::Number(part.to_owned()))?;
            if last < first {
                return Err(ProcessorsError::Backwards(part.to_owned()));
            }
            for number in first..=last {
                if !seen.insert(number) {
                    return Err(ProcessorsError::Twice(number));
                }
                numbers.push(number);
            }
        }
        Ok(Self(numbers))
    }
}

/// Parses a processor number.
fn number(text: &str) -> Option<usize> {
    let text = text.trim();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_plain);
    number.filter(|number| *number < MAX)
}

impl fmt::Display for Processors {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for (index, run) in self.0.chunk_by(|one, next| one + 1 == *next).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match run {
                [first, .., last] => write!(out, "{comma}{first}-{last}")?,
                [one] => write!(out, "{comma}{one}")?,
                [] => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lists_and_ranges_are_read() {
        for (text, numbers, written) in [
            ("0", &[0][..], "0"),
            ("0,2,4-7", &[0, 2, 4, 5, 6, 7], "0,2,4-7"),
            ("5 , 3", &[5, 3], "5,3"),
            ("3-3,0-1", &[3, 0, 1], "3,0-1"),
            ("7,6,5", &[7, 6, 5], "7,6,5"),
        ] {
            let read: Processors = text.parse().unwrap();
            assert_eq!(read.numbers(), numbers, "{text}");
            assert_eq!(read.to_string(), written);
        }
    }

    #[test]
    fn invalid_lists_have_a_reason() {
        for text in [
            "",
            ",",
            "0,",
            "a",
            "-1",
            "1-",
            "1-2-3",
            "0x1",
            "+1",
            "1.5",
            "65536",
            "0-99999999999999999999",
        ] {
            let read = text.parse::<Processors>();
            assert!(
                matches!(read, Err(ProcessorsError::Number(_))),
                "{text}: {read:?}"
            );
        }
        let backwards = "0,7-4".parse::<Processors>();
        assert_eq!(backwards, Err(ProcessorsError::Backwards("7-4".to_owned())));
        assert_eq!(
            "0-4,3".parse::<Processors>(),
            Err(ProcessorsError::Twice(3))
        );
    }

    proptest! {
        #[test]
        fn written_values_read_back(numbers in proptest::collection::hash_set(0..40_usize, 1..20)) {
            let list = Processors(numbers.into_iter().collect());
            prop_assert_eq!(list.to_string().parse(), Ok(list));
        }

        #[test]
        fn no_text_panics(text in "[0-9,\\- ]{0,30}") {
            let _ = text.parse::<Processors>();
        }
    }
}
