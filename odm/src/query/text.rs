//! Text searches, which use the text index of a collection.

use mongodb::{
    bson::{Bson, Document, doc},
    options::FindOptions,
};

use super::filter::Filter;
use crate::{
    error::{Error, Result},
    model::{
        derive_traits::Described,
        registry::models,
        shape::{IndexKind, ModelShape},
    },
    value::path::is_text_search,
};

/// The words of a text search, and its options. A string converts to a search for the words in the string.
///
/// The server splits the text into words, and searches for documents that contain any of them in the fields of the text
/// index. A phrase in quotes must occur as a whole: `"\"city bike\""`. The server leaves out documents that contain a
/// word with a minus sign: `"bike -electric"`.
///
/// # Examples
///
/// ```
/// use mongo_odm::TextSearch;
///
/// let search = TextSearch::new("Fahrräder").language("german");
/// let phrase = TextSearch::phrase("city bike");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a search does nothing until a filter uses it"]
pub struct TextSearch(Document);

impl TextSearch {
    /// Searches for documents that contain any of the words.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use mongo_odm::TextSearch;
    /// let search = TextSearch::new("coffee tea -milk");
    /// ```
    pub fn new(words: impl AsRef<str>) -> Self {
        Self(doc! { "$search": words.as_ref() })
    }

    /// Searches for documents that contain the text as a whole. Quotes and minus signs in the text have no special
    /// meaning.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use mongo_odm::TextSearch;
    /// let search = TextSearch::phrase("city bike");
    /// ```
    pub fn phrase(text: impl AsRef<str>) -> Self {
        Self::new(format!("\"{}\"", text.as_ref().replace('"', " ")))
    }

    /// Sets the language, such as `"german"` or `"none"`, which determines word stems and ignored words. The default is
    /// the language of the index.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use mongo_odm::TextSearch;
    /// let search = TextSearch::new("Häuser").language("german");
    /// ```
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.0.insert("$language", language.into());
        self
    }

    /// Distinguishes upper case from lower case.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use mongo_odm::TextSearch;
    /// let search = TextSearch::new("Bike").case_sensitive();
    /// ```
    pub fn case_sensitive(mut self) -> Self {
        self.0.insert("$caseSensitive", true);
        self
    }

    /// Distinguishes letters that have diacritics, such as `é`, from letters that do not.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use mongo_odm::TextSearch;
    /// let search = TextSearch::new("café").diacritic_sensitive();
    /// ```
    pub fn diacritic_sensitive(mut self) -> Self {
        self.0.insert("$diacriticSensitive", true);
        self
    }
}

impl<T: AsRef<str>> From<T> for TextSearch {
    fn from(words: T) -> Self {
        Self::new(words)
    }
}

impl<M: Described> Filter<M> {
    /// `$text`: the fields of the text index contain at least one of the words.
    ///
    /// # Index
    ///
    /// The call uses the text index of the model. The server rejects this filter inside `!`. Inside `|`, all other
    /// conditions must also have an index.
    ///
    /// # Errors
    ///
    /// If the model does not declare a text index, the call that uses the filter fails with [`Error::Invalid`] before
    /// it sends anything.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::prelude::*;
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "bikes", index(keys(name = "text", note = "text")))]
    /// struct Bike {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Bike>,
    ///     name: String,
    ///     note: String,
    /// }
    ///
    /// let filter = Filter::<Bike>::text("city tour");
    /// let expected = doc! { "$text": { "$search": "city tour" } };
    /// assert_eq!(filter.into_document().unwrap(), expected);
    /// ```
    pub fn text(search: impl Into<TextSearch>) -> Self {
        let search = search.into();
        let checked = check_text_index(M::SHAPE);
        Self::new(checked.map(|()| doc! { "$text": search.0 }))
    }
}

/// Returns the expression for the score of a text search, for sorts and projections.
pub(crate) fn score() -> Bson {
    doc! { "$meta": "textScore" }.into()
}

/// Rejects a text search on a model without a text index.
fn check_text_index(model: &'static ModelShape) -> Result<()> {
    if model.indexes_of_kind(IndexKind::Text).next().is_some() || shares_text(model) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`{0}` does not declare a text index, which a text search uses; write `#[index(text)]` on a field of `{0}`, or \
         `index(keys(first = \"text\", second = \"text\"))` in `#[model(..)]`",
        model.name
    ))
    .in_model(model))
}

/// Returns whether another model of the collection declares a text index that contains the documents of this model.
/// This is the case if the other model or its index is not restricted to a kind.
fn shares_text(model: &ModelShape) -> bool {
    let mut others = models().into_iter();
    others.any(|other| {
        let mut indexes = other.indexes_of_kind(IndexKind::Text);
        other.collection == model.collection
            && indexes.any(|index| other.kind.is_none() || index.all_kinds)
    })
}

/// Rejects a query that uses a score but does not contain a text search.
pub(crate) fn check_score(
    model: &'static ModelShape,
    filter: &Document,
    options: &FindOptions,
) -> Result<()> {
    let uses_score = |document: &Option<Document>| {
        let mut values = document.iter().flat_map(Document::values);
        values.any(|value| *value == score())
    };
    if !(uses_score(&options.sort) || uses_score(&options.projection)) || is_text_search(filter) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "only a text search of `{}` has a score; add `.text(\"words\")` to the query",
        model.name
    )))
}
