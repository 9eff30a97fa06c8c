//! The statements that a cluster needs in addition to those of a plan.

use mongo_odm::bson::{Bson, Document, doc};
use mongo_odm_testkit::Sent;

use crate::sent::number;

/// Returns the aggregations that a transaction on a cluster contains instead of a planned one. There is one aggregation
/// for each key and `$lookup`, because a cluster rejects a `$lookup` on a sharded collection in a transaction. The
/// library's own collections are not sharded.
pub(super) fn without_lookups(planned: &Document) -> Vec<Document> {
    let pipeline = planned.get_array("pipeline");
    let stages: Vec<&Document> = pipeline
        .into_iter()
        .flatten()
        .filter_map(Bson::as_document)
        .collect();
    let rows = stages
        .first()
        .and_then(|first| first.get_array("$documents").ok());
    let lookups = stages
        .iter()
        .filter_map(|stage| stage.get_document("$lookup").ok());
    let lookups: Vec<&Document> = lookups
        .filter(|lookup| {
            !lookup
                .get_str("from")
                .is_ok_and(|it| it.starts_with("_odm_"))
        })
        .collect();
    let Some(rows) = rows.filter(|_| !lookups.is_empty()) else {
        return vec![planned.clone()];
    };
    let rows = rows.iter().filter_map(Bson::as_document);
    rows.flat_map(|row| {
        lookups
            .iter()
            .filter_map(|lookup| looked_up(planned, row, lookup))
    })
    .collect()
}

fn looked_up(planned: &Document, row: &Document, lookup: &Document) -> Option<Document> {
    let value = row.get(lookup.get_str("localField").ok()?)?;
    let literal = value.as_document().and_then(|it| it.get("$literal"));
    let matched =
        doc! { lookup.get_str("foreignField").ok()?: { "$eq": literal.unwrap_or(value) } };
    let mut pipeline = vec![Bson::from(doc! { "$match": matched })];
    pipeline.extend(lookup.get_array("pipeline").into_iter().flatten().cloned());
    let mut command = planned.clone();
    command.insert("aggregate", lookup.get("from")?);
    command.insert("pipeline", pipeline);
    Some(command)
}

/// Reduces repeated statements on one document to the planned statement. If the model does not declare the shard key,
/// the plan contains only the first statement, but on a cluster the library sends:
///
/// 1. the planned statement, which the cluster rejects; not in transactions;
/// 2. a `find` of the `_id`, with the same filter;
/// 3. the planned statement, with the `_id` added to the filter.
///
/// Sequences with any other difference are returned unchanged.
pub(super) fn without_repeats(sent: Vec<Sent>) -> Vec<Sent> {
    let mut left: Vec<Sent> = Vec::new();
    for mut statement in sent {
        let find = left.last().filter(|find| finds_id(find));
        let filter = find.and_then(|find| find.command.get_document("filter").ok());
        if let Some(planned) = filter.and_then(|filter| without_id(&statement, filter)) {
            left.pop();
            statement.command = planned;
            let fields = |it: &Sent| super::without_unplanned(&it.command);
            left.pop_if(|rejected| fields(rejected) == fields(&statement));
        }
        left.push(statement);
    }
    left
}

fn finds_id(sent: &Sent) -> bool {
    let select = sent.command.get_document("projection");
    sent.name == "find"
        && select.is_ok_and(|select| *select == doc! { "_id": 1 })
        && number(&sent.command, "limit") == Some(1)
}

/// Returns the planned command if the sent command differs from it only by the `_id` in the filter.
fn without_id(sent: &Sent, planned: &Document) -> Option<Document> {
    let mut command = sent.command.clone();
    let filter = match sent.name.as_str() {
        "findAndModify" => command.get_mut("query")?,
        "update" => first(&mut command, "updates")?.get_mut("q")?,
        "delete" => first(&mut command, "deletes")?.get_mut("q")?,
        _ => return None,
    };
    let parts = filter.as_document()?.get_array("$and").ok()?;
    let [Bson::Document(id), Bson::Document(own)] = parts.as_slice() else {
        return None;
    };
    if id.len() != 1 || !id.contains_key("_id") || own != planned {
        return None;
    }
    *filter = planned.clone().into();
    Some(command)
}

fn first<'c>(command: &'c mut Document, statements: &str) -> Option<&'c mut Document> {
    let statements = command.get_array_mut(statements).ok()?;
    statements.first_mut()?.as_document_mut()
}
