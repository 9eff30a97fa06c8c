//! Builder returned by `get_or_create`.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{Collation, CollationStrength},
};
use serde::Serialize;

use super::write_builder::hooks_setter;
use super::{
    Find, FindOne, Insert,
    returning::{filter_of_written, find_stored},
    with_model,
};
use crate::{
    client::{
        command::{FindCommand, and},
        odm::{Exec, Tenant, into_future},
        place::Place,
        plan::Plan,
    },
    derived::follow::{CopyOptions, FanOut},
    error::{Error, Result},
    index::partial_filter,
    model::{
        derive_traits::{Described, Storable},
        shape::{IndexShape, ModelShape, walk},
    },
    query::{filter::Filter, maintained::check_tenant_of},
    value::{
        key::{equal_to, is_same_key},
        path::{equalities, equality_in, value_at},
    },
};

/// Maximum number of times that a call inserts the document if other programs delete it before the call can read it.
const ATTEMPTS: u32 = 3;

/// A call that reads a document, or inserts it if it does not exist: `User::get_or_create(&odm, filter, &new)`.
///
/// Any number of programs can make the same call at the same time. One of them inserts the document, and all of them
/// return it.
///
/// # Sends
///
/// | case | statements |
/// |---|---|
/// | the document exists | one `find` |
/// | the document does not exist | a `find`, the statements of [`Insert`], and a `find` that reads the stored document with its copies |
/// | another program inserts the document at the same time | the same, but the server rejects the `insert` |
/// | the last `find` returns nothing | one more `find` for the new `_id`, or for the values of the unique index |
/// | another program deletes the document before the last `find` | all statements again, at most three times |
///
/// # Index
///
/// The model must declare a unique index, and the filter must compare all fields of this index by equality. The filter
/// can also compare the `_id`, which is always unique. The filter does not have to contain the tenant and the kind,
/// because the library adds them. An index with `partial` counts only if it requires nothing but that its fields exist
/// (`{"email": {"$exists": true}}`). Without a unique index, two concurrent calls could insert two documents, so the call
/// fails before it sends anything. If the index has a collation, the call also uses this collation for the filter.
///
/// If the model has a tenant and the handle is for all tenants, the call adds the tenant of the new document to the
/// filter.
///
/// # Limits
///
/// If the hook `before_insert` changes a value that the filter requires, pass the changed value in the filter and in the
/// new document. Otherwise, a second call finds nothing, and the server rejects its document.
///
/// If the call is part of a transaction, another program can insert the document after the transaction has begun. The
/// server then rejects the insert of this call and ends the transaction. [`Odm::transaction`](crate::Odm::transaction)
/// runs its closure again, and the call finds the document.
///
/// # Errors
/// - The errors of [`FindOne`] and [`Insert`].
/// - [`Error::Invalid`] if the filter does not compare all fields of a unique index by equality, or if the new document
///   does not contain the values that the filter requires by equality. The call returns this error before it sends
///   anything.
/// - [`Error::Invalid`] if the new document does not match a condition of the filter other than equality. In this case,
///   the call has already inserted the document.
/// - [`Error::NotFound`] if other programs delete the inserted document three times before the call can read it.
/// - [`Error::DuplicateKey`] if the server rejects the insert because of a unique index other than the one that the
///   filter uses.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "users")]
/// struct User {
///     #[serde(rename = "_id")]
///     id: Id<User>,
///     #[index(unique)]
///     email: String,
/// }
///
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let new = User { id: Id::new(), email: "tove@example.org".into() };
/// let user = User::get_or_create(&odm, User::fields().email.eq(&new.email), &new).await?;
/// println!("{:?}, new: {}", user.document, user.is_created);
/// # Ok(()) }
/// ```
#[must_use = "nothing is read or inserted until it is awaited"]
#[derive(Debug)]
pub struct GetOrCreate<M> {
    search: Result<UniqueSearch>,
    insert: Insert<M>,
    exec: Exec,
}

/// The document that [`get_or_create`](crate::Documents::get_or_create) has read or inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Created<M> {
    /// The document as it is stored.
    pub document: M,
    /// Whether this call has inserted the document.
    pub is_created: bool,
}

impl<M: Storable> GetOrCreate<M> {
    pub(super) fn new(filter: Filter<M>, mut insert: Insert<M>) -> Self {
        let exec = insert.exec().clone();
        let required = filter.into_document().map_err(with_model::<M>);
        let search = required
            .and_then(|required| UniqueSearch::new(M::SHAPE, required, insert.encoded()?, &exec));
        Self {
            search,
            insert,
            exec,
        }
    }
}

