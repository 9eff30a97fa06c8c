//! Text searches in queries: the words, the order by score, and the scores themselves.

use mongodb::bson::{RawDocument, doc};
use serde::Serialize;

use super::Find;
use crate::{
    error::Result,
    model::{
        derive_traits::Described,
        projection::{Projected, ProjectedBy},
    },
    query::{
        filter::Filter,
        text::{TextSearch, score},
    },
    value::{decode::Decode, path::without_path},
};

/// The field in which the server returns the score.
const SCORE: &str = "_odm_score";

/// A document found by a text search, and its score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Scored<M> {
    /// The document.
    pub document: M,
    /// The score. A higher score means that the document matches the words better.
    pub score: f64,
}

impl<M: Described, V: Send + 'static> Find<M, V> {
    /// Returns only documents that contain at least one of the words in the fields of the text index.
    ///
    /// For calls such as `count`, `exists` and `update_many`, use the filter [`Filter::text`].
    ///
    /// # Index
    ///
    /// The call uses the text index of the model.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the model does not declare a text index. Nothing is sent in this
    /// case.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "bikes")]
    /// # struct Bike { #[serde(rename = "_id")] id: Id<Bike>, #[index(text)] name: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let found = Bike::find(&odm).text("city tour").by_score().with_score().limit(10).await?;
    /// for bike in found {
    ///     println!("{:.2} {}", bike.score, bike.document.name);
    /// }
    /// # Ok(()) }
    /// ```
    #[doc(alias("search", "full_text"))]
    pub fn text(self, search: impl Into<TextSearch>) -> Self {
        self.filter(Filter::text(search))
    }

    /// Sorts the documents by their score in the text search, the highest score first. If you call `sort` afterwards,
    /// it orders the documents that have the same score.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the query does not contain a text search. Nothing is sent in this
    /// case.
    ///
    /// # Examples
    ///
    /// See [`Find::text`](Self::text).
    pub fn by_score(self) -> Self {
        self.sort(doc! { SCORE: score() })
    }
}

impl<M: Described> Find<M> {
    /// Returns the score of each document together with the document.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the query does not contain a text search. Nothing is sent in this
    /// case.
    ///
    /// # Examples
    ///
    /// See [`Find::text`](Self::text).
    pub fn with_score(self) -> Find<M, Scored<M>> {
        let projected = Projected {
            document: Some(doc! { SCORE: score() }),
            strip: None,
        };
        self.projected(
            projected,
            ProjectedBy::Struct,
            Decode::with_reader(read_scored),
        )
    }
}

fn read_scored<M: Described>(
    collection: &str,
    part: &RawDocument,
    _: &RawDocument,
) -> Result<Scored<M>> {
    let score = part.get_f64(SCORE).unwrap_or_default();
    // The score is removed, because a struct can reject unknown fields, or collect them in a map.
    let stored = without_path(part, SCORE);
    let stored = stored.as_deref().unwrap_or(part);
    let document = M::__odm_read_document(collection, stored, stored)?;
    Ok(Scored { document, score })
}
