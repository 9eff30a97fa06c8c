//! Builder returned by `insert` and `insert_many` of an insertable struct.
//!
//! The library adds the missing fields, so that the document can be read into the struct of the model. Then the call
//! inserts this struct like an [`Insert`], but returns the documents that it has sent.

use std::{collections::HashSet, marker::PhantomData};

use mongodb::{
    bson::{Document, RawDocument, RawDocumentBuf},
    options::InsertManyOptions,
};

use super::{GetOrCreate, Insert, write_builder::hooks_setter};
use crate::{
    client::{
        odm::{Exec, Running, traced},
        place::Place,
        plan::Plan,
    },
    derived::follow::{CopyOptions, FanOut},
    error::{Error, Result, cloned_result},
    graph::{fill_blanks, lacking_snapshot},
    model::{
        derive_traits::{Root, Storable},
        shape::{FieldShape, ModelShape, any_field, stored_names_contain},
    },
    query::{
        field::{FieldOf, Operand, Writable},
        filter::IntoFilter,
        given::{GivesFields, NewId, encoded, put},
        maintained::Stamp,
        stored_document::{stored, unfit_key},
    },
    setters::option_setters,
    value::codec::elements,
    write::{self, Inserted, ReadCheck},
};

/// An insert of structs that derive [`Insertable`](trait@crate::Insertable). The call returns the stored documents. `M`
/// is the model, and `R` is the model or a `Vec` of the model.
///
/// The returned documents contain the new ids, the timestamps, the versions, and the copies and summaries as they were
/// when the documents were stored. [`reporting`](Self::reporting) returns a report instead.
///
/// # Sends
///
/// The statements of [`Insert`]. If updating the derived data also changes the new documents, one `find` in the same
/// transaction reads the new documents again. For example, a new document can contain a copy of a counter that the
/// insert increases.
///
/// # Guarantees
///
/// - The guarantees of [`Insert`].
/// - A document that cannot be read into the struct of its model is not stored.
///
/// # Errors
///
/// - The errors of [`Insert`].
/// - [`Error::Invalid`] if the fields do not form a valid document of the model, or if a flattened map contains a key
///   that is also the name or an alias of another field. Nothing was stored.
/// - [`Error::Decode`] if a source contains a value that the struct cannot read as a copy. The document with this copy
///   was not stored.
#[must_use = "an insert is sent when it is awaited"]
#[derive(Debug)]
pub struct InsertNew<M, R = M> {
    /// The fields that the application has set, for each new document.
    new: Vec<Result<Document>>,
    new_id: Option<NewId>,
    /// The names of the fields that the attribute `set(..)` lists and that the call has not set yet.
    set: Vec<&'static str>,
    /// The insert, without its documents.
    insert: Insert<R>,
    of: PhantomData<fn() -> M>,
}

impl<M: Storable, R> InsertNew<M, R> {
    pub(super) fn new<'a, N: GivesFields<Of = M> + 'a>(
        new: impl IntoIterator<Item = &'a N>,
        is_one: bool,
        exec: Exec,
    ) -> Self {
        let new = new.into_iter().map(|new| new.__odm_given().into_document());
        Self {
            new: new.collect(),
            new_id: N::__ODM_NEW_ID,
            set: N::__ODM_SET.to_vec(),
            insert: Insert::new(M::SHAPE, Vec::new(), is_one, exec),
            of: PhantomData,
        }
    }

    /// Sets a field that the struct does not contain, in all documents of the call. The attribute of the struct lists
    /// such fields: `#[insertable(of = "Task", set(project))]`.
    ///
    /// # Errors
    ///
    /// The call fails with [`Error::Encode`] if serde cannot write the value as BSON, and with [`Error::Invalid`] if the
    /// field has `#[serde(skip_deserializing)]`.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "projects")]
    /// struct Project {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Project>,
    /// }
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     #[parent_ref(exists)]
    ///     project: Id<Project>,
    ///     title: String,
    /// }
    ///
    /// /// The body of `POST /projects/{id}/tasks`.
    /// #[derive(Debug, Deserialize, Insertable)]
    /// #[insertable(of = "Task", set(project))]
    /// struct NewTask {
    ///     title: String,
    /// }
    ///
    /// async fn create(odm: &Odm, project: Id<Project>, new: NewTask) -> mongo_odm::Result<Task> {
    ///     new.insert(odm).set(Task::fields().project, project).await
    /// }
    /// ```
    pub fn set<F: FieldOf<M, Place = Root> + Writable<M>>(
        mut self,
        field: F,
        value: impl Operand<F::Value>,
    ) -> Self {
        self.set
            .retain(|name| field.shape().is_none_or(|it| it.name != *name));
        if let Some(value) = encoded(field, &value.into_value()) {
            for new in &mut self.new {
                put::<M>(new, field.shape(), cloned_result(&value));
            }
        }
        self
    }

