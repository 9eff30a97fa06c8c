//! Generates enums for fields that have only a few distinct strings.

use mongodb::bson::Bson;

use super::{
    ident::{Names, type_of_one},
    tree::Node,
};

/// Largest number of known strings for which an enum is generated.
const VALUES: usize = 12;

/// Mean number of occurrences per string at which the set of known strings is considered complete.
const REPEATS: u64 = 10;

/// An enum that has a variant for each known string, and one for all other strings.
#[derive(Clone, Debug)]
pub(super) struct EnumPlan {
    pub(super) name: String,
    pub(super) docs: String,
    /// The name of each variant, with its stored text.
    pub(super) variants: Vec<(String, String)>,
    /// The name of the variant for all other strings.
    pub(super) other: String,
}

/// Returns the distinct strings at a path, if there are only a few and all of them look like names.
pub(super) fn words<'n>(node: &Node<'n>) -> Option<Vec<&'n str>> {
    let survey = node.survey;
    if survey.only_type() != Some("string") || !survey.values_are_complete {
        return None;
    }
    let texts = survey.values.iter().map(|(value, _)| value);
    let texts: Vec<&str> = texts.filter_map(Bson::as_str).collect();
    let are_few = (2..=VALUES).contains(&texts.len());
    let are_repeated = node.values() >= REPEATS * texts.len() as u64;
    (are_few && are_repeated && texts.iter().all(|text| is_word(text))).then_some(texts)
}

/// Whether a string can become the name of a variant. The string may contain up to three words, and must begin with a
/// letter.
fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.len() <= 30
        && text.starts_with(char::is_alphabetic)
        && text.split(' ').count() <= 3
        && text
            .split(' ')
            .all(|word| !word.is_empty() && word.chars().all(is_part))
}

impl EnumPlan {
    pub(super) fn new(name: String, docs: String, texts: &[&str]) -> Self {
        let mut names = Names::default();
        names.take(["Self"]);
        let other = names.take(["Other"]);
        let variants = texts.iter().map(|text| {
            let variant = names.take([type_of_one(text)]);
            (variant, (*text).to_owned())
        });
        Self {
            variants: variants.collect(),
            name,
            docs,
            other,
        }
    }
}
