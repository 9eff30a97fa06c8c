//! The conditions by which one `find` selects kinds and linked documents.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::place::Place,
    model::shape::{LinkEnds, ModelLinks, ModelShape},
    query::single_collection::Grouped,
    value::key::any_of,
};

/// Returns the condition for the kinds that share one `find`, including the filters of these kinds.
pub(super) fn together(
    rest: &[&'static ModelShape],
    apart: &[&'static ModelShape],
    filtered: &[(&'static ModelShape, Document)],
    only: bool,
) -> Document {
    let without = |models: &[&'static ModelShape]| -> Document {
        let conditions = models
            .iter()
            .filter_map(|model| Some(model.kind?.condition()));
        let conditions: Vec<Bson> = conditions.map(Bson::from).collect();
        if conditions.is_empty() {
            return Document::new();
        }
        doc! { "$nor": conditions }
    };
    let kind_of = |model: &&'static ModelShape| model.kind.map(|kind| kind.condition());
    if filtered.is_empty() && only {
        return any_condition(rest.iter().filter_map(kind_of).collect());
    }
    if filtered.is_empty() {
        return without(apart);
    }
    let scoped =
        |(model, filter): &(&'static ModelShape, Document)| Place::of(model).scope(filter.clone());
    let mut conditions: Vec<Document> = filtered.iter().map(scoped).collect();
    let named: Vec<_> = filtered.iter().map(|(model, _)| *model).collect();
    if only {
        let others = rest
            .iter()
            .filter(|model| named.iter().all(|it| it.documents() != model.documents()));
        conditions.extend(others.filter_map(kind_of));
    } else {
        conditions.push(without(&[&named[..], apart].concat()));
    }
    any_condition(conditions)
}

fn any_condition(mut conditions: Vec<Document>) -> Document {
    if conditions.len() == 1 {
        return conditions.remove(0);
    }
    doc! { "$or": conditions }
}

/// Returns a filter for those linked documents whose models do not store links, or `None` if there are none. `held`
/// contains the links to all linked documents.
pub(super) fn one_sided<V: Grouped>(held: &[Bson]) -> Option<Document> {
    if held.is_empty() {
        return None;
    }
    let links = V::__ODM_KINDS
        .iter()
        .filter_map(|variant| variant.model.links());
    let links = links.filter(|links| links.ends() == LinkEnds::Others);
    let links: Vec<ModelLinks> = links.filter(|it| it.shape.separator.is_none()).collect();
    let leads = |link: &&Bson| links.iter().any(|of| of.may_link_to_model(link));
    let leading = held.iter().filter(leads);
    let ids = leading.filter_map(|link| links.first()?.target_of(link));
    let ids: Vec<Bson> = ids.cloned().collect();
    let kinds = links.iter().map(|links| links.kind.condition()).collect();
    (!ids.is_empty()).then(|| doc! { "$and": [any_of("_id", ids), any_condition(kinds)] })
}
