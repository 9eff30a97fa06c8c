//! Finds the documents of all kinds that are linked to a document. One `find` reads these documents, and the result
//! groups them by kind.
//!
//! The filter contains only the id and no kind, because an `_id` is unique in the whole collection. Each document is
//! decoded as the variant for its kind (`query::single_collection`). The derive emits the struct for the result, which
//! has a list for each kind.
//!
//! If you set a sort or a limit for one kind, a separate `find` reads the documents of that kind, because a sort or a
//! limit always applies to all documents of a `find`.

mod conditions;
mod page;

use std::marker::PhantomData;

use mongodb::{
    bson::{Bson, Document, RawDocument, doc, oid::ObjectId},
    options::FindOptions,
};

use super::LinkTarget;
use crate::{
    client::{
        command::{FindCommand, limit_of},
        odm::{Exec, Executor, into_future, traced},
        place::Place,
        plan::Plan,
    },
    error::{Error, Result},
    model::{
        derive_traits::{Described, Holds},
        shape::ModelShape,
    },
    observe::{slow_statements::followed, stats::Asked},
    query::{
        filter::{IntoFilter, merge},
        single_collection::{Grouped, read_found},
        sort::IntoSort,
    },
    setters::option_setters,
    value::decode::Decode,
};
use conditions::{one_sided, together};
pub use page::{LinkedPage, LinkedPageOf};

/// The document whose links are read: an id of any kind, or a document.
pub trait LinkedBy {
    /// Returns the id of the document, and its links if the argument is a document instead of an id.
    ///
    /// # Errors
    ///
    /// Fails if serde cannot encode the id or the links as BSON.
    #[doc(hidden)]
    fn linked_by(self) -> Result<(Bson, Vec<Bson>)>;
}

impl<T: LinkTarget> LinkedBy for T {
    fn linked_by(self) -> Result<(Bson, Vec<Bson>)> {
        let held = self.held_links().unwrap_or_else(|| Ok(Vec::new()));
        let held = held.map_err(|source| Error::encode("links", source))?;
        Ok((self.target()?.id, held))
    }
}

/// Implements `LinkedBy` for plain keys.
macro_rules! linked_by_key {
    ($($key:ty),*) => {$(
        impl LinkedBy for $key {
            fn linked_by(self) -> Result<(Bson, Vec<Bson>)> {
                Ok((self.into(), Vec::new()))
            }
        }
    )*};
}

linked_by_key!(&str, String, i32, i64, ObjectId, Bson);

/// The kinds to read, as a tuple of models: `(Class,)`, `(Class, Student)`.
pub trait KindsOf<V> {
    /// Returns the models in the tuple.
    #[doc(hidden)]
    fn models() -> Vec<&'static ModelShape>;
}

/// Implements `KindsOf` for tuples of kinds.
macro_rules! kinds_of {
    ($($kind:ident),+) => {
        impl<V: $(Holds<$kind> +)+, $($kind: Described),+> KindsOf<V> for ($($kind,)+) {
            fn models() -> Vec<&'static ModelShape> {
                vec![$($kind::SHAPE),+]
            }
        }
    };
}

kinds_of!(A);
kinds_of!(A, B);
kinds_of!(A, B, C);
kinds_of!(A, B, C, D);
kinds_of!(A, B, C, D, E);
kinds_of!(A, B, C, D, E, F);

/// A query for a document together with all documents that are linked to it: `Enrollment::linked(&odm, "S12345")`.
///
/// The result is a struct with a list for each kind. The enum's derive generates this struct. The document itself is in
/// the list for its kind. Documents of kinds that are not in the enum are returned in their stored form.
///
/// # Sends
///
/// One `find`, and one more for each kind that has its own sort or limit. Outside a transaction, these statements read
/// the data at different moments.
///
/// # Index
///
/// The call uses the index that the links imply: `{links.target: 1, links.doc_type: 1}`.
///
/// # Limits
///
/// If only one side stores the links (`one_sided`), pass the document instead of its id.
///
/// # Errors
///
/// [`Error::Decode`] if a document does not match the model of its kind. [`Error::Invalid`] if no kind of the enum has
/// links. All other errors are reported by the server.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Embedded)]
/// # struct Link { target: String, doc_type: String }
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "school", kind(doc_type = "class"))]
/// # struct Class {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Class, String>,
/// #     title: String,
/// #     #[links]
/// #     links: Vec<Link>,
/// # }
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "school", kind(doc_type = "student"))]
/// # struct Student {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Student, String>,
/// #     #[links]
/// #     links: Vec<Link>,
/// # }
/// #[derive(Debug, Deserialize, SingleCollection)]
/// #[serde(tag = "doc_type", rename_all = "lowercase")]
/// enum Enrollment {
///     Class(Class),
///     Student(Student),
/// }
///
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let title = Class::fields().title;
/// let query = Enrollment::linked(&odm, "S12345").filter(title.starts_with("A"));
/// let found = query.sort(title.asc()).limit::<Class>(10).await?;
/// println!("{} students, {} classes", found.students.len(), found.classes.len());
///
/// let pages = || Enrollment::linked(&odm, "S12345").kinds::<(Class,)>().page(20);
/// let first = pages().await?;
/// if let Some(token) = first.next {
///     let second = pages().after(token).await?;
///     println!("{} classes on the second page", second.items.classes.len());
/// }
/// # Ok(()) }
/// ```
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct LinkedQuery<V> {
    by: Result<(Bson, Vec<Bson>)>,
    kinds: Vec<KindQuery>,
    only: Option<Vec<&'static ModelShape>>,
    options: FindOptions,
    exec: Exec,
    view: PhantomData<fn() -> V>,
}