    /// Returns the report of the insert instead of the documents. The returned builder has all options of [`Insert`],
    /// such as [`unordered`](Insert::unordered), and can be an operation of a [bulk write](crate::Odm::bulk_write).
    ///
    /// # Sends
    ///
    /// The same statements, without the additional `find`.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tags")]
    /// struct Tag {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Tag>,
    ///     name: String,
    /// }
    ///
    /// #[derive(Debug, Deserialize, Insertable)]
    /// #[insertable(of = "Tag")]
    /// struct NewTag {
    ///     name: String,
    /// }
    ///
    /// async fn import(odm: &Odm, new: Vec<NewTag>) -> mongo_odm::Result<u64> {
    ///     let report = NewTag::insert_many(odm, &new).reporting().unordered().await?;
    ///     Ok(report.inserted)
    /// }
    /// ```
    pub fn reporting(self) -> Insert<R> {
        let mut new = self.new.iter().filter_map(|new| new.as_ref().ok());
        let lacking = new.find_map(|new| lacking_snapshot(M::SHAPE.fields, new, ""));
        let documents = match Stamp::of_write(M::SHAPE, self.insert.exec()) {
            Ok(stamp) => {
                let new = self.new.into_iter();
                let new =
                    new.map(|new| completed::<M>(new?, (self.new_id, &self.set), stamp.as_ref()));
                new.collect()
            }
            // The insert fails with the same error.
            Err(error) => vec![Err(error)],
        };
        self.insert.with_documents(documents, lacking)
    }

    /// Returns the statements that the call would send, like the `plan` of [`Insert`]. Sends nothing.
    ///
    /// # Errors
    ///
    /// The errors that the call itself can return before it sends a statement.
    ///
    /// # Examples
    ///
    /// See [`Plan`](crate::Plan).
    pub fn plan(self) -> Result<Plan> {
        self.reporting().plan()
    }

    /// Runs the insert, and returns the documents that it has stored.
    fn run(self) -> Running<Vec<RawDocumentBuf>> {
        run(self.reporting().into_write(), M::SHAPE, readable::<M>)
    }
}

impl<M: Storable> InsertNew<M> {
    /// Inserts the document only if no document matches the filter. Otherwise, the call returns the stored document.
    /// This is [`get_or_create`](crate::Documents::get_or_create) for a struct that derives
    /// [`Insertable`](trait@crate::Insertable).
    ///
    /// # Sends
    ///
    /// See [`GetOrCreate`].
    ///
    /// # Index
    ///
    /// The model must declare a unique index, and the filter must compare all fields of this index by equality.
    ///
    /// # Errors
    ///
    /// See [`GetOrCreate`] and [`InsertNew`].
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tags")]
    /// struct Tag {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Tag>,
    ///     #[index(unique)]
    ///     name: String,
    /// }
    ///
    /// #[derive(Debug, Deserialize, Insertable)]
    /// #[insertable(of = "Tag")]
    /// struct NewTag {
    ///     name: String,
    /// }
    ///
    /// async fn tag(odm: &Odm, new: NewTag) -> mongo_odm::Result<Tag> {
    ///     let tag = new.insert(odm).or_get(Tag::fields().name.eq(&new.name)).await?;
    ///     Ok(tag.document)
    /// }
    /// ```
    #[doc(alias("get_or_create", "find_or_create", "first_or_create"))]
    pub fn or_get(self, filter: impl IntoFilter<M>) -> GetOrCreate<M> {
        GetOrCreate::new(filter.into_filter(), self.reporting())
    }
}

impl<M, R> InsertNew<M, R> {
    hooks_setter!();
    option_setters!(comment, write_concern);
    option_setters!(@ any InsertManyOptions);

    const fn options_mut(&mut self) -> &mut InsertManyOptions {
        self.insert.options_mut()
    }
}

impl<M, R> CopyOptions for InsertNew<M, R> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        self.insert.fan_out_mut()
    }
}

impl<M: Storable> IntoFuture for InsertNew<M> {
    type Output = Result<M>;
    type IntoFuture = Running<M>;

    fn into_future(self) -> Self::IntoFuture {
        let documents = self.run();
        Box::pin(async move {
            let documents = documents.await?;
            let document = documents.first().ok_or_else(|| unreturned(M::SHAPE))?;
            read(document)
        })
    }
}

impl<M: Storable> IntoFuture for InsertNew<M, Vec<M>> {
    type Output = Result<Vec<M>>;
    type IntoFuture = Running<Vec<M>>;

    fn into_future(self) -> Self::IntoFuture {
        let documents = self.run();
        Box::pin(async move { documents.await?.iter().map(|raw| read(raw)).collect() })
    }
}

