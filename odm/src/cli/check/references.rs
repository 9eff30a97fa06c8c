//! Which references of sampled documents lead nowhere.

use std::collections::{HashMap, HashSet};

use futures_util::{StreamExt, TryStreamExt, stream};
use mongodb::bson::{Bson, RawDocumentBuf};

use super::finding::Finding;
use crate::{
    error::Result,
    odm::{Exec, Odm},
    shape::ModelShape,
    stored_reference::{StoredReference, StoredSlot, each_slot, nowhere},
    survey::Survey,
};

/// How many references are looked up at once.
const IN_FLIGHT: usize = 8;

/// Looks up the keys of the samples: one `find` for each reference and model that it leads to.
pub(super) async fn check(
    odm: &Odm,
    models: &[&'static ModelShape],
    survey: &Survey,
) -> Result<Vec<Finding>> {
    let references = StoredReference::all(models).into_iter();
    let looked_up = references.map(|reference| look_up(odm, reference, survey));
    let looked_up = stream::iter(looked_up).buffered(IN_FLIGHT);
    let findings: Vec<Option<Finding>> = looked_up.try_collect().await?;
    Ok(findings.into_iter().flatten().collect())
}

async fn look_up(
    odm: &Odm,
    reference: StoredReference,
    survey: &Survey,
) -> Result<Option<Finding>> {
    let Some(sampled) = survey.collection(reference.model.collection) else {
        return Ok(None);
    };
    let mut holders: HashMap<StoredSlot, (u64, Bson)> = HashMap::new();
    for document in sampled
        .sample
        .iter()
        .filter(|it| reference.model.may_hold(it))
    {
        let Ok(raw) = RawDocumentBuf::try_from(document) else {
            continue;
        };
        let id = document.get("_id").unwrap_or(&Bson::Null);
        each_slot(&reference, &raw, &mut |_, slot| {
            if !slot.key.is_null() {
                holders.entry(slot).or_insert_with(|| (0, id.clone())).0 += 1;
            }
        });
    }
    if holders.is_empty() {
        return Ok(None);
    }
    let slots: HashSet<StoredSlot> = holders.keys().cloned().collect();
    let lost = nowhere(&reference, &slots, &Exec::on(odm.clone())).await?;
    let Some(first) = lost.iter().min() else {
        return Ok(None);
    };
    let example = holders.get(first).map(|(_, id)| id.clone());
    let count = |slots: &HashSet<StoredSlot>| {
        slots
            .iter()
            .filter_map(|slot| holders.get(slot))
            .map(|(count, _)| count)
            .sum::<u64>()
    };
    let message = format!(
        "references lead nowhere: {}, {} for instance",
        reference.name, first.key
    );
    let finding = Finding::new("dangling", reference.model.collection, &message);
    Ok(Some(
        finding.of(count(&lost), count(&slots)).example(example),
    ))
}
