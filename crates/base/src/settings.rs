//! Named settings: one list per group of numbers, with name, meaning, range and default. Configs
//! are read and documented from the list, and a tuner can iterate over it.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::count::quoted;
use crate::foreign::shown;

/// The values that a setting can have. Every value is represented by an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An integer in an inclusive range.
    Number {
        /// The minimum.
        least: i64,
        /// The maximum.
        most: i64,
    },
    /// Off (0) or on (1).
    Flag,
    /// One of these names, by its index.
    Choice(&'static [&'static str]),
}

impl Kind {
    /// The minimum and the maximum.
    pub const fn range(self) -> (i64, i64) {
        match self {
            Kind::Number { least, most } => (least, most),
            Kind::Flag => (0, 1),
            Kind::Choice(names) => (0, names.len() as i64 - 1),
        }
    }

    /// Returns whether `number` is a value of this kind.
    pub fn holds(self, number: i64) -> bool {
        let (least, most) = self.range();
        (least..=most).contains(&number)
    }
}

/// A value of a setting, from its number, as configs write it: the number, `true` or `false`, or the
/// name of a choice.
#[derive(Clone, Copy, Debug)]
pub struct SettingValue(pub Kind, pub i64);

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self(Kind::Number { .. }, number) => write!(f, "{number}"),
            Self(Kind::Flag, number) => write!(f, "{}", number != 0),
            Self(Kind::Choice(names), number) => {
                f.write_str(names.get(number as usize).unwrap_or(&""))
            }
        }
    }
}

impl Serialize for SettingValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self(Kind::Number { .. }, number) => serializer.serialize_i64(number),
            Self(Kind::Flag, number) => serializer.serialize_bool(number != 0),
            Self(Kind::Choice(_), _) => serializer.collect_str(self),
        }
    }
}

/// One named setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setting {
    /// The key in a config.
    pub name: &'static str,
    /// Its effect, in a sentence or two.
    pub meaning: &'static str,
    /// Its possible values.
    pub kind: Kind,
}

/// A group of settings, accessed by their index in the list.
pub trait Settings {
    /// The settings, in order.
    fn list(&self) -> &'static [Setting];

    /// The value of the setting at index `place` as a number; 0 beyond the list.
    fn get(&self, place: usize) -> i64;

    /// Sets the value of the setting at index `place`. Has no effect if its kind does not allow the
    /// number, or the index is beyond the list.
    fn set(&mut self, place: usize, number: i64);
}

/// The empty group.
impl Settings for () {
    fn list(&self) -> &'static [Setting] {
        &[]
    }

    fn get(&self, _: usize) -> i64 {
        0
    }

    fn set(&mut self, _: usize, _: i64) {}
}

/// The type of a setting.
pub trait Value: Copy {
    /// The possible values of the type.
    const KIND: Kind;

    /// The value as a number.
    fn number(self) -> i64;

    /// The value for a number that [`KIND`](Value::KIND) allows.
    fn from_number(number: i64) -> Self;
}

macro_rules! number_values {
    ($($number:ty),*) => {$(
        impl Value for $number {
            const KIND: Kind = Kind::Number {
                least: <$number>::MIN as i64,
                most: <$number>::MAX as i64,
            };

            #[inline]
            fn number(self) -> i64 {
                i64::from(self)
            }

            fn from_number(number: i64) -> Self {
                number as Self
            }
        }
    )*};
}
number_values!(u32, i32);

impl Value for bool {
    const KIND: Kind = Kind::Flag;

    fn number(self) -> i64 {
        i64::from(self)
    }

    fn from_number(number: i64) -> Self {
        number != 0
    }
}

/// A feature with its own settings that is off or on.
pub trait Switch {
    /// Returns whether it is on.
    fn is_on(&self) -> bool;

    /// Turns it on with the default settings, unless it is on already, or off.
    fn turn(&mut self, on: bool);

    /// The list of its settings, even if it is off.
    fn list(&self) -> &'static [Setting];

    /// The settings; `None` if it is off.
    fn settings(&mut self) -> Option<&mut dyn Settings>;
}

impl<T: Settings + Default> Switch for Option<T> {
    fn is_on(&self) -> bool {
        self.is_some()
    }

    fn turn(&mut self, on: bool) {
        *self = on.then(|| self.take().unwrap_or_default());
    }