impl<M: Described + Send + 'static> GetOrCreate<M> {
    hooks_setter!();

    /// Returns the statements that the call sends if the document does not exist, in mongosh syntax. Sends nothing.
    ///
    /// # Errors
    ///
    /// The errors that the call itself can return before it sends a statement.
    ///
    /// # Examples
    ///
    /// See [`Plan`](crate::Plan).
    pub fn plan(self) -> Result<Plan> {
        let search = self.search?;
        let plan = search.find::<M>(&self.exec).plan()?;
        let stored = search.find_stored::<M>(&self.exec).plan()?;
        Ok(plan.followed_by(self.insert.plan()?).followed_by(stored))
    }

    async fn run(self) -> Result<Created<M>> {
        let search = self.search?;
        let mut failed = None;
        for _ in 0..ATTEMPTS {
            if let Some(document) = search.find(&self.exec).await? {
                return Ok(Created {
                    document,
                    is_created: false,
                });
            }
            let duplicate = match self.insert.again().await {
                Ok(_) => None,
                // A duplicate key ends the transaction, so the call cannot read anything in it.
                Err(error) if error.is_duplicate_key() && !self.exec.in_transaction() => {
                    Some(error)
                }
                Err(error) => return Err(error),
            };
            if let Some(document) = search.find_stored(&self.exec).await? {
                return Ok(Created {
                    document,
                    is_created: duplicate.is_none(),
                });
            }
            failed = match duplicate {
                Some(duplicate) => Some(search.duplicate(M::SHAPE, duplicate, &self.exec).await?),
                None => match search.find_inserted(&self.exec).await? {
                    // A hook can change values that the filter requires.
                    Some(document) if self.insert.calls_before_insert() => {
                        return Ok(Created {
                            document,
                            is_created: true,
                        });
                    }
                    Some(_) => return Err(unfit(M::SHAPE)),
                    None => Some(search.not_found(M::SHAPE)),
                },
            };
        }
        Err(failed.unwrap_or_else(|| search.not_found(M::SHAPE)))
    }
}

/// A filter that at most one document can match.
#[derive(Debug)]
struct UniqueSearch {
    filter: Document,
    /// The part of the filter that compares the fields of a unique index.
    keys: Document,
    /// The collation of this index.
    collation: Option<Collation>,
    /// The filter for the new document.
    inserted: Document,
}

impl UniqueSearch {
    /// Checks that at most one document can match the filter, and that the new document contains the values that the
    /// filter requires by equality. Adds the tenant of the new document if the handle is for all tenants.
    fn new(
        model: &'static ModelShape,
        mut filter: Document,
        mut new: Document,
        exec: &Exec,
    ) -> Result<Self> {
        let raw = RawDocumentBuf::try_from(&new).map_err(mongodb::error::Error::from)?;
        let tenant = check_tenant_of(model, &raw, exec)?;
        if let Some(field) = model.tenant() {
            if let Some(tenant) = tenant {
                new.insert(field, tenant);
            }
            if *exec.odm().tenancy() == Tenant::All && equality_in(&filter, field).is_none() {
                filter = and(filter, doc! { field: new.get(field).cloned() });
            }
        }
        let (keys, collation) = unique_part(model, &filter)?;
        check_values(model, &filter, &new)?;
        Ok(Self {
            filter,
            keys,
            collation,
            inserted: filter_of_written(model, &raw),
        })
    }

    fn find<M: Described + Send + 'static>(&self, exec: &Exec) -> FindOne<M> {
        let find = Find::new(exec.clone())
            .filter(Filter::from(self.filter.clone()))
            .first();
        self.collated(find)
    }

    fn find_stored<M: Described + Send + 'static>(&self, exec: &Exec) -> FindOne<M> {
        self.collated(find_stored(self.filter.clone().into(), exec))
    }

    /// Finds the document that the call has inserted, even if it does not match the filter.
    fn find_inserted<M: Described + Send + 'static>(&self, exec: &Exec) -> FindOne<M> {
        find_stored(self.inserted.clone().into(), exec)
    }

    /// Sets the collation of the unique index, because the server uses an index only for comparisons with the collation
    /// of that index.
    fn collated<M: Described + Send + 'static>(&self, find: FindOne<M>) -> FindOne<M> {
        match &self.collation {
            Some(collation) => find.collation(collation.clone()),
            None => find,
        }
    }

    /// Returns the error of an attempt in which the server has rejected the document, and no stored document matches the
    /// filter. Sends one `find` for the values of the unique index.
    ///
    /// # Errors
    ///
    /// The same error if a further attempt would fail, too, because another unique index has rejected the document.
    async fn duplicate(
        &self,
        model: &'static ModelShape,
        duplicate: Error,
        exec: &Exec,
    ) -> Result<Error> {
        let is_of_keys = match &duplicate {
            Error::DuplicateKey {
                fields, deleted, ..
            } => !deleted && fields.keys().all(|path| self.compares(model, path)),
            _ => false,
        };
        // Documents of other tenants and deleted documents can have the `_id` of the new document.
        if !is_of_keys || self.is_stored(Place::of(model), exec).await? {
            return Err(duplicate);
        }
        Ok(duplicate)
    }

    fn compares(&self, model: &ModelShape, path: &str) -> bool {
        self.keys.contains_key(path) || is_given(model, path)
    }

    async fn is_stored(&self, place: Place, exec: &Exec) -> Result<bool> {
        let find = FindCommand::new(place, self.keys.clone());
        let mut find = find.first().collation(self.collation.clone());
        exec.read_latest(&mut find.options);
        Ok(!exec.ids(find).await?.is_empty())
    }

    fn not_found(&self, model: &'static ModelShape) -> Error {
        model.not_found(self.filter.clone())
    }
}

