//! The trait `Insertable`, which inserts structs that contain only the fields that your code sets.

use super::InsertNew;
use crate::{client::odm::Executor, model::derive_traits::Storable, query::given::GivesFields};

/// A new document that contains only the fields that your code sets, for example the body of `POST /tasks`.
///
/// Derive this trait for a struct whose fields have the names and the types of fields in a model. The call
/// [`insert`](Self::insert) adds all other fields and returns the model:
///
/// | field of the model | value |
/// |---|---|
/// | in the struct | the value in the struct |
/// | `_id` that contains an `ObjectId` or a UUID | a new id |
/// | tenant, `#[created_by]`, `#[updated_by]` | the tenant and the actor of the handle |
/// | `#[created_at]`, `#[updated_at]`, `#[version]`, `#[deleted_at]` | as in every insert |
/// | copy, snapshot, summary, recent list, kind | as in every insert |
/// | any other field | the default that serde reads for a missing field |
///
/// The validation rules and the hooks of the model apply to the complete document.
///
/// The struct can also contain the `_id`, the tenant and snapshots. For a field of the type `Option<T>` in the model,
/// the struct can have a field of the type `T`. For a field of the type `T`, the struct needs the same type.
///
/// To leave out fields of an embedded struct, such as copies, derive `Insertable` for a second struct. In the outer
/// struct, mark the field of this type with `#[embed]`. The marked field has the same containers as the model's field:
/// `Vec<NewLine>` for `Vec<Line>`. The containers can be an `Option`, any array type, an `Arc` and an `Rc`, but not a `Box`
/// or a `Presence` around the struct.
///
/// A value can also come from outside the request body, for example from the path:
/// `#[insertable(of = "Task", set(project))]`. The struct does not contain this field, and [`InsertNew::set`] sets it.
///
/// The values are stored with the names and the codecs of the model. The serde attributes of the insertable struct
/// affect only its form in requests.
///
/// # Limits
///
/// These mistakes do not compile:
///
/// - a field that the model does not have, or that has a different type,
/// - a copy, a summary, or another field that the library sets,
/// - a field with `#[serde(skip_deserializing)]` in the model,
/// - a missing field, unless the field of the model is an `Option` or has `#[serde(default)]`,
/// - a missing `_id` that the library cannot generate.
///
/// The library reads the new document with serde before it stores the document. So a field of an embedded struct gets
/// its default value if it has `#[serde(skip_deserializing)]`.
///
/// If a copy does not have a source, because its reference is dangling, the stored copy is null, or an empty value of
/// its type, such as an empty string. If the library does not know an empty value, for example for an enum with
/// content, the insert fails. To prevent this error, add `#[serde(default)]` to the copy in the model.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::prelude::*;
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "members")]
/// struct Member {
///     #[serde(rename = "_id")]
///     id: Id<Member>,
///     name: String,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "tasks")]
/// struct Task {
///     #[serde(rename = "_id")]
///     id: Id<Task>,
///     title: String,
///     #[refs(one, exists)]
///     assignee: Id<Member>,
///     #[denorm(from = "Member.name")]
///     assignee_name: String,
///     #[created_at]
///     created_at: DateTime,
///     #[version]
///     version: i64,
/// }
///
/// /// The body of a request that creates a task.
/// #[derive(Debug, Deserialize, Insertable)]
/// #[insertable(of = "Task")]
/// #[serde(deny_unknown_fields)]
/// struct NewTask {
///     title: String,
///     assignee: Id<Member>,
/// }
///
/// async fn create(odm: &Odm, new: NewTask) -> mongo_odm::Result<Task> {
///     let task = new.insert(odm).await?;
///     println!("{} for {}", task.title, task.assignee_name);
///     Ok(task)
/// }
/// ```
pub trait Insertable: GivesFields {
    /// Inserts the document, and returns it as it is stored.
    ///
    /// # Sends
    ///
    /// The statements that [`insert`](crate::Documents::insert) of the model sends. [`InsertNew`] describes an
    /// additional `find`, which is sent if updating the derived data also changes the new document.
    ///
    /// # Index
    ///
    /// The indexes that [`insert`](crate::Documents::insert) uses.
    ///
    /// # Errors
    ///
    /// See [`InsertNew`].
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// async fn create<N>(odm: &Odm, new: &N) -> mongo_odm::Result<N::Of>
    /// where
    ///     N: Insertable,
    ///     N::Of: Model,
    /// {
    ///     new.insert(odm).await
    /// }
    /// ```
    #[track_caller]
    fn insert(&self, odm: &(impl Executor + ?Sized)) -> InsertNew<Self::Of>
    where
        Self: Sized,
        Self::Of: Storable,
    {
        InsertNew::new([self], true, odm.exec())
    }

    /// Inserts documents, and returns them as they are stored, in the same order.
    ///
    /// # Sends
    ///
    /// The statements that [`insert_many`](crate::Documents::insert_many) of the model sends.
    ///
    /// # Index
    ///
    /// The indexes that [`insert_many`](crate::Documents::insert_many) uses.
    ///
    /// # Errors
    ///
    /// See [`InsertNew`].
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
    ///     #[created_at]
    ///     created_at: DateTime,
    /// }
    ///
    /// #[derive(Debug, Deserialize, Insertable)]
    /// #[insertable(of = "Tag")]
    /// struct NewTag {
    ///     name: String,
    /// }
    ///
    /// async fn create(odm: &Odm, names: [String; 2]) -> mongo_odm::Result<Vec<Tag>> {
    ///     let new = names.map(|name| NewTag { name });
    ///     NewTag::insert_many(odm, &new).await
    /// }
    /// ```
    #[track_caller]
    fn insert_many<'a>(
        odm: &(impl Executor + ?Sized),
        new: impl IntoIterator<Item = &'a Self>,
    ) -> InsertNew<Self::Of, Vec<Self::Of>>
    where
        Self: Sized + 'a,
        Self::Of: Storable,
    {
        InsertNew::new(new, false, odm.exec())
    }
}

#[diagnostic::do_not_recommend]
impl<T: GivesFields> Insertable for T {}
