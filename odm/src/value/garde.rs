//! Implements the rules of `garde` for `Presence`. As with an `Option`, a rule is applied only if there is a value.
//!
//! The traits of some rules, such as `email`, exist only with features of `garde`. A library cannot detect which
//! features of a dependency the application enables. Therefore, this module does not implement these rules.

use garde::{
    Path, Report, Validate,
    error::NoKey,
    rules::{
        alphanumeric::Alphanumeric,
        ascii::Ascii,
        contains::Contains,
        inner::Inner,
        length::{bytes::Bytes, chars::Chars, simple::Simple, utf16::Utf16CodeUnits},
        pattern::{Matcher, Pattern},
        prefix::Prefix,
        range::{Bounds, OutOfBounds},
        required::Required,
        suffix::Suffix,
    },
};

use super::presence::Presence;

impl<T: Validate> Validate for Presence<T> {
    type Context = T::Context;

    fn validate_into(
        &self,
        context: &T::Context,
        parent: &mut dyn FnMut() -> Path,
        report: &mut Report,
    ) {
        if let Some(value) = self.as_ref() {
            value.validate_into(context, parent, report);
        }
    }
}

/// Implements the rule `required`, which rejects both a missing field and null.
impl<T> Required for Presence<T> {
    fn is_set(&self) -> bool {
        self.as_ref().is_some()
    }
}

impl<T> Inner<T> for Presence<T> {
    type Key = NoKey;

    fn validate_inner<F: FnMut(&T, &NoKey)>(&self, mut check: F) {
        if let Some(value) = self.as_ref() {
            check(value, &NoKey::default());
        }
    }
}

impl<T: Bounds> Bounds for Presence<T> {
    type Size = T::Size;

    const MIN: T::Size = T::MIN;
    const MAX: T::Size = T::MAX;

    fn validate_bounds(&self, min: T::Size, max: T::Size) -> Result<(), OutOfBounds> {
        self.as_ref()
            .map_or(Ok(()), |value| value.validate_bounds(min, max))
    }
}

impl<T: Pattern> Pattern for Presence<T> {
    fn validate_pattern<M: Matcher>(&self, matcher: &M) -> bool {
        self.as_ref()
            .is_none_or(|value| value.validate_pattern(matcher))
    }
}

macro_rules! length_rule {
    ($rule:ident, $check:ident) => {
        impl<T: $rule> $rule for Presence<T> {
            fn $check(&self, min: usize, max: usize) -> Result<(), garde::Error> {
                self.as_ref().map_or(Ok(()), |value| value.$check(min, max))
            }
        }
    };
}

length_rule!(Simple, validate_length);
length_rule!(Bytes, validate_num_bytes);
length_rule!(Chars, validate_num_chars);
length_rule!(Utf16CodeUnits, validate_num_code_units);

macro_rules! text_rule {
    ($rule:ident, $check:ident $(, $operand:ident)?) => {
        impl<T: $rule> $rule for Presence<T> {
            fn $check(&self $(, $operand: &str)?) -> bool {
                self.as_ref().is_none_or(|value| value.$check($($operand)?))
            }
        }
    };
}

text_rule!(Ascii, validate_ascii);
text_rule!(Alphanumeric, validate_alphanumeric);
text_rule!(Contains, validate_contains, part);
text_rule!(Prefix, validate_prefix, part);
text_rule!(Suffix, validate_suffix, part);
