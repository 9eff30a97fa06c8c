//! Declarations as data: models, their fields, and the sources of derived fields.

/// Models that refer to one another.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The seed that the declaration was drawn from, and the parts that were removed since.
    pub name: String,
    /// The name of the module, which is also the prefix of its collections: `d17`.
    pub prefix: String,
    /// The models. The position of a model is its number.
    pub models: Vec<Model>,
}

/// Difference between the code and the id of a document. All ids are smaller than this number.
pub const CODE: i64 = 100;

/// One model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name of the struct: `D17M0`.
    pub name: String,
    /// The collection.
    pub collection: String,
    /// The value of the field `kind`, for models that share a collection.
    pub kind: Option<String>,
    /// The smallest id. It differs between the models of a collection, so that their ids differ.
    pub first_id: i64,
    /// Whether serde renames all fields to camel case.
    pub is_camel: bool,
    /// The name of the numeric field that hooks limit to [`MOST`]; `None` for a model without hooks.
    pub hook: Option<String>,
    /// All fields except the id.
    pub fields: Vec<Field>,
}

/// The largest number that the hooks of a model accept.
pub const MOST: i64 = 5;

/// One field of a model or of an embedded struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name in Rust, unique in the model.
    pub name: String,
    /// The name in documents.
    pub stored: String,
    /// How a document stores the field if it has no value.
    pub missing: Missing,
    /// The type and purpose of the field.
    pub what: What,
}

/// How a document stores a field that has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The field always has a value.
    Never,
    /// As null: the field is an `Option`.
    Null,
    /// Not at all: the field is an `Option` with `skip_serializing_if`.
    Skipped,
    /// As an empty value; documents may lack the field because it has `#[serde(default)]`.
    Default,
}

/// The type and purpose of a field.
#[derive(Clone, Debug)]
pub enum What {
    /// A value that the user sets.
    Value(Scalar),
    /// A unique number by which other documents refer to the document: the id plus [`CODE`].
    Code,
    /// An array of strings, and its bound.
    Texts(Option<usize>),
    /// A reference to one document.
    Key(Reference),
    /// An array of references.
    Keys(Reference),
    /// An embedded struct, or an array of them.
    Embed(Embed),
    /// A copy.
    Copy(CopyOf),
    /// A summary of the document's children.
    Fold(Fold),
    /// A recent list of the document's children.
    Recent(Recent),
    /// The array of a two-way reference whose other end is a single reference: the child with this reference, and the
    /// bound.
    Follows(Child, Option<usize>),
    /// A reference to documents of several models, or an array of them.
    About(About),
    /// Links to documents of the same collection, and whether the model is `one_sided`, so that only other documents
    /// store them.
    Links(bool),
    /// A field that the library maintains.
    Maintained(Maintained),
}

/// A field that the library maintains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words of the attributes")]
pub enum Maintained {
    CreatedAt,
    UpdatedAt,
    Version,
    DeletedAt,
    Tenant,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `String`
    Text,
    /// `i64`
    Long,
    /// `i32`
    Int,
    /// `f64`
    Double,
    /// `bool`
    Flag,
}

/// A reference's target and rules.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The number of the target.
    pub to: usize,
    /// The field of the target that the reference stores; `None` for the id.
    pub by: Option<String>,
    /// The delete rule.
    pub rule: Rule,
    /// Whether the library rejects a key without a document.
    pub exists: bool,
    /// The field of the target that refers back.
    pub inverse: Option<String>,
    /// The bound of an array.
    pub max: Option<usize>,
}

/// A reference to documents of several models.
#[derive(Clone, Debug)]
pub struct About {
    /// The name of the enum: `D17M2A9`.
    pub name: String,
    /// The target of each variant.
    pub targets: Vec<Reference>,
    /// Whether it is an array.
    pub is_many: bool,
    /// Whether the library rejects a key without a document.
    pub exists: bool,
    /// The bound of the array.
    pub max: Option<usize>,
}

impl About {
    /// Returns the name of the variant that refers to a model. Documents store this name as the target's kind.
    pub fn variant(to: usize) -> String {
        format!("To{to}")
    }
}

/// The delete rule of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words of the attribute")]
pub enum Rule {
    Keep,
    Restrict,
    Cascade,
    Nullify,
    Pull,
}