    fn list(&self) -> &'static [Setting] {
        T::default().list()
    }

    fn settings(&mut self) -> Option<&mut dyn Settings> {
        self.as_mut().map(|settings| settings as &mut dyn Settings)
    }
}

/// A group of settings in a collection.
pub enum Group<'a> {
    /// A group that is always on.
    Always(&'a mut dyn Settings),
    /// A group that is off or on.
    Switch(&'a mut dyn Switch),
}

impl Group<'_> {
    /// The list of its settings, even if it is off.
    pub fn list(&self) -> &'static [Setting] {
        match self {
            Group::Always(settings) => settings.list(),
            Group::Switch(switch) => switch.list(),
        }
    }

    /// The settings; `None` if it is off.
    pub fn settings(&mut self) -> Option<&mut dyn Settings> {
        match self {
            Group::Always(settings) => Some(&mut **settings),
            Group::Switch(switch) => switch.settings(),
        }
    }

    /// Turns a switch on or off; has no effect on other groups.
    pub fn turn(&mut self, on: bool) {
        if let Group::Switch(switch) = self {
            switch.turn(on);
        }
    }
}

/// Defines structs of settings from their fields. Each field has a type, a default, and for numbers
/// a range; its doc comment is its meaning, and an attribute of serde may follow. Fields in a second
/// pair of braces are not settings. The crate needs `serde` with the feature `derive`.
///
/// ```text
/// leitai::settings::settings! {
///     /// The rules that can be chosen.
///     #[derive(Copy)]
///     pub struct MyRules {
///         /// A side that passes twice loses.
///         passes: bool = true;
///         /// Plies after which a game is drawn.
///         most_plies: u32 = 200, 1 to 10_000;
///     }
/// }
/// ```
#[macro_export]
macro_rules! settings_group {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis struct $group:ident {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde($($serde:tt)+)])?
                $name:ident: $value:ty = $default:expr $(, $least:literal to $most:literal)?;
            )*
        }
        $({
            $(
                $(#[$plain_attribute:meta])+
                $plain_name:ident: $plain_type:ty = $plain_default:expr;
            )*
        })?
    )+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        $visibility struct $group {
            $($(#[doc = $meaning])+ $(#[serde($($serde)+)])? pub $name: $value,)*
            $($($(#[$plain_attribute])+ pub $plain_name: $plain_type,)*)?
        }

        impl Default for $group {
            fn default() -> Self {
                Self {
                    $($name: $default,)*
                    $($($plain_name: $plain_default,)*)?
                }
            }
        }

        impl $crate::settings::Settings for $group {
            fn list(&self) -> &'static [$crate::settings::Setting] {
                const LIST: &[$crate::settings::Setting] = &[$(
                    $crate::settings::Setting {
                        name: stringify!($name),
                        meaning: concat!($($meaning),+),
                        kind: $crate::settings::kind_of!($value $(, $least, $most)?),
                    },
                )*];
                LIST
            }

            fn get(&self, place: usize) -> i64 {
                let numbers: &[i64] = &[$($crate::settings::Value::number(self.$name),)*];
                numbers.get(place).copied().unwrap_or(0)
            }

            fn set(&mut self, place: usize, number: i64) {
                let setting = self.list().get(place);
                match setting.filter(|setting| setting.kind.holds(number)).map(|it| it.name) {
                    $(Some(stringify!($name)) => {
                        self.$name = $crate::settings::Value::from_number(number);
                    })*
                    _ => {}
                }
            }
        }
    )+};
}
#[doc(inline)]
pub use crate::settings_group as settings;

/// The kind of a setting: that of its type, limited to the range if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! settings_kind {
    ($value:ty) => {
        <$value as $crate::settings::Value>::KIND
    };
    ($value:ty, $least:literal, $most:literal) => {
        $crate::settings::Kind::Number {
            least: $least,
            most: $most,
        }
    };
}
pub use crate::settings_kind as kind_of;

