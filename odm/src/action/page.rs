//! Pages that start after a given document (keyset pagination), so that inserts and deletes do not shift them.

#[cfg(any(feature = "schemars", feature = "utoipa"))]
mod description;
mod filter_after;
mod map;
mod token;
mod total;

use mongodb::{
    bson::{Document, RawDocument, RawDocumentBuf},
    options::FindOptions,
};

use serde::{Deserialize, Serialize};
pub use token::PageToken;

use super::{
    Find,
    rejected_options::{check_projection, check_window},
};
use crate::{
    client::{
        command::{FindCommand, batch_size_for},
        odm::{Exec, Running, traced},
        place::Place,
        plan::Plan,
    },
    error::{Error, Result},
    model::{
        derive_traits::Described,
        projection::{ProjectedBy, computed, includes, is_excluded, path_added_for},
        shape::{ModelShape, walk},
    },
    observe::{
        slow_statements::{FindWatch, paged},
        stats::Reads,
    },
    query::filter::merge,
    setters::option_setters,
    value::{
        decode::Decode,
        path::{covers, near_path, without_path},
    },
};

/// A query for one page: `Product::find(&odm).sort(Product::fields().name.asc()).page(50)`.
///
/// Each document is on exactly one page, in the server's sort order, even if the sorted values have different types. A
/// null value and a missing field have the same position. If the sort does not contain `_id`, the library adds an
/// ascending `_id`, so that each document has its own position. The next page starts after the last document on this
/// page, regardless of inserts and deletes.
///
/// # Sends
///
/// One `find`, which requests one more document than the page contains. [`with_total`](Self::with_total) adds one
/// `aggregate`, which is sent at the same time.
///
/// # Index
///
/// The server can use an index on the sorted fields and `_id`, in the directions of the sort. If such an index exists,
/// the server reads only the returned documents and one more.
///
/// # Limits
///
/// If the query has a collation, and this collation treats two string ids as equal, a document can be on no page.
///
/// You cannot sort pages by an array, because the server sorts an array by its smallest or largest element.
///
/// # Errors
///
/// [`Error::Invalid`] for a size of 0, for a `skip` or a `limit`, for a projection in `options`, for a projection that
/// computes a sorted field, for a sort by an array or by `$meta`, and for a document that stores an array in a sorted
/// field. [`Error::InvalidPageToken`] for a token from a page that has a different sort. All other errors are those of
/// [`Find`](super::Find).
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "products")]
/// # struct Product {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Product>,
/// #     name: String,
/// # }
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let page = Product::find(&odm).sort(Product::fields().name.asc()).page(50).await?;
/// let second = Product::find(&odm).sort(Product::fields().name.asc()).page(50).after(page.next).await?;
/// # Ok(()) }
/// ```
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct PageOf<M, V = M> {
    find: Find<M, V>,
    size: u32,
    after: Option<PageToken>,
    with_total: bool,
}

/// No type implements this trait. If your code calls `skip` on a page, the compiler prints the trait's message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a page skips no documents: it starts where the one before it ended",
    label = "`skip` of a page",
    note = "write `.after(page.next)` for the page that follows, or `.skip(20).limit(10)` in the place of `.page(10)`"
)]
pub trait SkipsDocuments {}

/// The start of a page: the token in `next` of the previous page, or `None` for the first page.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where a page starts",
    label = "expected the `next` of a page",
    note = "write `.after(page.next)`; of a token that was sent as text, `.after(text.parse::<PageToken>()?)`"
)]
pub trait PageStart {
    /// Returns the token, or `None` for the first page.
    #[doc(hidden)]
    fn into_token(self) -> Option<PageToken>;
}

#[diagnostic::do_not_recommend]
impl PageStart for PageToken {
    fn into_token(self) -> Option<Self> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl PageStart for Option<PageToken> {
    fn into_token(self) -> Self {
        self
    }
}

/// One page of documents, as returned by [`Find::page`](super::Find::page).
///
/// An HTTP service can return a page as its response. The JSON of a page is `{ "items": [..], "next": ".." }`. On the
/// last page, `next` is null. If you call [`with_total`](PageOf::with_total), the JSON also contains the `total`. A
/// client can read this JSON as a `Page`.
///
/// # Examples
///
#[doc = "```no_run"]
#[doc = include_str!("../docs/library_models.txt")]
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let books = Book::find(&odm).sort(Book::fields().title.asc());
/// let page = books.page(20).await?;
/// println!("{} books, the last page: {}", page.items.len(), page.next.is_none());
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Page<V> {
    /// The documents.
    pub items: Vec<V>,
    /// The start of the next page; `None` on the last page.
    pub next: Option<PageToken>,
    /// The number of documents on all pages. `None` if you did not call [`with_total`](PageOf::with_total).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
}

impl<M: Described, V: Send + 'static> Find<M, V> {
    /// Reads one page of `size` documents. Inserts and deletes do not shift the following pages.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let title = Book::fields().title;
    /// let first = Book::find(&odm).sort(title.asc()).page(20).await?;
    /// if let Some(token) = first.next {
    ///     let second = Book::find(&odm).sort(title.asc()).page(20).after(token).await?;
    /// }
    /// # Ok(()) }
    /// ```
    pub fn page(self, size: u32) -> PageOf<M, V> {
        PageOf {
            find: self,
            size,
            after: None,
            with_total: false,
        }
    }
}