/// An embedded struct.
#[derive(Clone, Debug)]
pub struct Embed {
    /// The name of the struct: `D17M0L1`.
    pub name: String,
    /// How the struct is embedded.
    pub form: Form,
    /// Whether the field represents the reference in the struct: `#[refs(many)]`.
    pub refers: bool,
    /// The fields.
    pub fields: Vec<Field>,
}

/// How a struct is embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words say it")]
pub enum Form {
    One,
    Many,
    Flat,
}

/// A copy of a field of another document.
#[derive(Clone, Debug)]
pub struct CopyOf {
    /// How the source is found.
    pub via: Via,
    /// The number of the model of the source.
    pub model: usize,
    /// The field that is copied.
    pub field: String,
    /// Whether the copy is a snapshot.
    pub snapshot: bool,
    /// Whether the copy becomes null when its source is deleted.
    pub nullify: bool,
}

/// How the source of a copy is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Via {
    /// By the reference with this name, which is in the same struct as the copy.
    Beside(String),
    /// By the reference with this name in the source. It refers to the document that contains the copy.
    Source(String),
}

/// The reference of a child to its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The number of the model.
    pub model: usize,
    /// The name of the reference.
    pub via: String,
}

/// A summary over the children of a document.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The children, by their reference to the parent.
    pub of: Child,
    /// The operation.
    pub by: By,
    /// The field of the children that is folded; `None` for a count.
    pub field: Option<String>,
}

/// How numbers are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words of the attribute")]
pub enum By {
    Count,
    Sum,
    Average,
    Min,
    Max,
}

/// A recent list.
#[derive(Clone, Debug)]
pub struct Recent {
    /// The children, by their reference to the parent.
    pub of: Child,
    /// The field by which the children are sorted.
    pub sort: String,
    /// Whether the newest comes first.
    pub desc: bool,
    /// Maximum length of the list.
    pub limit: usize,
    /// The name of the struct of the elements.
    pub element: String,
    /// Whether the elements contain the id.
    pub has_id: bool,
    /// The other fields of the elements.
    pub fields: Vec<String>,
}

impl Declaration {
    /// Returns a model by its number.
    ///
    /// # Panics
    ///
    /// If no model has this number.
    pub fn model(&self, number: usize) -> &Model {
        &self.models[number]
    }

    /// Returns the type of a field's values, or of its source's values if the field is a copy; `None` if they are not
    /// scalar.
    pub fn scalar(&self, field: &Field) -> Option<Scalar> {
        match &field.what {
            What::Value(scalar) => Some(*scalar),
            What::Copy(copy) => self.scalar(self.model(copy.model).field(&copy.field)),
            What::Fold(fold) => match (fold.by, &fold.field) {
                (By::Count, _) => Some(Scalar::Long),
                (By::Average, _) | (_, None) => None,
                (by, Some(of)) => {
                    let of = self.scalar(self.model(fold.of.model).field(of))?;
                    let is_wide = by == By::Sum && of == Scalar::Int;
                    Some(if is_wide { Scalar::Long } else { of })
                }
            },
            _ => None,
        }
    }
}

impl Model {
    /// Returns the field with links, and whether the model is `one_sided`.
    pub fn links(&self) -> Option<(&Field, bool)> {
        self.fields.iter().find_map(|field| match field.what {
            What::Links(is_one_sided) => Some((field, is_one_sided)),
            _ => None,
        })
    }

    /// Returns the stored name of a field that the library maintains.
    pub fn maintained(&self, kind: Maintained) -> Option<&str> {
        let is_it = |field: &&Field| matches!(field.what, What::Maintained(it) if it == kind);
        let field = self.fields.iter().find(is_it)?;
        Some(&field.stored)
    }

    /// Returns the field with the given name.
    ///
    /// # Panics
    ///
    /// If the model has no such field.
    pub fn field(&self, name: &str) -> &Field {
        let found = self.fields.iter().find(|field| field.name == name);
        found.unwrap_or_else(|| panic!("{} has no field {name}", self.name))
    }
}

impl Field {
    /// Returns the reference that the field is or represents.
    pub fn reference(&self) -> Option<&Reference> {
        match &self.what {
            What::Key(reference) | What::Keys(reference) => Some(reference),
            What::Embed(embed) if embed.refers => embed.fields.iter().find_map(Self::reference),
            _ => None,
        }
    }

    /// Returns whether only the library writes the field.
    pub const fn is_derived(&self) -> bool {
        match &self.what {
            What::Copy(copy) => !copy.snapshot,
            What::Fold(_) | What::Recent(_) | What::Follows(..) => true,
            _ => false,
        }
    }
}
