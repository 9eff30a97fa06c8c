//! An update that enforces the bounds of arrays, either with a guard in its filter or by checking the updated document.

use std::time::Duration;

use mongodb::{
    bson::{Bson, Document, RawDocument, doc},
    options::{UpdateModifications, UpdateOptions},
};

use super::{
    conflict::{ExpectedVersion, GivenVersion},
    exact_id::{PATTERNS, exactly, is_ambiguous},
    operation::Common,
};
use crate::{
    client::{
        command::{FindAndUpdateCommand, FindCommand, UpdateCommand, and},
        odm::Exec,
        place::Place,
    },
    derived::{
        follow::{Effects, FanOut},
        values::key_condition,
    },
    error::{Error, Result},
    model::{
        array_bound::{
            self, Bound, BoundCheck, bounds, check_stored, check_update, exceeding_filter,
        },
        shape::ModelShape,
    },
    query::{
        maintained::Stamp,
        update::{Update, has_struct, insert_self_link, keep_kind, keep_shard_key, without_struct},
    },
    setters::copy_options,
    value::path::equality_in,
};

/// An encoded update, and the way in which its bounds are checked.
#[derive(Clone, Debug)]
pub(crate) struct BoundedUpdate {
    pub(crate) model: &'static ModelShape,
    pub(crate) filter: Document,
    pub(crate) update: UpdateModifications,
    pub(crate) options: UpdateOptions,
    pub(crate) fan_out: FanOut,
    /// The time limit that the server enforces. Only `findAndModify` has this option.
    pub(crate) max_time: Option<Duration>,
    /// The id and the version that the document must have, if the call contains `if_version` or `if_unchanged`.
    pub(crate) expected: Option<ExpectedVersion>,
    /// The paths of embedded structs that each updated document must contain, because a patch changes only some fields
    /// of these structs.
    pub(crate) parents: Vec<String>,
    pub(super) check: BoundCheck,
    /// The update as the application built it, if the model has hooks.
    pub(super) given: Option<GivenUpdate>,
}

/// An update as the application built it. A hook can change it, and the library then adds the maintained fields.
#[derive(Clone, Debug)]
pub(crate) struct GivenUpdate {
    pub(super) modifications: UpdateModifications,
    pub(super) stamp: Option<Stamp>,
    /// Whether the update can change the shard key.
    pub(super) moving: bool,
}

impl BoundedUpdate {
    /// Creates an update. `stamp` is `None` if the update must not set maintained fields, or if the model does not have
    /// any.
    pub(crate) fn new(
        model: &'static ModelShape,
        filter: Document,
        update: UpdateModifications,
        options: UpdateOptions,
        stamp: Option<Stamp>,
    ) -> Result<Self> {
        Self::with_key(model, filter, update, options, stamp, false)
    }

    /// Creates an update that can change the shard key if `moving` is set. The caller must not send an update that
    /// changes the shard key.
    pub(super) fn with_key(
        model: &'static ModelShape,
        filter: Document,
        update: UpdateModifications,
        options: UpdateOptions,
        stamp: Option<Stamp>,
        moving: bool,
    ) -> Result<Self> {
        let upsert = options.upsert == Some(true);
        let given = model.hooks.map(|_| GivenUpdate {
            modifications: update.clone(),
            stamp: stamp.clone(),
            moving,
        });
        if !moving {
            keep_shard_key(model, &update)?;
        }
        let check = check_update(model, &update, upsert)?;
        let mut update = keep_kind(model, &filter, update, upsert)?;
        if upsert {
            update = insert_self_link(model, id_in_filter(&filter), update)?;
            if let Some(stamp) = &stamp {
                stamp.check_upsert(&filter)?;
            }
        }
        if let Some(stamp) = stamp
            && !is_empty(&update)
        {
            update = stamp.update(update, upsert)?;
        }
        Ok(Self {
            model,
            filter,
            update,
            options,
            fan_out: FanOut::default(),
            max_time: None,
            expected: None,
            parents: Vec::new(),
            check,
            given,
        })
    }

