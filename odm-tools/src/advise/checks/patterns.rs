//! Rules 1 and 5 for relations: documents to embed and fields to copy, according to the program's counters.

use mongo_odm::{
    ModelStats, RelationStats,
    shape::{ModelShape, ReferenceKind, walk},
};

use super::{
    found::{Found, figures},
    usage::{model_stats, references},
};
use crate::advise::{
    rule::Severity,
    seen::{SeenCollection, SeenDatabase},
    subject::{ModelField, Subject},
    thresholds::Thresholds,
    words::{bytes, count, list, roomy},
};

/// Lower limit for the mean from which a proposed `max` is computed. Smaller means are replaced by this number, because
/// a small mean is a poor basis for estimating the maximum.
const LEAST_MEAN: u64 = 10;

/// Reports references that the program follows only to read one or two fields, much more often than it writes the
/// targets (check R3).
pub(in crate::advise) fn copy_pays(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let found = seen.stats.relations.iter().filter_map(|it| {
        let field = references(seen).find(|field| {
            let owner = field.model.name;
            it.relation == format!("{owner}.{}", field.stored.path)
        })?;
        let reference = field.stored.shape.reference.as_ref()?;
        let target = (reference.target)();
        let stats = model_stats(seen, target.name)?;
        let fields = wanted_fields(stats, it);
        let updated = stats.updated.max(1);
        let is_read =
            it.documents >= t.enough_calls && it.documents / updated >= t.reads_for_one_write;
        let is_copied = seen.derives(field.model.name, target.name);
        let is_to_one = reference.kind != ReferenceKind::Many;
        let pays = is_read && is_to_one && !is_copied && matches!(fields.len(), 1 | 2);
        pays.then(|| copy_of(it, &field, (target, stats), &fields))
    });
    found.collect()
}

/// Lists the fields of a target model that projections select. The list is empty if more than 10 % of the calls read
/// documents in full.
fn wanted_fields<'s>(target: &'s ModelStats, relation: &RelationStats) -> Vec<&'s str> {
    let calls = relation.loads + relation.joins;
    if target.whole > calls / 10 {
        return Vec::new();
    }
    let projected = target
        .fields
        .iter()
        .filter(|it| it.projected > 0 && it.path != "_id");
    projected.map(|it| it.path.as_str()).collect()
}

fn copy_of(
    it: &RelationStats,
    field: &ModelField,
    (target, stats): (&ModelShape, &ModelStats),
    fields: &[&str],
) -> Found {
    let attributes = fields
        .iter()
        .map(|path| format!("#[denorm(from = \"{}.{path}\")]", target.name));
    let attributes: Vec<_> = attributes.collect();
    let (source, title) = (target.name, Subject::of(field).title());
    Found {
        subject: Subject::of(field),
        severity: Severity::Note,
        figures: figures([
            ("documents", it.documents),
            ("calls", it.loads + it.joins),
            ("updated", stats.updated),
        ]),
        example: None,
        evidence: format!(
            "{} loads and {} joins of `{}` have read {} documents of `{source}` for {}, and {} documents of \
            `{source}` were changed in the same time",
            count(it.loads),
            count(it.joins),
            it.relation,
            count(it.documents),
            list(fields),
            count(stats.updated)
        ),
        cost_now: format!(
            "a second round trip in each of {} calls, for {} of `{source}`",
            count(it.loads + it.joins),
            list(fields)
        ),
        change: format!("{} beside `{title}`", list(&attributes)),
        cost_after: format!(
            "no second round trip; each change of {} in a `{source}` updates all its documents of `{}`",
            list(fields),
            field.model.name
        ),
        check: format!(
            "`odm.stats().copies`: `ratio()` of `{} <- {source}` stays above 1",
            field.model.name
        ),
    }
}