/// The filter, the sort and the limit for one kind.
#[derive(Debug)]
struct KindQuery {
    model: &'static ModelShape,
    filter: Result<Document>,
    sort: Option<Document>,
    limit: Option<i64>,
}

impl<V: Grouped> LinkedQuery<V> {
    /// Returns a builder that reads a document together with the documents that are linked to it.
    #[doc(hidden)]
    #[track_caller]
    pub fn new(by: impl LinkedBy, odm: &(impl Executor + ?Sized)) -> Self {
        Self {
            by: by.linked_by(),
            kinds: Vec::new(),
            only: None,
            options: FindOptions::default(),
            exec: odm.exec().for_relation(V::__ODM_LINKED),
            view: PhantomData,
        }
    }

    /// Reads only the documents of the given kinds: `.kinds::<(Class,)>()`.
    ///
    /// # Examples
    ///
    /// See [`LinkedQuery`](Self).
    pub fn kinds<K: KindsOf<V>>(mut self) -> Self {
        self.only = Some(K::models());
        self
    }

    /// Restricts one kind to the documents that match the filter. Other kinds are not affected.
    ///
    /// # Examples
    ///
    /// See [`LinkedQuery`](Self).
    pub fn filter<M: Described>(mut self, filter: impl IntoFilter<M>) -> Self
    where
        V: Holds<M>,
    {
        let filter = filter.into_filter().into_document();
        let of_kind = self.of_kind(M::SHAPE);
        let before = std::mem::replace(&mut of_kind.filter, Ok(Document::new()));
        of_kind.filter = before.and_then(|before| Ok(merge("$and", before, filter?)));
        self
    }

    /// Sorts the documents of one kind.
    ///
    /// # Examples
    ///
    /// See [`LinkedQuery`](Self).
    pub fn sort<M: Described>(mut self, sort: impl IntoSort<M>) -> Self
    where
        V: Holds<M>,
    {
        let sort = sort.into_sort().into_document();
        let of_kind = self.of_kind(M::SHAPE);
        of_kind.sort.get_or_insert_default().extend(sort);
        self
    }

    /// Reads at most this many documents of one kind: `.limit::<Class>(10)`. As in a `find`, 0 means no limit.
    ///
    /// # Examples
    ///
    /// See [`LinkedQuery`](Self).
    pub fn limit<M: Described>(mut self, documents: usize) -> Self
    where
        V: Holds<M>,
    {
        self.of_kind(M::SHAPE).limit = Some(limit_of(documents));
        self
    }

    /// Reads one page, which contains at most `size` documents of each kind. The documents are ordered by the kind's
    /// sort, and then by `_id`.
    ///
    /// # Sends
    ///
    /// One `find` for each kind that still has unread documents.
    ///
    /// # Examples
    ///
    /// See [`LinkedQuery`](Self).
    pub fn page(self, size: u32) -> LinkedPageOf<V> {
        LinkedPageOf::new(self, size)
    }

