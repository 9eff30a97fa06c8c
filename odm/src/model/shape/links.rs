//! The links of a model: where they are, and what one of them looks like.

use mongodb::bson::{Bson, Document, doc};

use super::{FieldShape, KindShape, LinksShape, ModelShape, const_checks::same_text};

/// Describes links by the names of two fields of a link, which are those of the struct or those that are stored.
pub const fn links_of(fields: &'static [FieldShape], target: &str, kind: &str) -> LinksShape {
    let [target, kind] = [stored(fields, target), stored(fields, kind)];
    // Where one is missing, an assertion says so.
    LinksShape::structs(or_empty(target), or_empty(kind))
}

/// Whether a field has a name, in the struct or in documents.
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
    /// The stored name of the array.
    pub(crate) array: &'static str,
    pub(crate) shape: LinksShape,
    pub(crate) kind: KindShape,
    pub(crate) max: Option<u32>,
}

impl ModelShape {
    /// Returns the links of the model, which has a kind then.
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
    /// Returns the stored path of the ids in the links.
    pub(crate) fn path(&self) -> String {
        match self.shape.target {
            "" => self.array.to_owned(),
            target => format!("{}.{target}", self.array),
        }
    }

    /// Returns where the parts of a link are, for messages.
    pub(crate) fn title(&self) -> String {
        let kind = self.shape.kind;
        let kind = kind.map(|kind| format!(" and {}.{kind}", self.array));
        format!("{}{}", self.path(), kind.unwrap_or_default())
    }

    /// Returns the condition of a document and of all that link to it.
    pub(crate) fn self_and_linked(&self, id: &Bson) -> Document {
        let Some(separator) = self.shape.separator else {
            // `$eq`, because an id may be a document that begins with an operator.
            return doc! { self.path(): { "$eq": id } };
        };
        let own = doc! { self.array: id_text(id) };
        doc! { "$or": [own, self.child_key_range(id, separator)] }
    }

    /// Returns the condition of texts that begin with an id and the separator: "10" is no beginning of "100/1".
    fn child_key_range(&self, id: &Bson, separator: &str) -> Document {
        let first = format!("{}{separator}", id_text(id));
        let mut end: Vec<char> = first.chars().collect();
        // What comes after all that begins with it.
        if let Some(last) = end.pop() {
            // The next code may be a surrogate, which is not a char. A range of chars skips them.
            end.extend((last..=char::MAX).nth(1));
        }
        doc! { self.array: { "$gte": first, "$lt": end.into_iter().collect::<String>() } }
    }

    /// Returns the text that leads from a document to its parent.
    pub(crate) fn key(&self, parent: &Bson, id: &Bson) -> String {
        let separator = self.shape.separator.unwrap_or_default();
        format!("{}{separator}{}", id_text(parent), id_text(id))
    }

    /// Returns the id of the parent in a text.
    pub(crate) fn parent_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        // The first separator ends the parent: an id that contains one is rejected when it is stored (`own_key`).
        let (parent, _) = text.split_once(self.shape.separator?)?;
        Some(parent)
    }

    /// Returns the link that leads to a document of the model.
    pub(crate) fn link_to(&self, id: &Bson) -> Bson {
        if self.shape.separator.is_some() {
            return id_text(id).into();
        }
        let Some(kind) = self.shape.kind else {
            return id.clone();
        };
        doc! { self.shape.target: id.clone(), kind: self.kind.value }.into()
    }

    /// Returns the condition of documents that have a link to one of the model: by one element, so that the index bounds
    /// both parts of it.
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

    /// Whether a link leads to a document of the model, as far as its kind tells.
    pub(crate) fn may_link_to_model(&self, link: &Bson) -> bool {
        let (Some(kind), Some(link)) = (self.shape.kind, link.as_document()) else {
            return true;
        };
        match link.get(kind) {
            None | Some(Bson::Null) => self.kind.is_default,
            Some(stored) => stored.as_str() == Some(self.kind.value),
        }
    }

    /// Returns the kind that a link to a document of the model says: that of the model, or none where the document has
    /// none and the link says so as well.
    pub(crate) fn kind_of(&self, stored: Option<&Bson>, link: &Bson) -> Option<Bson> {
        let said = self
            .shape
            .kind
            .and_then(|kind| link.as_document()?.get(kind));
        let is_left_out = said.is_none() && stored.is_none() && self.kind.is_default;
        (!is_left_out).then(|| self.kind.value.into())
    }

    /// Returns the id in a link.
    pub(crate) fn target_of<'l>(&self, link: &'l Bson) -> Option<&'l Bson> {
        match (self.shape.target, link) {
            ("", id) => Some(id),
            (target, Bson::Document(link)) => link.get(target),
            _ => None,
        }
    }
}

/// Returns an id as it stands in a text.
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
