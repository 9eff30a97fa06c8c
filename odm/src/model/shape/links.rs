//! The links of a model: the path of the array that stores the links, and the form of each link.

use mongodb::bson::{Bson, Document, doc};

use super::{FieldShape, KindShape, LinksShape, ModelShape, const_checks::same_text};

/// Describes links that are structs. The two names refer to the fields for the id and the kind, by their Rust names
/// or by their stored names.
pub const fn links_of(fields: &'static [FieldShape], target: &str, kind: &str) -> LinksShape {
    let [target, kind] = [stored(fields, target), stored(fields, kind)];
    // If one of the fields does not exist, an assertion reports the mistake.
    LinksShape::structs(or_empty(target), or_empty(kind))
}

/// Returns whether a field has the given Rust name or stored name.
pub const fn has_name(fields: &'static [FieldShape], name: &str) -> bool {
    stored(fields, name).is_some()
}

const fn stored(fields: &'static [FieldShape], name: &str) -> Option<&'static str> {
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        let field = &fields[at];
        if same_text(field.name, name) || same_text(field.stored, name) {
            return Some(field.stored);
        }
        at += 1;
    }
    None
}

const fn or_empty(name: Option<&'static str>) -> &'static str {
    match name {
        Some(name) => name,
        None => "",
    }
}

/// The links array of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelLinks {
    /// The stored name of the links array.
    pub(crate) array: &'static str,
    pub(crate) shape: LinksShape,
    pub(crate) kind: KindShape<'static>,
    pub(crate) max: Option<u32>,
}

/// Which documents store the links between documents of a model and other documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkEnds {
    /// Both the model's documents and the other documents.
    Both,
    /// Only the other documents (`one_sided`).
    Others,
}

impl ModelShape {
    /// Returns the links of the model. Only a model that has a kind can have links.
    pub(crate) fn links(&self) -> Option<ModelLinks> {
        let kind = self.kind?;
        let mut fields = self.fields.iter();
        fields.find_map(|field| {
            Some(ModelLinks {
                array: field.stored,
                shape: field.links?,
                kind,
                max: field.max,
            })
        })
    }
}

impl ModelLinks {
    /// Returns which documents store the links.
    pub(crate) const fn ends(&self) -> LinkEnds {
        if self.shape.one_sided {
            LinkEnds::Others
        } else {
            LinkEnds::Both
        }
    }

    /// Returns the stored path of the ids in the links.
    pub(crate) fn path(&self) -> String {
        match self.shape.target {
            "" => self.array.to_owned(),
            target => format!("{}.{target}", self.array),
        }
    }

    /// Returns the stored paths of the ids and kinds in the links, for messages.
    pub(crate) fn title(&self) -> String {
        let kind = self.shape.kind;
        let kind = kind.map(|kind| format!(" and {}.{kind}", self.array));
        format!("{}{}", self.path(), kind.unwrap_or_default())
    }

    /// Returns a filter that matches a document and all documents that link to this document.
    pub(crate) fn self_and_linked(&self, id: &Bson) -> Document {
        let Some(separator) = self.shape.separator else {
            // The condition requires `$eq`, because an id may be a document that begins with an operator.
            return doc! { self.path(): { "$eq": id } };
        };
        let own = doc! { self.array: id_text(id) };
        doc! { "$or": [own, self.child_key_range(id, separator)] }
    }

    /// Returns a filter for strings that begin with an id and the separator. The separator is necessary because "10"
    /// must not match "100/1".
    fn child_key_range(&self, id: &Bson, separator: &str) -> Document {
        let first = format!("{}{separator}", id_text(id));
        let mut end: Vec<char> = first.chars().collect();
        // The range ends before the first string that follows all strings with this prefix.
        if let Some(last) = end.pop() {
            // The next code point may be a surrogate, which is not a `char`. A range of `char`s skips surrogates.
            end.extend((last..=char::MAX).nth(1));
        }
        doc! { self.array: { "$gte": first, "$lt": end.into_iter().collect::<String>() } }
    }