    option_setters!(comment, max_time, allow_disk_use);
    option_setters!(read_concern, read_preference);
    option_setters!(@ in options: FindOptions);

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let exec = self.exec.clone();
        exec.plan_reads(self.finds()?)
    }

    fn of_kind(&mut self, model: &'static ModelShape) -> &mut KindQuery {
        let known = self
            .kinds
            .iter()
            .position(|it| it.model.documents() == model.documents());
        let at = known.unwrap_or_else(|| {
            self.kinds.push(KindQuery {
                model,
                filter: Ok(Document::new()),
                sort: None,
                limit: None,
            });
            self.kinds.len() - 1
        });
        // The closure above inserts an entry if the kind has none yet.
        #[allow(clippy::indexing_slicing, reason = "it has just been looked for")]
        &mut self.kinds[at]
    }

    /// Returns the models of the requested kinds.
    fn models(&self) -> Vec<&'static ModelShape> {
        let all = V::__ODM_KINDS.iter().map(|variant| variant.model);
        let is_asked = |model: &&'static ModelShape| {
            let only = self.only.as_ref();
            only.is_none_or(|only| only.iter().any(|it| it.documents() == model.documents()))
        };
        all.filter(is_asked).collect()
    }

    /// Returns the filter for all documents that are linked to a document.
    fn condition((id, held): (Bson, Vec<Bson>)) -> Result<Document> {
        let mut linked = V::__ODM_KINDS
            .iter()
            .filter_map(|variant| variant.model.links());
        let links = linked.next().ok_or_else(|| no_links(V::SHAPE))?;
        let keys = held.iter().filter_map(Bson::as_str);
        let mut with_parent = keys.filter_map(|key| Some((key, links.parent_in(key)?)));
        if let Some((key, parent)) = with_parent.next() {
            return Ok(doc! { links.array: { "$in": [parent, key] } });
        }
        let own = links.self_and_linked(&id);
        Ok(match one_sided::<V>(&held) {
            None => own,
            Some(others) => doc! { "$or": [own, others] },
        })
    }

    /// Returns one `find` for all kinds that have neither their own sort nor their own limit, and a separate `find` for
    /// each of the other kinds.
    fn finds(self) -> Result<Vec<FindCommand>> {
        let models = self.models();
        let condition = Self::condition(self.by?)?;
        let (mut apart, mut finds, mut filtered) = (Vec::new(), Vec::new(), Vec::new());
        for of_kind in self.kinds {
            if models
                .iter()
                .all(|model| model.documents() != of_kind.model.documents())
            {
                return Err(not_asked(of_kind.model));
            }
            let filter = of_kind
                .filter
                .map_err(|error| error.in_model(of_kind.model))?;
            if of_kind.sort.is_none() && of_kind.limit.is_none() {
                filtered.push((of_kind.model, filter));
                continue;
            }
            apart.push(of_kind.model);
            let filter = merge("$and", condition.clone(), filter);
            let mut find = FindCommand::new(Place::live(of_kind.model), filter);
            find.options = self.options.clone();
            find.options.sort = of_kind.sort;
            find.options.limit = of_kind.limit;
            finds.push(find.all());
        }
        let rest: Vec<_> = models
            .iter()
            .filter(|model| apart.iter().all(|it| it.documents() != model.documents()))
            .copied()
            .collect();
        if self.only.is_some() && rest.is_empty() {
            return Ok(finds);
        }
        let kinds = together(&rest, &apart, &filtered, self.only.is_some());
        let mut find = FindCommand::new(Place::live(V::SHAPE), merge("$and", condition, kinds));
        find.options = self.options;
        finds.insert(0, find.all());
        Ok(finds)
    }

    async fn run(self) -> Result<V::Linked> {
        let exec = self.exec.clone();
        let finds = self.finds()?;
        let related = followed((V::__ODM_LINKED, V::SHAPE), Asked::Load, 1, &exec);
        let decode = Decode::with_reader(read_found::<V>);
        let mut found = Vec::new();
        for find in finds {
            let reads = exec.odm().count_query(&find, Some(related.clone()));
            let batches = exec.open(find).await?;
            let read = |raw: &RawDocument| {
                found.push(decode.decode(V::SHAPE.collection, raw)?);
                reads.add(1);
                Ok(())
            };
            batches.for_each(read).await?;
        }
        Ok(V::group(found))
    }
}

fn no_links(view: &'static ModelShape) -> Error {
    Error::invalid(format!(
        "no kind of `{}` has links; write `#[links] links: Vec<Link>` in its models",
        view.name
    ))
    .in_model(view)
}

fn limited(model: &'static ModelShape) -> Error {
    let name = model.name;
    Error::invalid(format!(
        "a page has so many documents of each kind, and `{name}` has a `limit` besides; remove the limit"
    ))
    .in_model(model)
}

fn not_asked(model: &'static ModelShape) -> Error {
    let name = model.name;
    Error::invalid(format!(
        "there is a filter, sort or limit for `{name}`, but `kinds` does not contain it; add `{name}` to `kinds`"
    ))
    .in_model(model)
}

into_future!([V: Grouped] LinkedQuery<V> => V::Linked, |it| traced(V::SHAPE, "linked", it.run()));
