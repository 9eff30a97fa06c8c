//! Computes the indexes that the models declare and imply. Sends nothing to the server.

use std::collections::{BTreeMap, BTreeSet};

use mongodb::bson::{Document, doc};

use super::{
    declared_checks::{check_declared, check_partial},
    equivalence, partial_filter,
    serves_reference::{covers, supports_shard_key},
    shard_key::{check_unique, shard_key},
    spec::{IndexSpec, sign},
};
use crate::{
    client::{
        command::and,
        place::{Place, Visibility},
    },
    error::{Error, Result},
    graph::{StoredReference, graph},
    model::shape::{DocumentSet, IndexShape, ModelLinks, ModelShape, StoredField, walk},
};

/// The indexes that the models of one collection declare and imply.
#[derive(Debug, Default)]
pub(crate) struct Desired {
    declared: Vec<DesiredIndex>,
    implied: Vec<IndexSpec>,
    /// The shard key, or an empty document.
    shard_key: Document,
    /// The tenant of the documents, if they are sharded.
    tenant: Option<&'static str>,
}

/// An index that the server should have.
#[derive(Clone, Debug)]
pub(super) struct DesiredIndex {
    pub(super) spec: IndexSpec,
    /// Whether the model declares a name for the index. If so, an equal index that has a different name on the server
    /// counts as a difference.
    pub(super) named: bool,
}

