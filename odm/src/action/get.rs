//! Builder returned by `get`.

mod fresh;

pub use fresh::Fresh;

use mongodb::{bson::Bson, options::FindOptions};

use super::{Find, FindOne, find_one::find_required, with_model};
use crate::{
    client::{
        command,
        odm::{Exec, into_future},
        place::visibility_setters,
        plan::Plan,
    },
    error::{Error, Result},
    model::{
        Versioned,
        derive_traits::{Described, Projection, Storable},
    },
    query::filter::Filter,
    setters::option_setters,
    value::{codec::encode_value, decode::Decode, key::equality},
    write::GivenVersion,
};

/// A query for the document that has the given id: `Part::get(&odm, id)`.
///
/// See the example at [`Documents::get`](crate::Documents::get).
///
/// # Sends
///
/// One `find` on `_id`. [`fresh`](Self::fresh) first updates the derived fields of the document.
///
/// # Errors
///
/// [`Error::NotFound`] if no document has the id. All other errors are those of [`Find`].
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Get<M, V = M> {
    find: FindOne<M, V>,
}

impl<M: Described> Get<M> {
    pub(crate) fn new(id: &M::Id, exec: Exec) -> Self {
        Self {
            find: Find::new(exec).filter(by_id::<M>(id)).first(),
        }
    }

    /// Reads only the fields of a projection: `.select::<PartName>()`.
    ///
    /// # Examples
    ///
    /// See [`Find::select`](crate::action::Find::select).
    pub fn select<V: Projection<M>>(self) -> Get<M, V> {
        Get {
            find: self.find.select(),
        }
    }
}

impl<M: Described, V: Send + 'static> Get<M, V> {
    option_setters!(comment, max_time, read_concern, read_preference);
    option_setters!(@ any FindOptions);

    const fn options_mut(&mut self) -> &mut FindOptions {
        self.find.options_mut()
    }

    visibility_setters!(M in find);

    /// Returns the command, the decoder for the document, and the `Exec` that runs the command.
    pub(super) fn into_parts(self) -> Result<(command::FindCommand, Decode<V>, Exec)> {
        self.find.into_parts()
    }

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        self.find.plan()
    }
}

into_future!(
    [M: Described, V: Send + 'static] Get<M, V> => V,
    |it| Box::pin(find_required(M::SHAPE, "get", it.into_parts()))
);

/// Returns a filter that matches the document with this id.
pub(crate) fn by_id<M: Described>(id: &M::Id) -> Filter<M> {
    Filter::new(encoded_id::<M>(id).map(|id| equality("_id", id)))
}

/// Returns the id and the version of a loaded document.
pub(super) fn given_version<M: Storable + Versioned>(loaded: &M) -> Result<GivenVersion> {
    let given = GivenVersion::new(loaded.__odm_version());
    let of = encoded_id::<M>(loaded.stored_id())?;
    Ok(given.of(of))
}

/// Encodes an id in its stored form.
pub(crate) fn encoded_id<M: Described>(id: &M::Id) -> Result<Bson> {
    encode_value(id).map_err(|source| with_model::<M>(Error::encode("an id", source)))
}