/// Runs the insert, and returns the documents that it has stored.
fn run(
    made: Result<(write::InsertWrite, Exec)>,
    model: &'static ModelShape,
    check: ReadCheck,
) -> Running<Vec<RawDocumentBuf>> {
    traced(model, "insert", async move {
        let (mut write, exec) = made?;
        write.returned_as = Some(check);
        let done: Inserted = write::run_counted(write, exec).await?;
        Ok(done.documents)
    })
}

fn read<M: Storable>(document: &RawDocument) -> Result<M> {
    M::__odm_read_document(M::SHAPE.collection, document, document)
}

fn readable<M: Storable>(document: &RawDocument) -> Result<()> {
    read::<M>(document).map(drop)
}

fn unreturned(model: &'static ModelShape) -> Error {
    Error::invalid("the insert has not returned its document").in_model(model)
}

/// Adds the missing fields to those that the application has set, and encodes the document in the same way as the
/// model's struct.
fn completed<M: Storable>(
    new: Document,
    (new_id, set): (Option<NewId>, &[&str]),
    stamp: Option<&Stamp>,
) -> Result<RawDocumentBuf> {
    let keys = keys_of_maps(M::SHAPE, &new);
    let document = complete(M::SHAPE, new, (new_id, set), stamp)?;
    let document = read::<M>(&document).map_err(|error| unfit(M::SHAPE, &error))?;
    let stored = stored(&document, true)?;
    refuse_aliases(M::SHAPE, &keys, &stored)?;
    Ok(stored)
}

/// Returns the keys that belong to a flattened map, if the model has a field with other names (`alias`).
fn keys_of_maps(model: &'static ModelShape, new: &Document) -> Vec<String> {
    if !any_field(model.fields, |field| field.aliased) {
        return Vec::new();
    }
    let of_maps = new.keys();
    let of_maps = of_maps.filter(|name| !stored_names_contain(model.fields.iter(), name));
    of_maps.cloned().collect()
}

/// Rejects a key of a flattened map that serde has read as another field, because the key is an alias of this field.
/// Such a key is missing from the document as the model's struct writes it.
fn refuse_aliases(
    model: &'static ModelShape,
    keys: &[String],
    document: &RawDocument,
) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    let names = elements(document)?.into_iter().map(|(name, _)| name);
    let names: HashSet<&str> = names.collect();
    let Some(key) = keys.iter().find(|key| !names.contains(key.as_str())) else {
        return Ok(());
    };
    Err(unfit_key(format!(
        "a `{}` would lose the key `{key}` of a flattened map, because it is the alias of a field; rename the key",
        model.name
    ))
    .in_model(model))
}

/// Adds the fields that the library sets.
fn complete(
    model: &'static ModelShape,
    mut document: Document,
    (new_id, set): (Option<NewId>, &[&str]),
    stamp: Option<&Stamp>,
) -> Result<RawDocumentBuf> {
    let is_id = |field: &&FieldShape| field.stored == "_id" && !field.may_be_missing();
    let lacks_id = model.fields.iter().any(|field| is_id(&field)) && !document.contains_key("_id");
    if let Some(new_id) = new_id.filter(|_| lacks_id) {
        document.insert("_id", new_id());
    }
    fill_blanks(model, &mut document)?;
    let document = RawDocumentBuf::try_from(&document).map_err(mongodb::error::Error::from)?;
    let document = Place::of(model).stamp(document)?;
    let document = match stamp {
        Some(stamp) => stamp.document(&document, 0)?,
        None => document,
    };
    refuse_missing(model, set, &document)?;
    Ok(document)
}

/// Rejects a document that lacks a required field. A field is required if it has no default, or if the attribute
/// `set(..)` lists the field. The compiler cannot check whether `set` was called.
fn refuse_missing(model: &'static ModelShape, set: &[&str], document: &RawDocument) -> Result<()> {
    let is_missing = |field: &&FieldShape| {
        let is_optional = field.may_be_missing() && !set.contains(&field.name);
        let is_required = !(field.flatten || field.maintained.is_some() || is_optional);
        is_required && matches!(document.get(field.stored), Ok(None))
    };
    let Some(field) = model.fields.iter().find(is_missing) else {
        return Ok(());
    };
    let (model_name, name) = (model.name, field.name);
    Err(Error::invalid(format!(
        "the new `{model_name}` has no value for `{name}`, and nothing was stored; call \
         `.set({model_name}::fields().{name}, ..)` before the insert"
    ))
    .in_model(model))
}

/// Returns the error for fields that serde cannot read into the struct of the model.
fn unfit(model: &'static ModelShape, error: &Error) -> Error {
    let name = model.name;
    let (path, reason) = match error {
        Error::Decode { path, message, .. } => (path.as_str(), message.clone()),
        other => ("", other.to_string()),
    };
    Error::invalid(format!(
        "the insertable struct does not make a document of `{name}`, which cannot read `{path}`: {reason}; nothing was stored; \
         if this is a copy, add `#[serde(default)]` to it"
    ))
    .in_model(model)
}
