//! Converts the shapes of models to the data types of a schema.

mod derived;
mod reference;

use super::data::{
    CollectionSchema, FieldAddress, FieldSchema, ModelSchema, ReverseSchema, Schema,
};
use crate::{
    graph::StoredReference,
    index::desired_of_collection,
    model::shape::{FieldShape, ModelShape, StructShape},
    value::path::join,
};

/// Returns the models as data, sorted by collection and name.
pub(super) fn schema(models: &[&'static ModelShape]) -> Schema {
    let of_collections = models.chunk_by(|left, right| left.collection == right.collection);
    let collections = of_collections.filter_map(|of_collection| {
        let name = of_collection.first()?.collection;
        Some(CollectionSchema {
            name: name.to_owned(),
            models: of_collection.iter().map(|model| read(model)).collect(),
            indexes: desired_of_collection(models, name),
        })
    });
    Schema {
        collections: collections.collect(),
    }
}

fn read(model: &'static ModelShape) -> ModelSchema {
    let mut reader = Reader {
        model,
        references: StoredReference::of_each(&[model]),
        inside: Vec::new(),
    };
    let fields = reader.fields(model.fields, "");
    let has_many = model.has_many.iter().map(|relation| ReverseSchema {
        name: relation.name.to_owned(),
        of: address((relation.target)(), (relation.path)()),
        single: relation.single,
    });
    ModelSchema {
        name: model.name.to_owned(),
        kind: model.kind,
        shard_key: model.shard_key_paths().collect(),
        fields,
        has_many: has_many.collect(),
    }
}

fn address(model: &ModelShape, path: String) -> FieldAddress {
    FieldAddress {
        collection: model.collection.to_owned(),
        model: model.name.to_owned(),
        path,
    }
}

/// The state of a walk through the fields of a model.
struct Reader {
    model: &'static ModelShape,
    references: Vec<StoredReference>,
    /// The structs around the current field, each with its name and its type name.
    inside: Vec<(&'static str, &'static str)>,
}

impl Reader {
    fn fields(&mut self, fields: &'static [FieldShape], prefix: &str) -> Vec<FieldSchema> {
        let mut found = Vec::new();
        for shape in fields {
            let embed = embedded(shape);
            match (shape.flatten, embed) {
                // A flattened struct is replaced by its fields.
                (true, Some(embed)) => {
                    found.extend(self.inside(embed, prefix).unwrap_or_default());
                }
                (_, embed) => found.push(self.field(shape, embed, prefix)),
            }
        }
        found
    }

    fn field(
        &mut self,
        shape: &'static FieldShape,
        embed: Option<&'static StructShape>,
        prefix: &str,
    ) -> FieldSchema {
        let stored = if shape.flatten { "*" } else { shape.stored };
        let path = join(prefix, stored);
        let fields = embed.map(|embed| self.inside(embed, &path));
        let references = self.references.iter().filter(|it| it.path() == path);
        FieldSchema {
            name: shape.name.to_owned(),
            stored: stored.to_owned(),
            rust_type: shape.written.to_owned(),
            codec: shape.codec.map(ToOwned::to_owned),
            array: shape.array,
            // The bound of a recent list is its limit, which is part of `derived`.
            max: shape.max.filter(|_| shape.recent_shape().is_none()),
            embeds: embed.map(|embed| embed.name.to_owned()),
            recursive: matches!(fields, Some(None)),
            fields: fields.flatten().unwrap_or_default(),
            references: references.flat_map(reference::references).collect(),
            derived: derived::derived(self.model, shape, &path),
            links: shape.links,
            path,
        }
    }

    /// Lists the fields of a struct. Returns `None` if the walk is already inside that struct,
    /// because the struct embeds itself.
    fn inside(&mut self, embed: &'static StructShape, path: &str) -> Option<Vec<FieldSchema>> {
        let identity = (embed.name, (embed.type_name)());
        if self.inside.contains(&identity) {
            return None;
        }
        self.inside.push(identity);
        let fields = self.fields(embed.fields, path);
        self.inside.pop();
        Some(fields)
    }
}

/// Returns the struct that a field contains: the embedded struct, or the struct in a recent list.
fn embedded(shape: &FieldShape) -> Option<&'static StructShape> {
    let line = || shape.recent_shape().and_then(|recent| (recent.line)());
    shape.embed.map(|embed| embed().shape).or_else(line)
}
