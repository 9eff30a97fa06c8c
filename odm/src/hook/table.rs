//! The table of a model's hooks. Its functions receive stored documents, so they do not depend on the type of the
//! model.

use std::marker::PhantomData;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf};

use super::{Committed, Hooks};
use crate::{
    client::odm::{Odm, Tx},
    error::Result,
    model::{
        derive_traits::Storable,
        shape::{HooksShape, ModelShape},
    },
    query::{
        stored_document::{check_rules, encoded, stored},
        update::Update,
    },
};

/// The hooks of a model.
pub(super) struct Table {
    /// Returns which hooks the model implements. This field is a function and not a value, because the result depends
    /// on the code of the hooks. If the constant shape contained the result itself, the code of the hooks could not use
    /// the shape.
    pub(super) implemented: fn() -> Implemented,
    pub(super) before_insert: BeforeInsert,
    pub(super) before_update: BeforeUpdate,
    pub(super) before_delete: BeforeDelete,
    pub(super) after_commit: AfterCommit,
    /// Checks the validation rules of a stored document.
    pub(super) check_rules: fn(&RawDocument) -> Result<()>,
}

/// Calls `before_insert`, and returns the document, including the changes that the hook has made.
type BeforeInsert = for<'t> fn(RawDocumentBuf, &'t Tx) -> BoxFuture<'t, Result<RawDocumentBuf>>;

/// Calls `before_update`, and returns the update, including the operators that the hook has added.
type BeforeUpdate =
    for<'t> fn(RawDocumentBuf, Update<()>, &'t Tx) -> BoxFuture<'t, Result<Update<()>>>;

/// Calls `before_delete`.
type BeforeDelete = for<'t> fn(RawDocumentBuf, &'t Tx) -> BoxFuture<'t, Result<()>>;

/// Calls `after_commit`.
type AfterCommit = for<'t> fn(RawDocumentBuf, Committed, &'t Odm) -> BoxFuture<'t, Result<()>>;

/// Whether a model implements each hook.
#[allow(clippy::struct_excessive_bools, reason = "there is one for each hook")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Implemented {
    pub(crate) before_insert: bool,
    pub(crate) before_update: bool,
    pub(crate) before_delete: bool,
    pub(crate) after_commit: bool,
}

impl Implemented {
    const fn by<M: Hooks>() -> Self {
        Self {
            before_insert: has_state_2::<&'static mut M, &'static Tx, _>(M::before_insert),
            before_update: has_state_3::<&'static M, &'static mut Update<M>, &'static Tx, _>(
                M::before_update,
            ),
            before_delete: has_state_2::<&'static M, &'static Tx, _>(M::before_delete),
            after_commit: has_state_3::<&'static M, Committed, &'static Odm, _>(M::after_commit),
        }
    }

    const fn is_any(self) -> bool {
        self.before_insert || self.before_update || self.before_delete || self.after_commit
    }
}

/// Whether a hook with two arguments is implemented. Only the future of a missing hook has the size 0.
const fn has_state_2<A, B, F>(_: fn(A, B) -> F) -> bool {
    size_of::<F>() > 0
}

/// Whether a hook with three arguments is implemented.
const fn has_state_3<A, B, C, F>(_: fn(A, B, C) -> F) -> bool {
    size_of::<F>() > 0
}

/// Whether a model implements at least one hook. The code from the derive asserts that the model does.
///
/// If the model does not implement `Hooks`, the compiler uses the constant of [`HookProbeFallback`]. The table of the
/// hooks already causes an error in this case.
pub struct HookProbe<M>(PhantomData<M>);

impl<M: Hooks> HookProbe<M> {
    /// Whether the model implements at least one hook.
    pub const HAS_HOOK: bool = Implemented::by::<M>().is_any();
}

/// Provides `HAS_HOOK` for a model that does not implement `Hooks`.
pub trait HookProbeFallback {
    /// `true`, so that the assertion of the derive does not cause a second error.
    const HAS_HOOK: bool = true;
}

impl<M> HookProbeFallback for HookProbe<M> {}

