//! Declarations as data: models, their fields, and the sources of derived fields.

/// Some models that refer to one another.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The seed that it was drawn from, and what was removed since.
    pub name: String,
    /// The module and the prefix of its collections: `d17`.
    pub prefix: String,
    /// The models; their position is their number.
    pub models: Vec<Model>,
}

/// By how much a code is larger than the id; ids are smaller.
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
    /// The least id, so that models of one collection have different ones.
    pub first_id: i64,
    /// Whether serde renames all fields to camel case.
    pub is_camel: bool,
    /// The name of the number that hooks limit to [`MOST`]; none for a model without hooks.
    pub hook: Option<String>,
    /// All fields but the id.
    pub fields: Vec<Field>,
}

/// The largest number that the hooks of a model let through.
pub const MOST: i64 = 5;

/// One field of a model or of an embedded struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name in Rust, unique in the model.
    pub name: String,
    /// The name in documents.
    pub stored: String,
    /// What a document without a value has.
    pub missing: Missing,
    /// What the field holds.
    pub what: What,
}

/// How a field is stored that has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It always has a value.
    Never,
    /// As null: an `Option`.
    Null,
    /// Not at all: an `Option` with `skip_serializing_if`.
    Skipped,
    /// With `#[serde(default)]`: an empty value, which documents may lack.
    Default,
}

/// What a field holds.
#[derive(Clone, Debug)]
pub enum What {
    /// A value of the user.
    Value(Scalar),
    /// A unique number by which others refer to the document: the id and [`CODE`].
    Code,
    /// An array of texts.
    Texts(Option<usize>),
    /// A reference to one document.
    Key(Reference),
    /// An array of references.
    Keys(Reference),
    /// An embedded struct, or an array of them.
    Embed(Embed),
    /// A copy.
    Copy(CopyOf),
    /// What is computed of children.
    Fold(Fold),
    /// The last of the children.
    Recent(Recent),
    /// The array of a two-way reference that follows a single reference: the child and its field.
    Follows(Child, Option<usize>),
    /// A reference to documents of several models, or an array of them.
    About(About),
    /// Links to documents of the collection; whether others alone hold them.
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

/// Where a reference leads to, and its rules.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The number of the target.
    pub to: usize,
    /// The field that the keys are those of; the id without it.
    pub by: Option<String>,
    /// What a delete of the target does.
    pub rule: Rule,
    /// Whether a key without a document is refused.
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
    /// Where each variant leads to.
    pub targets: Vec<Reference>,
    /// Whether it is an array.
    pub is_many: bool,
    /// Whether a key without a document is refused.
    pub exists: bool,
    /// The bound of the array.
    pub max: Option<usize>,
}

impl About {
    /// Returns the name of the variant that leads to a model, which is stored as its kind.
    pub fn variant(to: usize) -> String {
        format!("To{to}")
    }
}

/// The rule of a reference for deletes.
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
    /// How many there are.
    pub form: Form,
    /// Whether the field stands for the reference in it: `#[refs(many)]`.
    pub refers: bool,
    /// The fields.
    pub fields: Vec<Field>,
}

/// How often a struct is embedded.
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
    /// Whether it never changes.
    pub snapshot: bool,
    /// Whether it becomes null with the delete of the source.
    pub nullify: bool,
}

/// How the source of a copy is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Via {
    /// By the reference beside the copy, of this name.
    Beside(String),
    /// By the reference of this name in the source, which leads to the document with the copy.
    Source(String),
}

/// The field of a child by which it refers to its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The number of the model.
    pub model: usize,
    /// The name of the reference.
    pub via: String,
}

/// A number that is computed of children.
#[derive(Clone, Debug)]
pub struct Fold {
    /// Whose fields are folded.
    pub of: Child,
    /// How.
    pub by: By,
    /// Of which field; none for a count.
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

/// A list of the last children.
#[derive(Clone, Debug)]
pub struct Recent {
    /// Of whom.
    pub of: Child,
    /// By which field they are ordered.
    pub sort: String,
    /// Whether the newest comes first.
    pub desc: bool,
    /// How many.
    pub limit: usize,
    /// The name of the struct of an element.
    pub element: String,
    /// Whether an element has the id.
    pub has_id: bool,
    /// The fields of an element.
    pub fields: Vec<String>,
}

impl Declaration {
    /// Returns a model by its number.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn model(&self, number: usize) -> &Model {
        &self.models[number]
    }

    /// Returns the type of the values of a field, that of its source for a copy; none for what is no scalar.
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
    /// Returns the field with links.
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

    /// Returns a field by its name.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn field(&self, name: &str) -> &Field {
        let found = self.fields.iter().find(|field| field.name == name);
        found.unwrap_or_else(|| panic!("{} has no field {name}", self.name))
    }
}

impl Field {
    /// Returns the reference that the field is or stands for.
    pub fn reference(&self) -> Option<&Reference> {
        match &self.what {
            What::Key(reference) | What::Keys(reference) => Some(reference),
            What::Embed(embed) if embed.refers => embed.fields.iter().find_map(Self::reference),
            _ => None,
        }
    }

    /// Returns whether the library alone writes the field.
    pub const fn is_derived(&self) -> bool {
        match &self.what {
            What::Copy(copy) => !copy.snapshot,
            What::Fold(_) | What::Recent(_) | What::Follows(..) => true,
            _ => false,
        }
    }
}
