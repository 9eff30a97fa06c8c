//! Builder returned by `get_or_create`.

use std::future::IntoFuture;

use mongodb::{bson::Document, options::ReadPreference};

use super::{Find, FindOne, Insert, with_model};
use crate::{
    client::{
        odm::{Exec, Running},
        plan::Plan,
    },
    derived::follow::{CopyOptions, FanOut},
    error::{Error, Result},
    model::{
        derive_traits::{Described, Storable},
        shape::{IndexShape, ModelShape, walk},
    },
    query::filter::Filter,
    value::{
        key::JoinKey,
        path::{equalities, value_at},
    },
};

/// A document that is read, or inserted if it does not exist: `User::get_or_create(&odm, filter, &new)`.
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
///
/// # Index
///
/// A unique index on fields that the filter compares by equality. Without a declared one, the call fails before it sends
/// anything, because two concurrent calls would insert two documents. The `_id` is always unique.
///
/// # Limits
///
/// In a transaction, an insert that another program has made since the transaction began ends the transaction. The
/// library then runs the closure of [`Odm::transaction`](crate::Odm::transaction) again, and the call finds the document.
///
/// # Errors
///
/// The errors of [`FindOne`] and [`Insert`]. Also [`Error::Invalid`], before anything is sent, if no unique index covers
/// the filter, or if the new document does not have the values that the filter requires by equality. If another condition
/// of the filter rejects the new document, the call fails with [`Error::Invalid`] after it has inserted the document. If
/// the server rejects the insert because of another unique index, the call returns this error.
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
    filter: Filter<M>,
    checked: Result<()>,
    insert: Insert,
    exec: Exec,
}

/// The document that [`get_or_create`](crate::Documents::get_or_create) has read or inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Created<M> {
    /// The document as it is stored.
    pub document: M,
    /// Whether this call has inserted the document.
    pub is_created: bool,
}

impl<M: Storable> GetOrCreate<M> {
    pub(super) fn new(filter: Filter<M>, new: &M, exec: Exec) -> Self {
        let required = filter.clone().into_document().map_err(with_model::<M>);
        let mut insert = Insert::one(new, exec.clone());
        let checked = required.and_then(|required| check(M::SHAPE, &required, &insert.encoded()?));
        Self {
            filter,
            checked,
            insert,
            exec,
        }
    }
}

impl<M: Described + Send + 'static> GetOrCreate<M> {
    /// Returns the statements that the call sends if the document does not exist, as mongosh text. Sends nothing.
    ///
    /// # Errors
    ///
    /// The errors that the call itself can return before it sends a statement.
    pub fn plan(self) -> Result<Plan> {
        self.checked?;
        let mut plan = find(&self.filter, &self.exec).plan()?;
        plan.statements.extend(self.insert.plan()?.statements);
        let stored = find_stored(&self.filter, &self.exec).plan()?;
        plan.statements.extend(stored.statements);
        Ok(plan)
    }

    async fn run(self) -> Result<Created<M>> {
        self.checked?;
        if let Some(document) = find(&self.filter, &self.exec).await? {
            return Ok(Created {
                document,
                is_created: false,
            });
        }
        let duplicate = match self.insert.await {
            Ok(_) => None,
            // The server ends a transaction at a duplicate key, so nothing can be read in it.
            Err(error) if error.is_duplicate_key() && !self.exec.in_transaction() => Some(error),
            Err(error) => return Err(error),
        };
        match (find_stored(&self.filter, &self.exec).await?, duplicate) {
            (Some(document), duplicate) => Ok(Created {
                document,
                is_created: duplicate.is_none(),
            }),
            // Another unique index has rejected the document.
            (None, Some(error)) => Err(error),
            (None, None) => Err(Error::invalid(format!(
                "`get_or_create` has inserted a `{}`, but no document matches the filter now; remove the condition that \
                 the new document does not meet, or call again if another program has deleted the document",
                M::SHAPE.name
            ))),
        }
    }
}

fn find<M: Described + Send + 'static>(filter: &Filter<M>, exec: &Exec) -> FindOne<M> {
    Find::new(exec.clone()).filter(filter.clone()).first()
}

/// Reads from the primary, because a secondary may not have the new document yet.
fn find_stored<M: Described + Send + 'static>(filter: &Filter<M>, exec: &Exec) -> FindOne<M> {
    let find = find(filter, exec);
    if exec.in_transaction() {
        return find;
    }
    find.read_preference(ReadPreference::Primary)
}

/// Rejects a filter that several documents can match, and a document that does not match the filter.
fn check(model: &'static ModelShape, filter: &Document, new: &Document) -> Result<()> {
    let required = equalities(filter);
    let value_of = |path: &str| {
        required
            .iter()
            .find(|(at, _)| *at == path)
            .map(|(_, value)| *value)
    };
    if !unique_keys(model).any(|keys| keys.iter().all(|path| value_of(path).is_some())) {
        return Err(Error::invalid(format!(
            "the filter of `{name}::get_or_create` requires no value of a unique index, so two calls at the same time \
             would insert two documents; compare all fields of a unique index by `eq`, or declare one with \
             `#[index(unique)]`",
            name = model.name
        )));
    }
    for (path, value) in required {
        let has = value_at(new, path);
        let is_same =
            has.is_some_and(|has| JoinKey::from(has.clone()) == JoinKey::from(value.clone()));
        if !is_same {
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

/// Lists the keys of the unique indexes that a model declares. Partial indexes are left out, because they do not contain
/// all documents.
fn unique_keys(model: &'static ModelShape) -> impl Iterator<Item = Vec<String>> {
    let is_unique = |index: &&IndexShape| index.unique && index.partial.is_none();
    let of_fields = walk(model.fields).into_iter().filter_map(move |field| {
        let index = field.shape.index.as_ref().filter(is_unique)?;
        Some(keys_of(index, Some(&field.path)))
    });
    let of_model = model.indexes.iter().filter(is_unique);
    let of_model = of_model.map(|index| keys_of(index, None));
    let of_id = std::iter::once(vec!["_id".to_owned()]);
    of_id.chain(of_fields).chain(of_model)
}

fn keys_of(index: &IndexShape, field: Option<&str>) -> Vec<String> {
    if index.keys.is_empty() {
        return field.map(ToOwned::to_owned).into_iter().collect();
    }
    index.keys.iter().map(|key| (key.path)()).collect()
}

impl<M: Described + Send + 'static> IntoFuture for GetOrCreate<M> {
    type Output = Result<Created<M>>;
    type IntoFuture = Running<Created<M>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<M> CopyOptions for GetOrCreate<M> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        self.insert.fan_out_mut()
    }
}