/// Returns the table of a model's hooks, in the form in which the shape stores it.
pub const fn hooks_table<M: Storable + Hooks>() -> HooksShape {
    HooksShape::new(TableOf::<M>::TABLE)
}

/// Returns the table of a model's hooks, if the model declares hooks.
pub(super) fn table(model: &ModelShape) -> Option<&'static Table> {
    model.hooks?.table()
}

struct TableOf<M>(PhantomData<M>);

impl<M: Storable + Hooks> TableOf<M> {
    const TABLE: &'static Table = &Table {
        implemented: Implemented::by::<M>,
        before_insert: before_insert::<M>,
        before_update: before_update::<M>,
        before_delete: before_delete::<M>,
        after_commit: after_commit::<M>,
        check_rules: |stored| check_rules(&read::<M>(stored)?, false),
    };
}

fn before_insert<M: Storable + Hooks>(
    given: RawDocumentBuf,
    tx: &Tx,
) -> BoxFuture<'_, Result<RawDocumentBuf>> {
    Box::pin(async move {
        let mut document = read::<M>(&given)?;
        // This document can differ from the given one, because serde does not read fields with `skip_deserializing`.
        let before = encoded(&document)?;
        document.before_insert(tx).await?;
        if encoded(&document)? == before {
            return Ok(given);
        }
        // The hook has changed the document, so its rules and bounds are checked again.
        let after = stored(&document, true)?;
        with_unchanged(&given, &before, &after)
    })
}

/// Returns the changed document. The values that the hook has not changed are those of the given document.
fn with_unchanged(
    given: &RawDocument,
    before: &RawDocument,
    after: &RawDocument,
) -> Result<RawDocumentBuf> {
    let decode = |raw: &RawDocument| Document::try_from(raw).map_err(mongodb::error::Error::from);
    let [given, before, after] = [decode(given)?, decode(before)?, decode(after)?];
    let kept = kept_fields(given, &before, after);
    Ok(RawDocumentBuf::try_from(&kept).map_err(mongodb::error::Error::from)?)
}

fn kept_fields(given: Document, before: &Document, mut after: Document) -> Document {
    for (name, value) in given {
        match (before.get(&name), after.get_mut(&name)) {
            (Some(before), Some(after)) => *after = kept(value, before, after.clone()),
            (None, None) => {
                after.insert(name, value);
            }
            (Some(_), None) | (None, Some(_)) => {}
        }
    }
    after
}

/// Returns the given value if the hook has not changed it. In a changed struct, the unchanged fields keep their values.
/// In a changed array, the unchanged elements keep theirs. In a changed element, it is unknown from which element the
/// hook took the fields.
fn kept(given: Bson, before: &Bson, after: Bson) -> Bson {
    match (given, before, after) {
        (given, before, after) if *before == after => given,
        (Bson::Document(given), Bson::Document(before), Bson::Document(after)) => {
            Bson::Document(kept_fields(given, before, after))
        }
        (Bson::Array(given), Bson::Array(before), Bson::Array(mut after)) => {
            for ((given, before), after) in given.into_iter().zip(before).zip(&mut after) {
                if before == after {
                    *after = given;
                }
            }
            Bson::Array(after)
        }
        (_, _, after) => after,
    }
}

fn before_update<M: Storable + Hooks>(
    stored: RawDocumentBuf,
    change: Update<()>,
    tx: &Tx,
) -> BoxFuture<'_, Result<Update<()>>> {
    Box::pin(async move {
        let (document, mut change) = (read::<M>(&stored)?, change.retyped());
        document.before_update(&mut change, tx).await?;
        Ok(change.retyped())
    })
}

fn before_delete<M: Storable + Hooks>(
    stored: RawDocumentBuf,
    tx: &Tx,
) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move { read::<M>(&stored)?.before_delete(tx).await })
}

fn after_commit<M: Storable + Hooks>(
    stored: RawDocumentBuf,
    write: Committed,
    odm: &Odm,
) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move { read::<M>(&stored)?.after_commit(write, odm).await })
}

fn read<M: Storable>(document: &RawDocument) -> Result<M> {
    M::__odm_read_document(M::SHAPE.collection, document, document)
}