    /// Returns the string that links a document to its parent. The string consists of the parent's id, the separator
    /// and the document's id.
    pub(crate) fn key(&self, parent: &Bson, id: &Bson) -> String {
        let separator = self.shape.separator.unwrap_or_default();
        format!("{}{separator}{}", id_text(parent), id_text(id))
    }

    /// Returns the parent's id from a string that links a document to its parent.
    pub(crate) fn parent_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        // The parent's id ends at the first separator, because an id that contains a separator is rejected when it
        // is stored (`own_key`).
        let (parent, _) = text.split_once(self.shape.separator?)?;
        Some(parent)
    }

    /// Returns the link that refers to a document of this model.
    pub(crate) fn link_to(&self, id: &Bson) -> Bson {
        if self.shape.separator.is_some() {
            return id_text(id).into();
        }
        let Some(kind) = self.shape.kind else {
            return id.clone();
        };
        doc! { self.shape.target: id.clone(), kind: self.kind.value }.into()
    }

    /// Returns a filter for documents that contain a link to a document of this model. The filter is a condition on a
    /// single element, so that both parts of the link narrow the index scan.
    pub(crate) fn condition(&self, id: Bson) -> Document {
        if let Some(separator) = self.shape.separator {
            return self.child_key_range(&id, separator);
        }
        let Some(kind) = self.shape.kind else {
            return doc! { self.array: { "$eq": id } };
        };
        let of_kind = KindShape {
            field: kind,
            ..self.kind
        };
        let mut link = doc! { self.shape.target: { "$eq": id } };
        link.extend(of_kind.condition());
        doc! { self.array: { "$elemMatch": link } }
    }

    /// Returns whether a link can refer to a document of this model, according to the kind in the link.
    pub(crate) fn may_link_to_model(&self, link: &Bson) -> bool {
        let (Some(kind), Some(link)) = (self.shape.kind, link.as_document()) else {
            return true;
        };
        self.kind.is_kind_of(link.get(kind))
    }

    /// Returns the kind to store in a link to a document of this model.
    ///
    /// The result is the kind of the model, or `None` if neither the document nor the link contains a kind.
    pub(crate) fn kind_of(&self, stored: Option<&Bson>, link: &Bson) -> Option<Bson> {
        let said = self
            .shape
            .kind
            .and_then(|kind| link.as_document()?.get(kind));
        let is_left_out = said.is_none() && stored.is_none() && self.kind.is_default;
        (!is_left_out).then(|| self.kind.value.into())
    }

    /// Returns the id that a link contains.
    pub(crate) fn target_of<'l>(&self, link: &'l Bson) -> Option<&'l Bson> {
        match (self.shape.target, link) {
            ("", id) => Some(id),
            (target, Bson::Document(link)) => link.get(target),
            _ => None,
        }
    }
}

/// Returns an id as a string.
pub(crate) fn id_text(id: &Bson) -> String {
    match id {
        Bson::String(text) => text.clone(),
        Bson::Int32(number) => number.to_string(),
        Bson::Int64(number) => number.to_string(),
        Bson::ObjectId(id) => id.to_hex(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static BOOK: ModelShape = ModelShape::new(
        "Book",
        "books",
        &[FieldShape::new("sc_id", "sc_id").links(LinksShape::prefix("/"))],
    )
    .kind(KindShape::new("docType", "book"));

    #[test]
    fn an_id_is_no_beginning_of_a_longer_one() {
        let links = BOOK.links().unwrap();
        let below = doc! { "sc_id": { "$gte": "10/", "$lt": "100" } };
        assert_eq!(links.condition(10.into()), below);
        let around = doc! { "$or": [{ "sc_id": "10" }, below] };
        assert_eq!(links.self_and_linked(&10.into()), around);
        let key = links.key(&202_356_i64.into(), &378.into());
        assert_eq!(key, "202356/378");
        assert_eq!(links.parent_in(&key), Some("202356"));
        assert_eq!(links.parent_in("202356"), None);
    }
}
