//! Builder returned by `get_or_create`.

use std::future::IntoFuture;

use mongodb::bson::Document;

use super::write_builder::hooks_setter;
use super::{Find, FindOne, Insert, returning::find_stored, with_model};
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
///
/// # Index
///
/// The model must declare a unique index, and the filter must compare all fields of this index by equality. The filter
/// can also compare the `_id`, which is always unique. Without a unique index, two concurrent calls could insert two
/// documents, so the call fails before it sends anything.
///
/// # Limits
///
/// If the call is part of a transaction, another program may insert the document after the transaction has begun. The
/// server then rejects the insert of this call and ends the transaction. [`Odm::transaction`](crate::Odm::transaction)
/// runs its closure again, and the call finds the document.
///
/// # Errors
/// - The errors of [`FindOne`] and [`Insert`].
/// - [`Error::Invalid`] if the filter does not compare all fields of a unique index by equality, or if the new document
///   does not contain the values that the filter requires by equality. The call returns this error before it sends
///   anything.
/// - [`Error::Invalid`] if the new document does not meet another condition of the filter. In this case, the call has
///   already inserted the document.
/// - [`Error::DuplicateKey`] if the server rejects the insert because of a different unique index.
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
    insert: Insert<M>,
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
    hooks_setter!();

    /// Returns the statements that the call sends if the document does not exist, as mongosh text. Sends nothing.
    ///
    /// # Errors
    ///
    /// The errors that the call itself can return before it sends a statement.
    pub fn plan(self) -> Result<Plan> {
        self.checked?;
        let plan = find(&self.filter, &self.exec).plan()?;
        let stored = find_stored(self.filter.clone(), &self.exec).plan()?;
        Ok(plan.followed_by(self.insert.plan()?).followed_by(stored))
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
            // A duplicate key ends the transaction, so the call cannot read anything in it.
            Err(error) if error.is_duplicate_key() && !self.exec.in_transaction() => Some(error),
            Err(error) => return Err(error),
        };
        match (
            find_stored(self.filter.clone(), &self.exec).await?,
            duplicate,
        ) {
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

/// Checks that at most one document can match the filter, and that the new document contains the values that the filter
/// requires by equality.
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

/// Lists the paths of each unique index that a model declares, and the `_id`. Partial indexes are omitted, because they
/// do not contain all documents.
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
