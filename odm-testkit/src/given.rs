//! Inserts the documents that a test starts with.

use mongo_odm::{Model, Odm, Result, Storable};

/// Inserts the documents that a test starts with.
///
/// The argument is a list of documents of one model, or a tuple of such lists. The lists of a tuple
/// are inserted one after the other, so put a target before the documents that refer to it.
///
/// As in your program, the library sets copies, summaries and timestamps.
///
/// # Sends
///
/// The statements of [`insert_many`](mongo_odm::Documents::insert_many) for each list. An empty list sends nothing.
///
/// # Errors
///
/// The same as for [`insert_many`](mongo_odm::Documents::insert_many).
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::prelude::*;
/// use mongo_odm_testkit::given;
///
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "authors")]
/// # struct Author { #[serde(rename = "_id")] id: Id<Author> }
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "books")]
/// # struct Book { #[serde(rename = "_id")] id: Id<Book>, #[parent_ref] author: Id<Author> }
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let author = Author { id: Id::new() };
/// let books = [1, 2].map(|_| Book { id: Id::new(), author: author.id });
/// given(&odm, ([author], &books)).await?;
/// # Ok(()) }
/// ```
pub async fn given(odm: &Odm, documents: impl Given) -> Result<()> {
    documents.insert(odm).await
}

/// An argument of [`given`]: an array, a slice or a `Vec` of documents of one model, or a tuple of
/// up to six such lists.
#[diagnostic::on_unimplemented(
    message = "`given` cannot insert `{Self}`",
    label = "expected a list of documents, or a tuple of such lists",
    note = "write a single document as `[document]`, and several models as `([author], &books)`"
)]
pub trait Given: Send {
    /// Inserts the documents.
    #[doc(hidden)]
    fn insert(self, odm: &Odm) -> impl Future<Output = Result<()>> + Send;
}

async fn insert_all<M: Model + Storable>(documents: &[M], odm: &Odm) -> Result<()> {
    if !documents.is_empty() {
        M::insert_many(odm, documents).await?;
    }
    Ok(())
}

impl<M: Model + Storable> Given for &[M] {
    async fn insert(self, odm: &Odm) -> Result<()> {
        insert_all(self, odm).await
    }
}

impl<M: Model + Storable, const N: usize> Given for &[M; N] {
    async fn insert(self, odm: &Odm) -> Result<()> {
        insert_all(self, odm).await
    }
}

impl<M: Model + Storable, const N: usize> Given for [M; N] {
    async fn insert(self, odm: &Odm) -> Result<()> {
        insert_all(&self, odm).await
    }
}

impl<M: Model + Storable> Given for &Vec<M> {
    async fn insert(self, odm: &Odm) -> Result<()> {
        insert_all(self, odm).await
    }
}

impl<M: Model + Storable> Given for Vec<M> {
    async fn insert(self, odm: &Odm) -> Result<()> {
        insert_all(&self, odm).await
    }
}

macro_rules! tuples {
    ($(($($list:ident)+))+) => {
        $(impl<$($list: Given),+> Given for ($($list,)+) {
            async fn insert(self, odm: &Odm) -> Result<()> {
                #[allow(non_snake_case, reason = "a type and its value have one name")]
                let ($($list,)+) = self;
                $($list.insert(odm).await?;)+
                Ok(())
            }
        })+
    };
}

tuples! {
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
}