    /// Returns the same write with the given update, which does not set maintained fields.
    pub(super) fn with_update(&self, update: UpdateModifications) -> Result<Self> {
        let fan_out = self.fan_out.clone();
        let new = Self::new(
            self.model,
            self.filter.clone(),
            update,
            self.options.clone(),
            None,
        )?;
        Ok(Self { fan_out, ..new })
    }

    /// Adds the expected version to the filter, so that the update does not match a document that has changed.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the filter selects a document other than that of the given struct.
    pub(crate) fn expect(&mut self, given: GivenVersion) -> Result<()> {
        let expected = ExpectedVersion::add_to(&mut self.filter, given, self.model)?;
        self.expected = Some(expected);
        Ok(())
    }

    /// Returns the settings for a write that consists of this update.
    pub(super) const fn common(&self) -> Common<'_> {
        Common {
            model: self.model,
            write_concern: self.options.write_concern.as_ref(),
            fan_out: &self.fan_out,
        }
    }

    /// Returns the effects of the update.
    pub(super) async fn effects(&self, exec: &Exec) -> Result<Effects> {
        Effects::of_update(self.model, &self.update, &self.fan_out, exec).await
    }

    pub(crate) fn place(&self) -> Place {
        Place::live(self.model)
    }

    /// Whether the update changes the shard key, so that it cannot be sent.
    pub(super) fn writes_shard_key(&self) -> bool {
        keep_shard_key(self.model, &self.update).is_err()
    }

    /// Whether the update consists only of an empty patch.
    pub(crate) fn is_empty(&self) -> bool {
        is_empty(&self.update)
    }

    /// Whether the update is possible in every matching document. In this case, the filter of the update does not
    /// contain guards, and the library need not read the updated document.
    pub(crate) const fn is_safe(&self) -> bool {
        !self.is_bounded() && self.parents.is_empty()
    }

    /// Whether the update can make an array longer than its bound.
    pub(crate) const fn is_bounded(&self) -> bool {
        !matches!(self.check, BoundCheck::Safe)
    }

    /// Whether the library must read the updated document to check the bounds.
    pub(crate) const fn needs_look(&self) -> bool {
        matches!(self.check, BoundCheck::AfterImage)
    }

    /// Whether both updates send the same operators.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let [one, other] =
            [self, other].map(|it| Update::<()>::given(it.update.clone(), it.parents.clone()));
        one.is_same(&other)
    }

    /// Restricts the update to one document. The filter is kept, because the positional operator `$` refers to the
    /// element that the filter matches. A filter that contains only the `_id` stays unchanged, because the server finds
    /// the document for such a filter without planning a query.
    pub(crate) fn pin(&mut self, id: Bson) {
        let exact = self
            .is_ambiguous(&id)
            .then(|| self.exactly(std::slice::from_ref(&id)));
        let by_id = doc! { "_id": id };
        if let Some(exact) = exact {
            self.filter = doc! { "$and": [by_id, exact, self.filter.clone()] };
        } else if self.filter != by_id {
            self.filter = doc! { "$and": [by_id, self.filter.clone()] };
        }
    }

    /// Returns the largest number of these ids that one statement can contain.
    pub(super) fn most_at_once(&self, ids: &[Bson]) -> usize {
        let is_exact = !ids.iter().any(|id| self.is_ambiguous(id));
        if is_exact { usize::MAX } else { PATTERNS }
    }

    /// Whether the collation of the update can treat an id as equal to another id.
    fn is_ambiguous(&self, id: &Bson) -> bool {
        is_ambiguous(id, self.options.collation.as_ref())
    }

    /// Returns a condition that only the documents with these ids meet, regardless of the collation of the update.
    pub(super) fn exactly(&self, ids: &[Bson]) -> Document {
        exactly(ids, self.options.collation.as_ref())
    }

    /// Returns the filter together with the guards. A guard requires that an array has room for the pushed elements, or
    /// that the document contains the struct that a patch changes.
    fn guarded_filter(&self) -> Document {
        let rooms = self.rooms().iter().map(|(_, guard)| guard.clone());
        let structs = self.parents.iter().map(|path| has_struct(path));
        let guards: Vec<Document> = rooms.chain(structs).collect();
        if guards.is_empty() {
            return self.filter.clone();
        }
        let filter = std::iter::once(self.filter.clone());
        doc! { "$and": filter.chain(guards).collect::<Vec<_>>() }
    }

    fn rooms(&self) -> &[(Bound, Document)] {
        match &self.check {
            BoundCheck::Guarded(guards) => guards,
            BoundCheck::Safe | BoundCheck::AfterImage => &[],
        }
    }

    /// Returns an `update` of the first document that matches the filter and has room in its arrays.
    pub(crate) fn one(&self) -> UpdateCommand {
        let mut update =
            UpdateCommand::one(self.place(), self.guarded_filter(), self.update.clone());
        update.options = self.options.clone();
        update
    }

    /// Returns an `update` of all documents that match the filter.
    pub(crate) fn many(&self) -> UpdateCommand {
        let mut update =
            UpdateCommand::many(self.place(), self.filter.clone(), self.update.clone());
        update.options = self.options.clone();
        update
    }

    /// Returns a `findAndModify` of the first document that matches the filter and has room in its arrays. The command
    /// does not have a write concern, because it runs in a transaction.
    pub(crate) fn find_and_update(&self) -> FindAndUpdateCommand {
        let filter = self.guarded_filter();
        let mut find = FindAndUpdateCommand::new(self.place(), filter, self.update.clone());
        copy_options!(self.options => find.options, [array_filters, upsert, collation, hint, let_vars, comment]);
        copy_options!(self.options => find.options, [bypass_document_validation]);
        find.options.max_time = self.max_time;
        find
    }

    /// Returns the query for the matching documents.
    pub(crate) fn find(&self) -> FindCommand {
        let mut find = FindCommand::new(self.place(), self.filter.clone());
        copy_options!(self.options => find.options, [collation, hint, let_vars, comment]);
        find.options.max_time = self.max_time;
        find
    }

    /// Fails if a document matches the filter but not the guards, because its array is full or because it lacks a
    /// struct. For an update of one document, this function is called only after the guarded statement has matched
    /// nothing.
    pub(crate) async fn refuse_guarded(&self, exec: &Exec) -> Result<()> {
        for (bound, guard) in self.rooms() {
            if self.excludes(guard.clone(), exec).await? {
                return Err(bound.exceeded(self.model, None, None));
            }
        }
        for path in &self.parents {
            if self.excludes(has_struct(path), exec).await? {
                return Err(without_struct(self.model, path));
            }
        }
        Ok(())
    }

    async fn excludes(&self, guard: Document, exec: &Exec) -> Result<bool> {
        let mut find = self.find();
        find.filter = doc! { "$and": [find.filter, { "$nor": [guard] }] };
        exec.any(find.finds_none()).await
    }

    /// Converts a validator's error about a bound to `BoundExceeded`, because a validator checks a bound before the
    /// library does.
    pub(crate) fn explained(&self, error: Error) -> Error {
        array_bound::explained(self.model, error)
    }

    /// Fails if an updated document exceeds a bound.
    pub(crate) fn refuse_exceeding(&self, updated: &RawDocument) -> Result<()> {
        check_stored(self.model, updated)
    }

    /// Fails if one of the updated documents exceeds a bound.
    pub(crate) async fn refuse_exceeding_among(&self, ids: &[Bson], exec: &Exec) -> Result<()> {
        let filter = and(
            doc! { "_id": key_condition(ids) },
            exceeding_filter(&bounds(self.model)),
        );
        let find = FindCommand::new(self.place(), filter).all();
        let documents = exec.raw_documents(find).await?;
        let mut documents = documents.iter();
        documents.try_for_each(|document| self.refuse_exceeding(document))
    }
}

fn is_empty(update: &UpdateModifications) -> bool {
    matches!(update, UpdateModifications::Document(operators) if operators.is_empty())
}

/// Returns the `_id` that a filter requires by equality.
pub(crate) fn id_in_filter(filter: &Document) -> Option<&Bson> {
    equality_in(filter, "_id")
}
