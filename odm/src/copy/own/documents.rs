//! Documents that are about to be written, and the copies in them.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf};

use crate::{
    copy::{
        graph::Tie,
        resolve::Resolved,
        tuple::{Expected, Source, expected},
    },
    error::Result,
    key::JoinKey,
    path::{put, raw_value_at},
};

pub(super) fn id_of(document: &RawDocument) -> Option<Bson> {
    Bson::try_from(document.get("_id").ok()??).ok()
}

/// Lists the keys of a tie in documents, each once.
pub(crate) fn keys_in<'d>(
    tie: &Tie,
    documents: impl IntoIterator<Item = &'d RawDocument>,
) -> Vec<JoinKey> {
    let (mut keys, mut seen) = (Vec::new(), HashSet::with_hasher(RandomState::default()));
    for document in documents {
        tie.place.each(document, &mut |inner| {
            if let Some(value) = raw_value_at(inner, &tie.key) {
                let key = JoinKey::from_raw(value);
                if !key.is_null() && !seen.contains(&key) {
                    seen.insert(key.clone());
                    keys.push(key);
                }
            }
        });
    }
    keys
}

fn source_of<'r>(resolved: &'r Resolved, key: Option<RawBsonRef<'_>>) -> Source<'r> {
    let key = key.map(JoinKey::from_raw);
    match key.filter(|key| !key.is_null()) {
        None => Source::NoKey,
        Some(key) => resolved.get(&key).map_or(Source::Gone, Source::Is),
    }
}

pub(crate) fn differs(tie: &Tie, resolved: &Resolved, document: &RawDocument) -> bool {
    let mut found = false;
    tie.place.each(document, &mut |inner| {
        let source = source_of(resolved, raw_value_at(inner, &tie.key));
        found |=
            expected(tie, source).any(|(copied, value)| !value.is(raw_value_at(inner, &copied.to)));
    });
    found
}

/// Returns a document with the values of its sources; none if it has them.
pub(super) fn filled(
    tie: &Tie,
    resolved: &Resolved,
    document: &RawDocument,
) -> Result<Option<RawDocumentBuf>> {
    let needed = differs(tie, resolved, document);
    needed.then(|| rebuilt(tie, resolved, document)).transpose()
}

fn rebuilt(tie: &Tie, resolved: &Resolved, document: &RawDocument) -> Result<RawDocumentBuf> {
    let mut owned = Document::try_from(document).map_err(mongodb::error::Error::from)?;
    tie.place.each_mut(&mut owned, &mut |inner| {
        let key = crate::path::value_at(inner, &tie.key).cloned();
        let key = key.map(JoinKey::from).filter(|key| !key.is_null());
        let source = match &key {
            None => Source::NoKey,
            Some(key) => resolved.get(key).map_or(Source::Gone, Source::Is),
        };
        for (copied, value) in expected(tie, source) {
            if value != Expected::Any {
                put(inner, &copied.to, value.stored().cloned());
            }
        }
    });
    Ok(RawDocumentBuf::try_from(&owned).map_err(mongodb::error::Error::from)?)
}