fn unfit(model: &'static ModelShape) -> Error {
    Error::invalid(format!(
        "`get_or_create` has inserted a `{}` that does not match its filter; remove the condition that the new document does \
         not meet",
        model.name
    ))
    .in_model(model)
}

/// Returns the part of a filter that compares all fields of a unique index by equality, and the collation of this
/// index.
fn unique_part(
    model: &'static ModelShape,
    filter: &Document,
) -> Result<(Document, Option<Collation>)> {
    for (paths, index) in unique_keys(model) {
        if index.is_some_and(|index| !contains_values(index, &paths, filter)) {
            continue;
        }
        let compared =
            |path: &String| !is_given(model, path) || equality_in(filter, path).is_some();
        let part = paths.into_iter().filter(compared).map(|path| {
            let value = equal_to(equality_in(filter, &path)?.clone());
            Some((path, value))
        });
        if let Some(part) = part.collect::<Option<Document>>() {
            return Ok((part, index.and_then(collation_of)));
        }
    }
    Err(Error::invalid(format!(
        "the filter of `{name}::get_or_create` requires no value of a unique index, so two calls at the same time \
         would insert two documents; compare all fields of a unique index by `eq`, with values that serde does not leave \
         out (`skip_serializing_if`), or declare such an index with `#[index(unique)]`; a partial index counts only if its \
         condition is `$exists`",
        name = model.name
    )))
}

/// Whether a unique index contains each document that has the values in a filter. A partial index contains these documents
/// if it only requires that its own fields exist.
fn contains_values(index: &IndexShape, paths: &[String], filter: &Document) -> bool {
    let Some(json) = index.partial else {
        return true;
    };
    let exists = Bson::from(doc! { "$exists": true });
    let has_value = |path: &String| {
        let value = equality_in(filter, path);
        value.is_some_and(|value| *value != Bson::Null)
    };
    partial_filter::parse(json).is_ok_and(|partial| {
        let mut conditions = partial.iter();
        conditions.all(|(path, condition)| {
            *condition == exists && paths.contains(path) && has_value(path)
        })
    })
}

/// Whether each statement compares the path, because it is the tenant or the kind of the model. The default kind consists
/// of documents with different values.
fn is_given(model: &ModelShape, path: &str) -> bool {
    let kind = model.kind.filter(|kind| !kind.is_default);
    model.tenant() == Some(path) || kind.is_some_and(|kind| kind.field == path)
}

/// Checks that the new document contains the values that the filter requires by equality.
fn check_values(model: &'static ModelShape, filter: &Document, new: &Document) -> Result<()> {
    for (path, value) in equalities(filter) {
        let has = value_at(new, path);
        if !has.is_some_and(|has| is_same_key(has, value)) {
            return Err(Error::invalid(format!(
                "the new `{name}` has {has} in `{path}`, and the filter of `get_or_create` requires {value}; give \
                 both the same value",
                name = model.name,
                has = has.map_or_else(|| "no value".to_owned(), crate::mongosh::value),
                value = crate::mongosh::value(value)
            )));
        }
    }
    Ok(())
}

/// Lists the paths of each unique index that a model declares, and the `_id`. If the library adds the tenant to an index,
/// the list does not contain the tenant.
fn unique_keys(
    model: &'static ModelShape,
) -> impl Iterator<Item = (Vec<String>, Option<&'static IndexShape>)> {
    let is_unique = |index: &&IndexShape| index.unique;
    let of_fields = walk(model.fields).into_iter().filter_map(move |field| {
        let index = field.shape.index.as_ref().filter(is_unique)?;
        Some((keys_of(index, Some(&field.path)), Some(index)))
    });
    let of_model = model.indexes.iter().filter(is_unique);
    let of_model = of_model.map(|index| (keys_of(index, None), Some(index)));
    let of_id = std::iter::once((vec!["_id".to_owned()], None));
    of_id.chain(of_fields).chain(of_model)
}

fn keys_of(index: &IndexShape, field: Option<&str>) -> Vec<String> {
    if index.keys.is_empty() {
        return field.map(ToOwned::to_owned).into_iter().collect();
    }
    index.keys.iter().map(|key| (key.path)()).collect()
}

fn collation_of(index: &IndexShape) -> Option<Collation> {
    let strength = index.strength;
    let strength = strength.and_then(|strength| CollationStrength::try_from(strength).ok());
    let collation = Collation::builder().locale(index.locale?);
    Some(collation.strength(strength).build())
}

into_future!([M: Described + Send + 'static] GetOrCreate<M> => Created<M>, |it| Box::pin(it.run()));

impl<M> CopyOptions for GetOrCreate<M> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        self.insert.fan_out_mut()
    }
}