impl<M: Described, V: Send + 'static> PageOf<M, V> {
    /// Starts after the page that returned this token, or at the beginning if there is no token.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let first = Book::find(&odm).page(20).await?;
    /// let second = Book::find(&odm).page(20).after(first.next).await?;
    /// # Ok(()) }
    /// ```
    pub fn after(mut self, token: impl PageStart) -> Self {
        self.after = token.into_token();
        self
    }

    /// Cannot be called. The compiler prints the message of `SkipsDocuments` instead.
    #[doc(hidden)]
    pub fn skip(self, _: usize) -> Self
    where
        Self: SkipsDocuments,
    {
        self
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);
    option_setters!(@ in find.options: FindOptions);

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let count = self.prepare_count()?;
        let page = self.prepare()?;
        let mut plan = page.exec.plan_read(page.find)?;
        if let Some(count) = count {
            plan.statements
                .extend(page.exec.plan_read(count)?.statements);
        }
        Ok(plan)
    }

    fn prepare(self) -> Result<PreparedPage<V>> {
        let Find {
            filter,
            options,
            projected,
            by,
            exec,
            decode,
        } = self.find;
        let (mut find, sort, strip) = page(
            M::SHAPE,
            filter.into_document(),
            (options, projected.document, by),
            self.size,
            self.after.as_ref(),
        )?;
        find.place = exec.place(M::SHAPE);
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        Ok(PreparedPage {
            find,
            sort,
            strip,
            size,
            exec,
            decode,
        })
    }
}

/// Builds the command and its sort, and lists the paths that are in the server's reply only because of the sort. This
/// function is not generic, so it is compiled only once.
pub(super) fn page(
    model: &'static ModelShape,
    filter: Result<Document>,
    (mut options, mut projection, by): (FindOptions, Option<Document>, ProjectedBy),
    size: u32,
    after: Option<&PageToken>,
) -> Result<(FindCommand, Document, Vec<String>)> {
    check_size(model.name, size)?;
    check_projection(model.name, &options)?;
    check_window(model.name, &options)?;
    let mut sort = options.sort.take().unwrap_or_default();
    check_sort(model, &sort)?;
    let mut filter = filter.map_err(|error| error.in_model(model))?;
    if sort.is_empty() && near_path(&filter).is_some() {
        return Err(Error::invalid(format!(
            "pages of `{}` cannot be sorted by the distance of `near`, which is no field; write `within_meters(..)` instead, \
             or a sort, or `find` with a `limit`",
            model.name
        )));
    }
    if !sort.contains_key("_id") {
        sort.insert("_id", 1);
    }
    if let Some(token) = after {
        filter = merge("$and", filter, token.filter_after(&sort)?);
    }
    let mut strip = Vec::new();
    if let Some(projection) = &mut projection {
        refuse_computed(projection, by, &sort)?;
        let added = add_sort_keys(projection, &sort)?;
        strip.extend(
            added
                .into_iter()
                .filter(|_| by == ProjectedBy::StrictStruct),
        );
    }
    options.projection = projection;
    options.limit = Some(i64::from(size) + 1);
    options.batch_size = batch_size_for(u64::from(size) + 1);
    options.sort = Some(sort.clone());
    let mut find = FindCommand::new(Place::live(model), filter);
    find.options = options;
    Ok((find, sort, strip))
}

/// Rejects a size of 0. A page of size 0 has no last document, so no page could follow it.
fn check_size(model: &str, size: u32) -> Result<()> {
    if size > 0 {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a page of `{model}` has at least one document; write `.page(50)`"
    )))
}

/// Rejects a projection that computes a sort key. The next page starts after the returned values, so the returned
/// values must equal the stored ones.
fn refuse_computed(projection: &Document, by: ProjectedBy, sort: &Document) -> Result<()> {
    let mut keys = sort.keys().filter(|_| by == ProjectedBy::Document);
    let found = keys.find_map(|key| Some((key, computed(projection, key)?)));
    let Some((key, path)) = found else {
        return Ok(());
    };
    Err(Error::invalid(format!(
        "the projection computes `{path}`, but the pages are sorted by the stored `{key}`; write `\"{key}\": 1`, and give \
         the computed value another name"
    )))
}

/// Adds the sorted fields to a projection, and returns the paths that are in the server's reply only because of the
/// sort.
fn add_sort_keys(projection: &mut Document, sort: &Document) -> Result<Vec<String>> {
    let includes = includes(projection);
    let asked = projection.iter().filter(|(_, value)| !is_excluded(value));
    let asked: Vec<String> = asked.map(|(path, _)| path.clone()).collect();
    let mut added = Vec::new();
    for key in sort.keys() {
        if includes {
            added.extend(include(projection, key).and_then(|key| path_added_for(&key, &asked)));
        } else {
            keep(projection, key)?;
        }
    }
    Ok(added)
}

