//! The declarations of all programs that use a database: `_odm_schema`.
//!
//! A program knows the copies that its own models declare. One that writes to a source and does not
//! link the model with the copies would leave them old; so every program writes down what it declares,
//! and hands the rest to a job that only a program with all of its extended references runs.
//!
//! A document is one extended reference or one rule for deletes:
//! `{_id, rule, source, source_key, in_source, target, key, fields: [{from, to, seen_at}], by,
//! declared_at, seen_at}`. Fields have dates of their own, because programs may declare different
//! copies of one extended reference. What nobody has declared for seven days counts no longer.

mod declare;
mod foreign;
mod forget;

use std::{collections::HashSet, sync::PoisonError, time::Instant};

pub(crate) use declare::declare;

use crate::{
    copy::ExtendedReference,
    error::Result,
    odm::{Exec, Odm},
    place::Place,
};

const SCHEMA: &str = "_odm_schema";

/// How long a declaration counts after it was last seen, in milliseconds.
const FRESH: i64 = 7 * 24 * 3_600 * 1_000;

/// What a handle knows of the declarations of others.
#[derive(Debug, Default)]
pub(crate) struct Known {
    read: tokio::sync::Mutex<Option<Read>>,
    /// The extended references that were warned of.
    warned: std::sync::Mutex<HashSet<String>>,
}

#[derive(Debug)]
struct Read {
    at: Instant,
    foreign: Vec<&'static ExtendedReference>,
}

impl Exec {
    /// Lists the extended references of a source that other programs declare and this one does not.
    ///
    /// Sends one `find` in each [`Settings::schema_refresh`](crate::Settings::schema_refresh), for all
    /// collections and all clones of the handle; also for a transaction it is sent outside of it.
    pub(crate) async fn foreign(
        &self,
        collection: &str,
    ) -> Result<Vec<&'static ExtendedReference>> {
        let odm = self.odm();
        let Some(every) = odm.settings().schema_refresh else {
            return Ok(Vec::new());
        };
        let known = odm.deployment().kept::<Known>();
        if self.is_paper() {
            // What is known already; nothing is asked.
            return Ok(known
                .read
                .try_lock()
                .map_or(Vec::new(), |read| of(read.as_ref(), collection)));
        }
        let mut known = known.read.lock().await;
        if known.as_ref().is_none_or(|read| read.at.elapsed() > every) {
            match foreign::read(odm).await {
                Ok(foreign) => {
                    let at = Instant::now();
                    *known = Some(Read { at, foreign });
                }
                Err(error) if known.is_none() => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, "the declarations of other programs are not read anew");
                }
            }
        }
        Ok(of(known.as_ref(), collection))
    }
}

fn of(read: Option<&Read>, collection: &str) -> Vec<&'static ExtendedReference> {
    let foreign = read.into_iter().flat_map(|read| &read.foreign).copied();
    foreign
        .filter(|reference| reference.source.collection == collection)
        .collect()
}

impl Odm {
    /// Warns, once for each handle, of an extended reference that only other programs declare.
    pub(crate) fn warn_of_foreign(&self, reference: &str) {
        let known = self.deployment().kept::<Known>();
        let mut warned = known.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.insert(reference.to_owned()) {
            tracing::warn!(
                reference,
                "a source has changed whose copies this program does not declare; a job is left to a \
                 program that does"
            );
        }
    }
}

fn schema() -> Place {
    Place::whole(SCHEMA).durable()
}
