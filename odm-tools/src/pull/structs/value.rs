//! Chooses the types of fields that are not references.

use super::{Level, Place, Planner, Typed};
use crate::pull::{
    dbrefs,
    enums::{self, EnumPlan},
    ident, order, remarks, rest,
    targets::Target,
    tree::Node,
    types::of_value,
};

/// Largest depth of nested structs. Documents below this depth have the type `Document`.
const DEPTH: usize = 12;

impl Planner<'_, '_> {
    /// Returns the type of the values at a path. Nulls are ignored.
    pub(super) fn typed(&mut self, of: &str, stored: &str, node: &Node<'_>, place: Place) -> Typed {
        if let Some(texts) = enums::words(node) {
            let name = ident::joined(of, &ident::type_of_many(stored));
            let name = self.names.take([name]);
            let docs = self.docs(node);
            self.enums.push(EnumPlan::new(name.clone(), docs, &texts));
            return Typed::plain(name);
        }
        match node.survey.only_type() {
            Some("object") => self.embedded(of, stored, node, place),
            Some("array") => self.array(of, stored, node, place),
            _ => {
                let remark = remarks::of_texts(node).map(str::to_owned);
                let remarks = remark.into_iter().chain(remarks::mixed(node));
                Typed {
                    comments: remarks.collect(),
                    ..Typed::plain(of_value(node).unwrap_or("Bson"))
                }
            }
        }
    }

    fn docs(&self, node: &Node<'_>) -> String {
        let (path, collection) = (&node.survey.path, self.stub.collection);
        format!("What `{path}` holds in `{collection}`.")
    }

    fn array(&mut self, of: &str, stored: &str, node: &Node<'_>, place: Place) -> Typed {
        let Some(each) = &node.each else {
            return Typed {
                arrays: 1,
                ..Typed::plain("Vec<Bson>")
            };
        };
        let inner = self.typed(of, stored, each, place);
        Typed {
            text: format!("Vec<{}>", nullable(each, &inner.text)),
            arrays: inner.arrays + 1,
            ..inner
        }
    }

    fn embedded(&mut self, of: &str, stored: &str, node: &Node<'_>, place: Place) -> Typed {
        let below = Place {
            depth: place.depth + 1,
            ..place
        };
        if below.depth > DEPTH {
            return Typed::plain("Document");
        }
        if let Some(any) = &node.any {
            return self.map(of, stored, (node, any), below);
        }
        if let Some(key) = dbrefs::key(node) {
            return self.dbref(node, key);
        }
        if !node
            .fields
            .iter()
            .any(|(stored, _)| rest::is_storable(stored))
        {
            return Typed::plain("Document");
        }
        let one = ident::type_of_many(stored);
        let name = self.names.take([one.clone(), ident::joined(of, &one)]);
        let documents = node.survey.types.iter().find(|it| it.name == "object");
        let level = Level {
            documents: documents.map_or(0, |it| it.count),
            steps: &node.survey.steps,
            place: below,
        };
        let mut plan = self.plan(name.clone(), &node.fields, level);
        plan.docs.insert(0, self.docs(node));
        self.structs.push(plan);
        Typed {
            embedded: Some(self.structs.len() - 1),
            ..Typed::plain(name)
        }
    }

    /// Returns the type of documents that use values as field names. A `BTreeMap` would sort the names, so documents
    /// with unsorted names have the type `Document`. But if such documents contain structs, they become `BTreeMap`s
    /// with a comment, because a `Document` would lose the types of these structs.
    fn map(
        &mut self,
        of: &str,
        stored: &str,
        (node, any): (&Node<'_>, &Node<'_>),
        place: Place,
    ) -> Typed {
        let declared = (self.structs.len(), self.enums.len());
        let in_map = Place {
            in_map: true,
            ..place
        };
        let inner = self.typed(of, stored, any, in_map);
        let declares_none = declared == (self.structs.len(), self.enums.len());
        let map = format!("BTreeMap<String, {}>", nullable(any, &inner.text));
        let mut comments = inner.comments;
        let is_sorted = order::are_sorted(&self.stub.documents, &node.survey.steps);
        let is_document = !is_sorted && declares_none;
        if is_document {
            comments.push(format!(
                "The names are values in an order of their own; `{map}` would sort them."
            ));
        } else if !is_sorted {
            let why = "The names are values in an order of their own: a write sorts them.";
            comments.push(why.to_owned());
        }
        Typed {
            comments,
            ..Typed::plain(if is_document { "Document" } else { &map })
        }
    }

    fn dbref(&mut self, node: &Node<'_>, key: &Node<'_>) -> Typed {
        let found = self.targets.found(self.stub.collection, key);
        let target = found.and_then(|found| Target::of(found, key, self.stubs));
        let key = match target {
            Some(target) if target.field.is_none() => target.id_type,
            _ => of_value(key).unwrap_or("Bson").to_owned(),
        };
        let remark = dbrefs::remark(node, self.targets, self.stub.collection);
        Typed {
            comments: vec![remark],
            ..Typed::plain(format!("DbRef<{key}>"))
        }
    }
}

/// Wraps a type in an `Option` if some of the values are null.
fn nullable(node: &Node<'_>, inner: &str) -> String {
    if node.survey.nulls > 0 && inner != "Bson" {
        return format!("Option<{inner}>");
    }
    inner.to_owned()
}