/// Adds a sort key to a projection that includes fields. Returns the key if the projection contained neither the key
/// nor a path below it.
fn include(projection: &mut Document, key: &str) -> Option<String> {
    let mut fields = projection.iter_mut();
    let above = fields.find(|(path, value)| !is_excluded(value) && covers(path, key));
    if let Some((_, value)) = above {
        // The expression of a struct's projection returns only some fields of an embedded struct. The whole embedded
        // struct contains these fields and the sort key.
        if value.as_document().is_some() {
            *value = 1.into();
        }
        return None;
    }
    // The server rejects a projection that contains both a path and another path below it.
    let below: Vec<String> = projection
        .keys()
        .filter(|path| *path != key && covers(key, path))
        .cloned()
        .collect();
    for path in &below {
        projection.remove(path);
    }
    projection.insert(key, 1);
    below.is_empty().then(|| key.to_owned())
}

/// Checks that a projection that excludes fields does not exclude a sort key.
fn keep(projection: &mut Document, key: &str) -> Result<()> {
    let hides = |path: &str| covers(path, key) || covers(key, path);
    if key == "_id" {
        projection.remove(key);
    }
    match projection
        .iter()
        .find(|(path, value)| is_excluded(value) && hides(path))
    {
        Some((path, _)) => Err(Error::invalid(format!(
            "the projection excludes `{path}`, and the pages are sorted by `{key}`; leave it in"
        ))),
        None => Ok(()),
    }
}

/// Rejects a sort by a computed value or by an array. The server sorts an array by its smallest or largest element.
fn check_sort(model: &'static ModelShape, sort: &Document) -> Result<()> {
    let computed = sort.iter().find(|(_, by)| by.as_document().is_some());
    if let Some((key, by)) = computed {
        return Err(Error::invalid(format!(
            "pages of `{}` cannot be sorted by `{key}: {}`, which is not a field; sort by fields, or use `find` with a `limit`",
            model.name,
            crate::mongosh::value(by)
        )));
    }
    let fields = walk(model.fields);
    let array = sort.keys().find(|key| {
        fields
            .iter()
            .any(|field| field.path == **key && (field.shape.array || field.arrays_above > 0))
    });
    match array {
        Some(key) => Err(Error::invalid(format!(
            "pages of `{}` cannot be sorted by `{key}`, which is or lies in an array; sort by a field with one value",
            model.name
        ))),
        None => Ok(()),
    }
}

/// A page request that is ready to be sent.
pub(super) struct PreparedPage<V> {
    pub(super) find: FindCommand,
    pub(super) sort: Document,
    pub(super) strip: Vec<String>,
    pub(super) size: usize,
    pub(super) exec: Exec,
    pub(super) decode: Decode<V>,
}

impl<V> PreparedPage<V> {
    /// Reads the page, and counts its documents in `reads`.
    pub(super) async fn run(self, reads: Reads) -> Result<Page<V>> {
        let place = self.find.place.clone();
        let looking = FindWatch::look_at_find(&self.find, &self.exec);
        let batches = self.exec.open(self.find).await?;
        let (mut items, mut last, mut more) = (Vec::new(), None, false);
        let take = |raw: &RawDocument| {
            if items.len() == self.size {
                more = true;
                return Ok(());
            }
            looking.see(raw);
            token::check_places(raw, &self.sort)?;
            if items.len() + 1 == self.size {
                last = Some(PageToken::of(raw, &self.sort)?);
            }
            let stripped = stripped(raw, &self.strip);
            let seen = stripped.as_deref().unwrap_or(raw);
            items.push(self.decode.part(place.name(), seen, raw)?);
            Ok(())
        };
        batches.for_each(take).await?;
        reads.add(items.len());
        Ok(Page {
            items,
            next: last.filter(|_| more),
            total: None,
        })
    }
}

/// Removes the given paths from a document. Returns `None` if the document does not contain any of these paths.
fn stripped(raw: &RawDocument, strip: &[String]) -> Option<RawDocumentBuf> {
    let mut stripped = None;
    for path in strip {
        stripped = without_path(stripped.as_deref().unwrap_or(raw), path).or(stripped);
    }
    stripped
}

impl<M: Described, V: Send + 'static> IntoFuture for PageOf<M, V> {
    type Output = Result<Page<V>>;
    type IntoFuture = Running<Page<V>>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "page", async move {
            let is_first = self.after.is_none();
            let count = self.prepare_count()?;
            let page = self.prepare()?;
            let reads = paged(&page.find, is_first, &page.exec);
            match count {
                Some(count) => page.run_with_total(count, reads).await,
                None => page.run(reads).await,
            }
        })
    }
}
