//! Builder returned by `link` and `unlink`, which change the links between documents of one collection.

use std::collections::HashSet;

use mongodb::{bson::Bson, options::UpdateOptions};

use super::{LinkTargets, Target, get::encoded_id, with_model, write_builder::prepared_update};
use crate::{
    client::{odm::Exec, place::refuse_unreadable_link},
    derived::follow::FanOut,
    error::{Error, Result},
    model::{
        derive_traits::Storable,
        shape::{LinkEnds, ModelLinks, ModelShape},
    },
    value::key::JoinKey,
    write::{self, LinkChange},
};

/// A change to the links between the documents of a single collection: `student.link(&odm, &class)`,
/// `student.unlink(&odm, &class)`.
///
/// # Sends
///
/// One transaction that changes both ends of the links. The transaction sends four statements before the commit:
///
/// 1. a `find` of the document by `_id`;
/// 2. a `findAndModify` that adds missing links or removes existing ones;
/// 3. a `find` that reads the document again;
/// 4. one `update` by `_id` for each model of the other documents.
///
/// If the documents have a tenant, one more `find` reads the other documents, and one `update` stores their jobs.
///
/// An existing link is not added again. If the links of this document are already correct, the write updates only the
/// other documents and stores a job for this document. If the other documents are already correct as well, the write
/// stores jobs for both ends.
///
/// # Guarantees
///
/// - Both ends change in one transaction. The other documents are not written if their model is `one_sided`.
/// - If one of the other documents is not stored yet, its end of the link is added when you insert the document. Links
///   between documents with a tenant are an exception: both documents must be stored, and must have the same tenant.
/// - The report counts only the document on which you call the method: `matched` is 1, and `modified` is 1 if its links
///   have changed.
///
/// # Errors
///
/// - [`Error::NotFound`] if the document does not exist.
/// - [`Error::NoTarget`] from `link` if the models have a tenant, and a document at the other end does not exist, is
///   deleted, or has a different tenant. Nothing was written. `unlink` also removes such links.
/// - [`Error::BoundExceeded`] if an array at either end is full. Nothing was written.
/// - [`Error::Invalid`] for a link to the document itself, for documents from another collection, and for a document
///   whose model is `one_sided`.
/// - All other errors are those of [`UpdateOne`](super::UpdateOne).
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/enrollment_models.txt")]
/// # async fn example(odm: Odm, student: Student, class: Class) -> mongo_odm::Result<()> {
/// student.link(&odm, &class).await?;
/// student.unlink(&odm, &class).await?;
/// # Ok(()) }
/// ```
#[must_use = "links are changed when it is awaited"]
#[derive(Debug)]
pub struct ChangeLinks {
    write: Result<write::LinkWrite>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl ChangeLinks {
    pub(crate) fn new<M: Storable>(
        document: &M,
        others: impl LinkTargets,
        change: LinkChange,
        exec: Exec,
    ) -> Self {
        let write = others.into_targets();
        let write = write.and_then(|others| write_of(document, others, change));
        Self {
            write: write.map_err(with_model::<M>),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }
}

prepared_update!(ChangeLinks: write::LinkWrite, "link");

/// Returns the declaration of a model's links, or an error if the model does not declare links.
pub(crate) fn links_of(model: &'static ModelShape) -> Result<ModelLinks> {
    let message = || {
        format!(
            "`{}` has no links; write `#[links]` at an array of it",
            model.name
        )
    };
    model
        .links()
        .ok_or_else(|| Error::invalid(message()).in_model(model))
}

fn write_of<M: Storable>(
    document: &M,
    others: Vec<Target>,
    change: LinkChange,
) -> Result<write::LinkWrite> {
    let links = links_of(M::SHAPE)?;
    if links.ends() == LinkEnds::Others {
        return Err(one_sided(M::SHAPE));
    }
    let id = encoded_id::<M>(document.stored_id())?;
    if links.shape.separator.is_some() {
        let all = parent_of(&others, &id, &links)?;
        return write::LinkWrite::new(M::SHAPE, (links, id), all, change);
    }
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for other in others {
        // An equal id in another collection is a different mistake, which `refuse_elsewhere` reports.
        if other.model.collection == M::SHAPE.collection && other.id == id {
            return Err(to_itself(change));
        }
        let of_other = links_of(other.model)?;
        let link = of_other.link_to(&other.id);
        refuse_elsewhere(M::SHAPE, other.model)?;
        // Only new links are checked, because a stored link that cannot be read must still be removable.
        if change == LinkChange::Make {
            refuse_unreadable_link(M::SHAPE, &links, &link)?;
            refuse_unreadable_link(other.model, &of_other, &links.link_to(&id))?;
        }
        // `$push` would store a repeated id twice.
        if seen.insert(JoinKey::from(other.id)) {
            all.push(link);
        }
    }
    write::LinkWrite::new(M::SHAPE, (links, id), all, change)
}

/// Returns the prefix key that contains the parent's id, as a list with one element.
fn parent_of(others: &[Target], id: &Bson, links: &ModelLinks) -> Result<Vec<Bson>> {
    let [parent] = others else {
        let message = "a key has the id of one parent; hand over one document";
        return Err(Error::invalid(message.to_owned()));
    };
    if links_of(parent.model)?.ends() == LinkEnds::Both {
        return Err(Error::invalid(format!(
            "a key begins with the id of a document that has no parent, but `{0}` is not `one_sided`; link to a document \
             of a `one_sided` kind, or write `#[links(form = \"prefix\", one_sided)]` in `{0}`",
            parent.model.name
        ))
        .in_model(parent.model));
    }
    Ok(vec![links.key(&parent.id, id).into()])
}

fn to_itself(change: LinkChange) -> Error {
    Error::invalid(match change {
        LinkChange::Make => "every document has a link to itself already; leave its own id out",
        LinkChange::End => "the link of a document to itself stays as long as the document; leave its own id out",
    }
    .to_owned())
}

fn one_sided(model: &'static ModelShape) -> Error {
    Error::invalid(format!(
        "the links of `{}` are `one_sided`: the documents that are linked with one hold them; call `link` or `unlink` at \
         those",
        model.name
    ))
}

fn refuse_elsewhere(here: &'static ModelShape, there: &'static ModelShape) -> Result<()> {
    if here.collection == there.collection {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "links lead to documents of the same collection: `{}` is in `{}`, and `{}` in `{}`; refer to it with `#[refs]`",
        here.name, here.collection, there.name, there.collection
    )))
}