/// Returns the declared and implied indexes of each collection. The indexes of all models in a collection are
/// combined.
///
/// # Errors
///
/// [`Error::Declaration`] if a partial filter expression is not valid extended JSON.
pub(crate) fn desired(
    models: &[&'static ModelShape],
    collections: &[&'static str],
) -> Result<BTreeMap<&'static str, Desired>> {
    let mut all: BTreeMap<_, Desired> = collections
        .iter()
        .map(|name| (*name, Desired::default()))
        .collect();
    for model in models {
        // If a struct embeds itself, its indexes are created for only one level of nesting. This limit is necessary
        // because an index has a fixed path, and a collection can have at most 64 indexes.
        let mut fields = walk(model.fields);
        fields.retain(|field| field.repeats <= 1);
        if let Some(wanted) = all.get_mut(model.collection) {
            wanted.declare(model, &fields)?;
            wanted.shard_by(model, model.collection);
            if let Some(links) = model.links() {
                wanted.imply(links_index(model, &links));
            }
            if let Some(archive) = model.archive {
                let wanted = all.entry(archive).or_default();
                wanted.declare(model, &fields)?;
                wanted.shard_by(model, archive);
                for reference in StoredReference::of_each(&[model]) {
                    let origin = reference.title.clone();
                    wanted.imply(IndexSpec::implied(archive, &reference.path(), origin));
                }
            }
        }
        for reference in StoredReference::of_each(&[model]) {
            // Each reference implies an index on its own path, and an index on the target's field that contains the
            // key.
            let own = (model.collection, reference.path());
            let of_targets = reference.targets();
            let of_targets = of_targets.map(|it| (it.model.collection, it.path.clone()));
            for (collection, path) in [own].into_iter().chain(of_targets) {
                if let Some(wanted) = all.get_mut(collection) {
                    let origin = reference.title.clone();
                    wanted.imply(IndexSpec::implied(collection, &path, origin));
                }
            }
        }
    }
    for (collection, wanted) in &mut all {
        for reference in graph().copied_into(DocumentSet::whole_collection(collection)) {
            wanted.imply(IndexSpec::fan_out(
                collection,
                &reference.key_path(),
                reference.name.clone(),
            ));
        }
        for (keys, name) in graph().computed_keys(collection) {
            wanted.imply(IndexSpec::implied_keys(collection, keys, name));
        }
        let mut archives = models.iter().filter_map(|model| model.archive);
        if archives.any(|archive| archive == *collection) {
            wanted.move_to_archive(collection);
        }
    }
    Ok(all)
}

/// Returns the index that a cluster needs before it can shard the collection of a model or its archive by the given
/// key: a declared index that begins with the key, or the implied index. `default` is the default collation of the
/// collection.
///
/// # Errors
///
/// [`Error::Declaration`] if the indexes of the collection contradict each other.
pub(crate) fn shard_key_index(
    models: &[&'static ModelShape],
    model: &'static ModelShape,
    (collection, key): (&str, &Document),
    default: Option<&Document>,
) -> Result<IndexSpec> {
    let mut all = desired(models, &[model.collection])?;
    let wanted = all.remove(collection).unwrap_or_default();
    let mut indexes = wanted.indexes(default)?.into_iter().map(|index| index.spec);
    let found = indexes.find(|spec| supports_shard_key(spec, key, default));
    let implied = || IndexSpec::implied_keys(collection, key.clone(), String::new());
    Ok(found.unwrap_or_else(implied))
}

/// Lists the indexes that a collection should have, sorted by name. Assumes the default collation. The list is empty
/// if two of the indexes contradict each other.
pub(crate) fn desired_of_collection(
    models: &[&'static ModelShape],
    collection: &'static str,
) -> Vec<IndexSpec> {
    let found = desired(models, &[collection]).and_then(|mut all| {
        let wanted = all.remove(collection).unwrap_or_default();
        wanted.indexes(None)
    });
    let found = found.unwrap_or_default().into_iter();
    let mut specs: Vec<_> = found.map(|index| index.spec).collect();
    specs.sort_by(|left, right| left.name.cmp(&right.name));
    specs
}

/// Returns the errors in the declarations: two indexes that have the same name, two text indexes, or an invalid
/// filter. For each collection, at most one error is returned.
pub(crate) fn contradictions(models: &[&'static ModelShape]) -> Vec<Error> {
    let collections: BTreeSet<_> = models.iter().map(|model| model.collection).collect();
    let collections: Vec<_> = collections.into_iter().collect();
    let errors_of = |collections: &[&'static str]| -> Result<Vec<Error>> {
        let wanted = desired(models, collections)?.into_values();
        let errors = wanted.filter_map(|wanted| wanted.indexes(None).err());
        Ok(errors.collect())
    };
    errors_of(&collections).unwrap_or_else(|_| {
        // An invalid declaration must not hide the errors of other collections.
        let each = collections.iter();
        let each = each.map(|collection| errors_of(&[*collection]));
        each.flat_map(|errors| errors.unwrap_or_else(|error| vec![error]))
            .collect()
    })
}

impl Desired {
    fn declare(&mut self, model: &'static ModelShape, fields: &[StoredField]) -> Result<()> {
        for field in fields {
            if let Some(shape) = &field.shape.index {
                let origin = format!("{}.{}", model.name, field.path);
                self.add(declared(model, shape, Some(&field.path), origin)?);
            }
        }
        for shape in model.indexes {
            self.add(declared(model, shape, None, model.name.to_owned())?);
        }
        Ok(())
    }

    /// Changes the indexes of models into those of their archive, which are neither unique nor TTL indexes. In the
    /// archive, several documents may have the same value, and only a purge may remove documents.
    fn move_to_archive(&mut self, archive: &str) {
        for spec in self.declared.iter_mut().map(|index| &mut index.spec) {
            archive.clone_into(&mut spec.collection);
            spec.options.remove("unique");
            spec.options.remove("expireAfterSeconds");
        }
    }

    /// Adds a declared index. If two models declare the same index, it is added once. If one of the models declares
    /// a name, the index gets that name.
    fn add(&mut self, new: DesiredIndex) {
        // The server always creates the index on `_id`, and its options cannot be changed.
        if new.spec.is_of_id() {
            return;
        }
        let same = self.declared.iter_mut().find(|old| {
            (old.spec.name == new.spec.name || !(old.named && new.named))
                && equivalence::is_same(&old.spec, &new.spec)
        });
        match same {
            Some(old) if new.named => *old = new,
            Some(_) => {}
            None => self.declared.push(new),
        }
    }

    /// Adds an index that finds documents by its first field, unless the index on `_id` also finds them.
    fn imply(&mut self, new: IndexSpec) {
        let mut keys = new.keys.iter();
        let is_of_id = keys
            .next()
            .is_some_and(|(path, kind)| path == "_id" && sign(kind).is_some());
        if !is_of_id {
            self.add_implied(new);
        }
    }

    fn add_implied(&mut self, new: IndexSpec) {
        let is_known = self.implied.iter().any(|old| old.keys.iter().eq(&new.keys));
        if !is_known {
            self.implied.push(new);
        }
    }

    /// Adds the index of the shard key, which a cluster needs before it can shard the collection.
    fn shard_by(&mut self, model: &'static ModelShape, collection: &str) {
        let key = shard_key(model);
        if !key.is_empty() {
            let origin = format!("the shard key of {}", model.name);
            let index = IndexSpec::implied_keys(collection, key.clone(), origin);
            if !index.is_of_id() {
                self.add_implied(index);
            }
            self.shard_key = key;
            self.tenant = model.tenant();
        }
    }

    /// Returns the indexes for a collection that has the given default collation.
    ///
    /// # Errors
    ///
    /// [`Error::Declaration`] if two indexes have the same name, if there are two text indexes, or if a cluster cannot
    /// enforce a unique index.
    pub(super) fn indexes(self, default: Option<&Document>) -> Result<Vec<DesiredIndex>> {
        let mut all = self.declared;
        let specs = all.iter().map(|index| &index.spec);
        check_unique(specs, (&self.shard_key, self.tenant), default)?;
        check_names(&all)?;
        check_text(&all)?;
        // Longer indexes are added first, because they also support the references for which a shorter index would be
        // sufficient.
        let mut implied = self.implied;
        implied.sort_by_key(|spec| std::cmp::Reverse(spec.keys.len()));
        for mut implied in implied {
            let is_shard_key = implied.keys.iter().eq(&self.shard_key);
            let suffices = |other: &DesiredIndex| {
                if is_shard_key {
                    supports_shard_key(&other.spec, &implied.keys, default)
                } else {
                    covers(&other.spec, &implied, default)
                }
            };
            if all.iter().any(suffices) {
                continue;
            }
            // A declared index of another type may have the same keys and thus the same default name.
            if all.iter().any(|other| other.spec.name == implied.name) {
                implied.name.push_str("_implied");
            }
            all.push(DesiredIndex {
                spec: implied,
                named: false,
            });
        }
        check_names(&all)?;
        Ok(all)
    }
}

fn declared(
    model: &'static ModelShape,
    shape: &IndexShape,
    field: Option<&str>,
    origin: String,
) -> Result<DesiredIndex> {
    let mut spec = IndexSpec::declared(model, shape, field, origin);
    if let Some(json) = shape.partial {
        let filter = partial_filter::parse(json).map_err(|error| {
            Error::Declaration(format!(
                "`partial` of the index `{}` ({}) is not a filter in extended JSON: {error}; \
                 write `partial = r#\"{{\"qty\": {{\"$gt\": 0}}}}\"#`",
                spec.name, spec.origin
            ))
        })?;
        check_partial(model, shape, &filter, &spec)?;
        spec.options.insert("partialFilterExpression", filter);
    }
    if shape.unique {
        // A new document may have the same value as a deleted one.
        let live = Visibility::Live.condition(model);
        if !live.is_empty() {
            let filter = spec.options.get_document("partialFilterExpression");
            let filter = and(filter.cloned().unwrap_or_default(), live);
            spec.options.insert("partialFilterExpression", filter);
        }
    }
    if let (Some(kind), false) = (&model.kind, shape.all_kinds) {
        // Two kinds may declare the same keys. Each kind then gets an index of its own.
        if shape.name.is_none() {
            spec.name = format!("{}_{}", spec.name, kind.value);
        }
        let filter = spec.options.get_document("partialFilterExpression");
        let filter = Place::of(model).scope(filter.cloned().unwrap_or_default());
        spec.options.insert("partialFilterExpression", filter);
    }
    check_declared(model, shape, &spec)?;
    Ok(DesiredIndex {
        spec,
        named: shape.name.is_some(),
    })
}

/// Returns the index for queries of linked documents. The index contains the id and the kind of each link.
fn links_index(model: &'static ModelShape, links: &ModelLinks) -> IndexSpec {
    let mut keys = doc! { links.path(): 1 };
    let kind = links.shape.kind;
    keys.extend(kind.map(|kind| (format!("{}.{kind}", links.array), 1.into())));
    let origin = format!("{}.{}", model.name, links.array);
    IndexSpec::implied_keys(model.collection, keys, origin)
}

fn check_names(indexes: &[DesiredIndex]) -> Result<()> {
    let mut seen = BTreeMap::new();
    for DesiredIndex { spec, .. } in indexes {
        if let Some(other) = seen.insert(&spec.name, &spec.origin) {
            return Err(Error::Declaration(format!(
                "two indexes of `{}` have the name `{}`, one {other}, one {}; \
                 give one of them another with `name = \"..\"`",
                spec.collection, spec.name, spec.origin
            )));
        }
    }
    Ok(())
}

fn check_text(indexes: &[DesiredIndex]) -> Result<()> {
    let mut texts = indexes
        .iter()
        .map(|index| &index.spec)
        .filter(|spec| spec.is_text());
    let (Some(first), Some(second)) = (texts.next(), texts.next()) else {
        return Ok(());
    };
    Err(Error::Declaration(format!(
        "`MongoDB` allows one text index for each collection, and `{}` would have two: `{}` ({}) and `{}` ({}); declare \
         one over the fields of both at one model, with `all_kinds` if the model has a kind",
        first.collection, first.name, first.origin, second.name, second.origin
    )))
}