/// Reports models that could be embedded: parents have only a few small children, and the program reads these children
/// only together with their parent (check R1).
pub(in crate::advise) fn embed_instead(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let database = &seen.database;
    let found = seen.models.iter().filter_map(|model| {
        if model_stats(database, model.name).is_some_and(|it| it.queries > 0) {
            return None;
        }
        // An embedded struct has neither maintained fields nor an archive.
        if model.fields.iter().any(|it| it.maintained.is_some()) || model.archive.is_some() {
            return None;
        }
        let to_it = references(database).filter(|it| {
            let reference = it.stored.shape.reference.as_ref();
            reference.is_some_and(|it| (it.target)().name == model.name)
        });
        let owner = only_owner(model)?;
        // Other models may refer to these documents, and a reference cannot refer to an embedded struct.
        if to_it.into_iter().any(|it| it.model.name != owner.name) {
            return None;
        }
        let mut relations = database.stats.relations.iter();
        let of_owner = |it: &&RelationStats| {
            let from = it.relation.split_once('.').map(|(from, _)| from);
            it.target == model.name && from == Some(owner.name)
        };
        let it = relations.find(of_owner)?;
        let each = it.documents.div_ceil(it.owners.max(1));
        let small = each * seen.sizes.average <= t.median_bytes;
        let read = it.loads + it.joins >= t.enough_calls && it.documents > 0 && it.parts == 0;
        (read && small && each <= t.few_embedded).then(|| embed(seen, model, owner, it, each))
    });
    found.collect()
}

/// Returns the parent of a model, which is the target of its only reference. Returns `None` if the model has several
/// references, because a document that has several parents should not be embedded in one of them.
fn only_owner(model: &'static ModelShape) -> Option<&'static ModelShape> {
    let fields = walk(model.fields).into_iter();
    let mut references = fields.filter_map(|field| {
        let is_one = !field.shape.array && field.arrays_above == 0;
        Some((field.shape.reference.as_ref()?, is_one))
    });
    match (references.next(), references.next()) {
        (Some((reference, true)), None) => Some((reference.target)()),
        _ => None,
    }
}

/// Whether each parent has at most one child in this relation.
fn is_to_one(owner: &ModelShape, relation: &str) -> bool {
    let mut back = owner.has_many.iter();
    let mut own = owner.fields.iter();
    back.any(|it| it.name == relation && it.single)
        || own.any(|it| it.name == relation && it.reference.is_some() && !it.array)
}

fn embed(
    seen: &SeenCollection,
    model: &'static ModelShape,
    owner: &ModelShape,
    it: &RelationStats,
    each: u64,
) -> Found {
    let (name, of) = (model.name, owner.name);
    let field = it.relation.rsplit('.').next().unwrap_or_default();
    let size = bytes(each * seen.sizes.average);
    let embedded = if is_to_one(owner, field) {
        format!("`#[embed] {field}: Option<{name}>`")
    } else {
        // The maximum can be much larger than the mean, so the proposed `max` leaves room.
        let max = roomy(each.max(LEAST_MEAN));
        format!("`#[embed(max = {max})] {field}: Vec<{name}>`")
    };
    Found {
        subject: Subject::collection(&seen.name, &[model]),
        severity: Severity::Note,
        figures: figures([
            ("calls", it.loads + it.joins),
            ("documents", it.documents),
            ("owners", it.owners),
            ("for_each_owner", each),
        ]),
        example: None,
        evidence: format!(
            "`{name}` was read only by `{}`, in {} calls: {} documents for {} of `{of}`, about {each} for each \
            ({size})",
            it.relation,
            count(it.loads + it.joins),
            count(it.documents),
            count(it.owners)
        ),
        cost_now: format!(
            "a second round trip for each read of a `{of}` with its `{field}`, and an index of `{}`",
            seen.name
        ),
        change: format!("{embedded} in `{of}`, with `Embedded` instead of `Model` at `{name}`"),
        cost_after: format!(
            "one `find` reads a `{of}` with its `{field}`, and documents of `{of}` are {size} larger"
        ),
        check: format!(
            "`odm.stats()`: no relation `{}`, and the documents of `{of}` stay below {}",
            it.relation,
            bytes(16 << 10)
        ),
    }
}