/// Defines enums whose members have names in configs.
#[doc(hidden)]
#[macro_export]
macro_rules! choice {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis enum $choice:ident {
            $($(#[$member_attribute:meta])* $member:ident = $name:literal,)+
        }
    )+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        $visibility enum $choice {
            $($(#[$member_attribute])* #[serde(rename = $name)] $member,)+
        }

        #[allow(dead_code, reason = "not every choice is written and read by name")]
        impl $choice {
            /// Every member, in order.
            $visibility const ALL: &[$choice] = &[$($choice::$member,)+];

            /// The name in a config.
            $visibility const fn name(self) -> &'static str {
                match self {
                    $($choice::$member => $name,)+
                }
            }

            /// The member with this name.
            $visibility fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|member| member.name() == name)
            }
        }

        impl $crate::settings::Value for $choice {
            const KIND: $crate::settings::Kind = $crate::settings::Kind::Choice(&[$($name,)+]);

            #[inline]
            fn number(self) -> i64 {
                self as i64
            }

            fn from_number(number: i64) -> Self {
                Self::ALL.get(number as usize).copied().unwrap_or(Self::ALL[0])
            }
        }

        impl std::fmt::Display for $choice {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl std::str::FromStr for $choice {
            type Err = $crate::settings::UnknownChoice;

            fn from_str(name: &str) -> Result<Self, $crate::settings::UnknownChoice> {
                let found = Self::from_name(name);
                found.ok_or_else(|| $crate::settings::UnknownChoice::new(name, &[$($name,)+]))
            }
        }
    )+};
}
#[doc(hidden)]
pub use crate::choice;

/// A name that a setting does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownChoice {
    given: String,
    names: &'static [&'static str],
}

impl UnknownChoice {
    #[doc(hidden)]
    pub fn new(given: &str, names: &'static [&'static str]) -> Self {
        Self {
            given: given.to_owned(),
            names,
        }
    }
}

impl fmt::Display for UnknownChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (given, names) = (shown(&self.given), quoted(self.names));
        write!(formatter, "unknown name `{given}`: the choices are {names}")
    }
}

impl std::error::Error for UnknownChoice {}

#[cfg(test)]
mod tests {
    use super::*;

    choice! {
        /// Colours.
        enum Colour {
            /// Red.
            Red = "red",
            /// Dark blue.
            DarkBlue = "dark-blue",
        }
    }

    settings! {
        /// A group.
        struct Sample {
            /// The number.
            count: u32 = 3, 1 to 9;
            /// Whether,
            /// and why.
            flag: bool = true;
            /// The numbers.
            colour: Colour = Colour::DarkBlue;
            /// Any.
            shift: i32 = -4;
        }
        {
            /// Not a setting.
            words: Vec<u8> = vec![1];
        }
    }

    #[test]
    fn settings_are_reached_by_their_place() {
        let mut some = Sample::default();
        let names: Vec<_> = some.list().iter().map(|setting| setting.name).collect();
        assert_eq!(names, ["count", "flag", "colour", "shift"]);
        assert_eq!(some.list()[1].meaning, " Whether, and why.");
        let values = |some: &Sample| [0, 1, 2, 3, 4].map(|place| some.get(place));
        assert_eq!(values(&some), [3, 1, 1, -4, 0]);
        for (place, number) in [(0, 10), (0, 0), (1, 2), (2, 2), (2, -1), (9, 1)] {
            some.set(place, number);
        }
        assert_eq!(some, Sample::default(), "out of range");
        for (place, number) in [(0, 9), (1, 0), (2, 0), (3, 7)] {
            some.set(place, number);
            assert_eq!(some.get(place), number);
        }
        assert_eq!((some.colour, some.flag), (Colour::Red, false));
        assert_eq!(some.words, [1]);
        assert_eq!("dark-blue".parse(), Ok(Colour::DarkBlue));
        assert_eq!(format!("{:>5}", Colour::Red), "  red");
        let unknown = "blue".parse::<Colour>().unwrap_err();
        let text = "unknown name `blue`: the choices are `red`, `dark-blue`";
        assert_eq!(unknown.to_string(), text);
    }

    #[test]
    fn a_switch_remembers_nothing_when_off() {
        let mut switch: Option<Sample> = None;
        let names = Switch::list(&switch).len();
        assert_eq!(names, 4);
        assert!(switch.settings().is_none());
        switch.turn(true);
        switch.settings().unwrap().set(0, 5);
        switch.turn(true);
        assert_eq!(switch.as_ref().map(|some| some.count), Some(5));
        switch.turn(false);
        assert!(!switch.is_on());
    }
}
