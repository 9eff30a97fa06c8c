//! Numbers that can be compared as the server compares them: by value, regardless of their BSON type.

use mongodb::bson::{Bson, Decimal128};

/// A number in canonical form. Equal values have the same canonical form.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Number {
    /// Every whole number in the range of an `i64`.
    Int(i64),
    /// Every other number that a Decimal128 can represent: `coefficient * 10^exponent`, with the shortest
    /// possible coefficient.
    Decimal {
        negative: bool,
        exponent: i32,
        coefficient: u128,
    },
    /// The bits of a double that a Decimal128 cannot represent exactly.
    Double(u64),
    /// Infinities and not-a-number.
    Special(Special),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Special {
    NaN,
    NegativeInfinity,
    Infinity,
}

/// One more than the largest coefficient of a Decimal128, which has 34 digits.
const DECIMAL_LIMIT: u128 = 10_u128.pow(34);

impl From<i64> for Number {
    fn from(int: i64) -> Self {
        Self::Int(int)
    }
}

impl From<f64> for Number {
    fn from(double: f64) -> Self {
        if double.is_nan() {
            return Self::Special(Special::NaN);
        }
        if double.is_infinite() {
            return Self::infinity(double < 0.0);
        }
        exact_decimal(double).map_or(Self::Double(double.to_bits()), |(coefficient, exponent)| {
            Self::canonical(double.is_sign_negative(), coefficient, exponent)
        })
    }
}

impl From<Decimal128> for Number {
    /// Parses the number's text, because the driver does not offer any other access to the value.
    fn from(decimal: Decimal128) -> Self {
        let text = decimal.to_string();
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.as_str()),
        };
        match digits {
            "NaN" => Self::Special(Special::NaN),
            "Infinity" => Self::infinity(negative),
            digits => parse_decimal(digits).map_or(Self::Special(Special::NaN), |(c, e)| {
                Self::canonical(negative, c, e)
            }),
        }
    }
}

impl Number {
    pub(crate) const fn is_nan(&self) -> bool {
        matches!(self, Self::Special(Special::NaN))
    }

    const fn infinity(negative: bool) -> Self {
        Self::Special(if negative {
            Special::NegativeInfinity
        } else {
            Special::Infinity
        })
    }

    /// Removes trailing zeros from the coefficient, and converts a whole number that fits into an `i64` to an integer.
    fn canonical(negative: bool, mut coefficient: u128, mut exponent: i32) -> Self {
        if coefficient == 0 {
            return Self::Int(0);
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        integer(negative, coefficient, exponent).map_or(
            Self::Decimal {
                negative,
                exponent,
                coefficient,
            },
            Self::Int,
        )
    }

    pub(crate) fn to_bson(&self) -> Bson {
        match self {
            Self::Int(int) => Bson::Int64(*int),
            Self::Double(bits) => Bson::Double(f64::from_bits(*bits)),
            Self::Special(Special::NaN) => Bson::Double(f64::NAN),
            Self::Special(Special::Infinity) => Bson::Double(f64::INFINITY),
            Self::Special(Special::NegativeInfinity) => Bson::Double(f64::NEG_INFINITY),
            Self::Decimal {
                negative,
                exponent,
                coefficient,
            } => {
                let sign = if *negative { "-" } else { "" };
                format!("{sign}{coefficient}E{exponent}")
                    .parse::<Decimal128>()
                    .map_or(Bson::Null, Bson::Decimal128)
            }
        }
    }
}

fn integer(negative: bool, coefficient: u128, exponent: i32) -> Option<i64> {
    let power = 10_u128.checked_pow(u32::try_from(exponent).ok()?)?;
    let magnitude = i128::try_from(coefficient.checked_mul(power)?).ok()?;
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// Returns a finite double as `coefficient * 10^exponent`, or `None` if the exact value requires more than 34
/// digits.
fn exact_decimal(double: f64) -> Option<(u128, i32)> {
    let bits = double.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = i32::try_from((bits >> 52) & 0x7ff).ok()?;
    let (mut mantissa, mut power) = match biased {
        0 => (u128::from(fraction), -1074),
        _ => (u128::from(fraction | (1 << 52)), biased - 1075),
    };
    if mantissa == 0 {
        return Some((0, 0));
    }
    let zeros = mantissa.trailing_zeros();
    mantissa >>= zeros;
    power += i32::try_from(zeros).ok()?;
    // m * 2^-p = m * 5^p * 10^-p
    let (factor, exponent) = match u32::try_from(-power) {
        Ok(down) => (5_u128.checked_pow(down)?, power),
        Err(_) => (2_u128.checked_pow(u32::try_from(power).ok()?)?, 0),
    };
    let coefficient = mantissa.checked_mul(factor)?;
    (coefficient < DECIMAL_LIMIT).then_some((coefficient, exponent))
}

/// Parses `12.50`, `1E+3` or `1.2E-7`.
fn parse_decimal(text: &str) -> Option<(u128, i32)> {
    let (digits, exponent) = match text.split_once(['E', 'e']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let coefficient = format!("{whole}{fraction}").parse().ok()?;
    Some((coefficient, exponent - i32::try_from(fraction.len()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Number {
        Number::from(text.parse::<Decimal128>().unwrap())
    }

    #[test]
    fn equal_values_of_every_type_are_one_number() {
        assert!(Number::from(1) == Number::from(1.0));
        assert!(Number::from(1) == decimal("1.00"));
        assert!(Number::from(1000) == decimal("1E+3"));
        assert!(Number::from(0) == Number::from(-0.0));
        assert!(Number::from(0.5) == decimal("0.5"));
        assert!(Number::from(-2.25) == decimal("-2.250"));
        assert!(Number::from(1e20) == decimal("1E+20"));
        assert!(Number::from(f64::NAN) == decimal("NaN"));
        assert!(Number::from(f64::NEG_INFINITY) == decimal("-Infinity"));
        assert!(Number::from(i64::MIN) == Number::from(-9_223_372_036_854_775_808.0));
    }

    #[test]
    fn close_values_stay_apart() {
        assert!(
            Number::from(0.1) != decimal("0.1"),
            "the server compares exactly"
        );
        assert!(Number::from(i64::MAX) != Number::from(9_223_372_036_854_775_808.0));
        assert!(Number::from(1) != Number::from(-1));
        assert!(Number::from(0.1) != Number::from(0.100_000_000_000_000_02));
    }

    #[test]
    fn a_number_is_sent_as_an_equal_number() {
        for number in [
            Number::from(7),
            Number::from(0.1),
            decimal("2.5"),
            decimal("1E+40"),
        ] {
            let sent = crate::value::key::JoinKey::from(number.to_bson());
            assert!(sent == crate::value::key::JoinKey(crate::value::key::Repr::Number(number)));
        }
    }
}
