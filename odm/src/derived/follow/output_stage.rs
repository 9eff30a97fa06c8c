//! Rejects aggregations that use `$out` or `$merge` to write documents on which derived data depends, or documents of
//! other tenants.

use mongodb::bson::{Bson, Document};

use super::{ExistsCheck, InboundCopies};
use crate::{
    client::odm::{Exec, Tenant},
    derived::values::Images,
    error::{Error, Result},
    graph::graph,
    model::{
        registry::models,
        shape::{DocumentSet, ModelShape},
    },
};

/// Rejects an aggregation that writes to a collection that contains copies, sources or references. The server does not
/// report which documents it wrote, so the library could not update the data that is derived from them.
pub(crate) async fn refuse_output(pipeline: &[Document], exec: &Exec) -> Result<()> {
    refuse_known_output(pipeline, exec)?;
    match output(pipeline, exec.odm().database().name()) {
        Some((stage, target))
            if !exec
                .foreign(DocumentSet::whole_collection(target))
                .await?
                .is_empty() =>
        {
            Err(refused(stage, target))
        }
        _ => Ok(()),
    }
}

/// Rejects an aggregation that writes to a collection with derived data, based only on the declarations of this
/// program. Sends nothing.
pub(crate) fn refuse_known_output(pipeline: &[Document], exec: &Exec) -> Result<()> {
    let Some((stage, target)) = output(pipeline, exec.odm().database().name()) else {
        return Ok(());
    };
    refuse_output_of_one_tenant((stage, target), exec)?;
    let written = DocumentSet::whole_collection(target);
    let is_kept = graph().rules(written).next().is_some()
        || !Images::of(written).is_empty()
        || !InboundCopies::of(written).is_empty()
        || !ExistsCheck::of(written).is_empty();
    if is_kept {
        return Err(refused(stage, target));
    }
    Ok(())
}

/// Rejects an aggregation that writes to documents with a tenant, unless the handle is for all tenants. The stage could
/// write to documents of another tenant, because the server does not compare the tenants.
fn refuse_output_of_one_tenant((stage, target): (&str, &str), exec: &Exec) -> Result<()> {
    let is_written = |model: &&ModelShape| {
        model.collection == target || model.archive_collection() == Some(target)
    };
    let mut models = models().into_iter().filter(is_written);
    let (Some(model), Tenant::Unknown | Tenant::One(_)) = (
        models.find(|model| model.tenant().is_some()),
        exec.odm().tenancy(),
    ) else {
        return Ok(());
    };
    let message = format!(
        "`{stage}` writes to `{target}`, and could change documents of another tenant than that of the handle; write to a \
         separate collection, call `insert_many` or `update_many`, or send the aggregation with `odm.all_tenants()`"
    );
    Err(Error::invalid(message).in_model(model))
}

fn refused(stage: &str, target: &str) -> Error {
    Error::invalid(format!(
        "`{stage}` writes to `{target}`, and derived data or references of its documents would not follow; write to a \
         separate collection and call `insert_many` or `update_many` with its documents, or send the aggregation with \
         the driver (`odm.database()`) and call `verify` and `repair` after it"
    ))
}

/// Returns the stage that writes documents, and its target collection. Returns `None` if the aggregation does not write
/// to this database.
fn output<'p>(pipeline: &'p [Document], database: &str) -> Option<(&'p str, &'p str)> {
    let (stage, to) = pipeline.last()?.iter().next()?;
    let into = match (stage.as_str(), to) {
        ("$merge", Bson::Document(merge)) => merge.get("into")?,
        ("$out" | "$merge", to) => to,
        _ => return None,
    };
    match into {
        Bson::String(collection) => Some((stage, collection)),
        Bson::Document(into) if into.get_str("db").is_ok_and(|db| db != database) => None,
        Bson::Document(into) => Some((stage, into.get_str("coll").ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn the_collection_that_is_written_is_found_in_every_form() {
        let written = |stage: Document| {
            let pipeline = [doc! { "$match": {} }, stage];
            output(&pipeline, "shop").map(|(_, target)| target.to_owned())
        };
        let parts = Some("parts".to_owned());
        for stage in [
            doc! { "$out": "parts" },
            doc! { "$out": { "db": "shop", "coll": "parts" } },
            doc! { "$merge": "parts" },
            doc! { "$merge": { "into": "parts" } },
            doc! { "$merge": { "into": { "db": "shop", "coll": "parts" }, "on": "_id" } },
            doc! { "$merge": { "into": { "coll": "parts" } } },
        ] {
            assert_eq!(written(stage.clone()), parts, "{stage}");
        }
        for stage in [
            doc! { "$out": { "db": "archive", "coll": "parts" } },
            doc! { "$merge": { "into": { "db": "archive", "coll": "parts" } } },
            doc! { "$count": "n" },
        ] {
            assert_eq!(written(stage.clone()), None, "{stage}");
        }
    }
}
