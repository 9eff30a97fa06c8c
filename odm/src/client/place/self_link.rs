//! If a model has an array of links, the array in each document contains a link to the document itself. This module
//! maintains that link.
//!
//! With this link, a query for all documents that link to a document also finds the document itself. A save keeps the
//! stored array of links and ignores the array in the struct. Keeping the array requires no additional statement,
//! because a save reads the stored document anyway. A link in the form of a string is not kept, because a save of such a
//! model does not read the stored document.

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf};

use super::Place;
use crate::{
    error::{Error, Result},
    model::shape::{ModelLinks, ModelShape, id_text},
    mongosh,
    value::key::JoinKey,
};

impl Place {
    /// Adds the link of a document to itself, if its model has links.
    pub(super) fn stamp_self_link(&self, document: RawDocumentBuf) -> Result<RawDocumentBuf> {
        match self.links() {
            Some((model, links)) => link_to_itself(document, model, &links),
            None => Ok(document),
        }
    }

    fn links(&self) -> Option<(&'static ModelShape, ModelLinks)> {
        let model = self.model()?;
        Some((model, model.links()?))
    }

    /// Copies the stored links into a document that replaces the stored one. Only `link` and `unlink` change an
    /// array of links.
    pub(crate) fn keep_links(
        &self,
        document: &RawDocument,
        stored: &Document,
    ) -> Result<Option<RawDocumentBuf>> {
        let Some((model, links)) = self.links() else {
            return Ok(None);
        };
        let Some(all @ Bson::Array(_)) = stored.get(links.array) else {
            return Ok(None);
        };
        let mut kept = Document::try_from(document).map_err(mongodb::error::Error::from)?;
        kept.insert(links.array, all.clone());
        let kept = RawDocumentBuf::try_from(&kept).map_err(mongodb::error::Error::from)?;
        Ok(Some(link_to_itself(kept, model, &links)?))
    }
}

/// Returns the text key of a document: its own id, preceded by its parent's key if it has a parent.
fn own_key(stored: Option<&Bson>, id: &Bson, links: &ModelLinks, separator: &str) -> Result<Bson> {
    let own = id_text(id);
    if own.contains(separator) {
        return Err(Error::invalid(format!(
            "the id \"{own}\" contains the separator \"{separator}\" of `{}`, so that the document would be found below another one; choose \
             another separator, or another id",
            links.array
        )));
    }
    Ok(match stored {
        Some(Bson::String(key)) if !key.is_empty() && *key != own => {
            let is_whole = key
                .strip_suffix(&own)
                .is_some_and(|it| it.ends_with(separator));
            if is_whole {
                key.clone().into()
            } else {
                format!("{key}{separator}{own}").into()
            }
        }
        Some(Bson::String(_) | Bson::Null) | None => own.into(),
        // A value of a different type is not changed. The server decides whether to accept or reject it.
        Some(other) => other.clone(),
    })
}

/// Inserts the link of a document to itself as the first element, if the array does not contain it.
fn link_to_itself(
    document: RawDocumentBuf,
    model: &'static ModelShape,
    links: &ModelLinks,
) -> Result<RawDocumentBuf> {
    let mut linked = Document::try_from(&*document).map_err(mongodb::error::Error::from)?;
    let Some(id) = linked.get("_id").cloned() else {
        return Ok(document);
    };
    if let Some(separator) = links.shape.separator {
        let key = own_key(linked.get(links.array), &id, links, separator)?;
        linked.insert(links.array, key);
        return Ok(RawDocumentBuf::try_from(&linked).map_err(mongodb::error::Error::from)?);
    }
    let mut all = match linked.get(links.array) {
        Some(Bson::Array(all)) => all.clone(),
        None | Some(Bson::Null) => Vec::new(),
        // A value that is not an array is not changed. The server decides whether to accept or reject it.
        Some(_) => return Ok(document),
    };
    let own = JoinKey::from(id.clone());
    let leads_here = |link: &Bson| {
        links
            .target_of(link)
            .is_some_and(|it| JoinKey::from(it.clone()) == own)
    };
    if all.iter().any(leads_here) {
        return Ok(document);
    }
    let own_link = links.link_to(&id);
    refuse_unreadable_link(model, links, &own_link)?;
    all.insert(0, own_link);
    linked.insert(links.array, all);
    Ok(RawDocumentBuf::try_from(&linked).map_err(mongodb::error::Error::from)?)
}

/// Rejects a link that would make the documents of a model impossible to decode.
///
/// # Errors
///
/// [`Error::Declaration`] if the model cannot decode the link. The message contains the link and serde's error.
pub(crate) fn refuse_unreadable_link(
    model: &'static ModelShape,
    links: &ModelLinks,
    link: &Bson,
) -> Result<()> {
    let read = links.shape.reads.map(|reads| reads(link.clone()));
    let Some(Err(reason)) = read else {
        return Ok(());
    };
    Err(Error::Declaration(format!(
        "`{}.{}` cannot decode the link {} of this document: {reason}; give the id in a link a type that every \
         `_id` of the collection has, or `AnyKey`, and further fields of a link a `#[serde(default)]`",
        model.name,
        links.array,
        mongosh::value(link),
    )))
}
