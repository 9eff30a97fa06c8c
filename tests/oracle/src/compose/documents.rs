//! Generates random documents, whose derived fields have outdated values.

use mongo_odm::bson::{Bson, DateTime, Document, doc};

use super::Compose;
use crate::{
    declaration::{About, By, CODE, Field, Form, Maintained, Missing, Reference, Scalar, What},
    naive::life::{OTHER, OWN, STORED},
};

impl Compose<'_> {
    /// Draws a document in the form in which serde writes it.
    pub(super) fn document(&mut self, model: usize, id: i64) -> Document {
        let all = self.all;
        let mut document = doc! { "_id": id };
        self.fill(&all.model(model).fields, &mut document);
        let code = all
            .model(model)
            .fields
            .iter()
            .find(|it| matches!(it.what, What::Code));
        if let Some(code) = code {
            document.insert(&code.stored, id + CODE);
        }
        document
    }

    fn key(&mut self, reference: &Reference) -> Bson {
        let code = if reference.by.is_some() { CODE } else { 0 };
        Bson::Int64(self.id(reference.to) + code)
    }

    fn subject(&mut self, about: &About) -> Bson {
        let reference = self.random.pick(&about.targets);
        doc! { "kind": About::variant(reference.to), "id": self.key(reference) }.into()
    }

    fn fill(&mut self, fields: &[Field], document: &mut Document) {
        for field in fields {
            match &field.what {
                What::Embed(embed) if embed.form == Form::Flat => {
                    self.fill(&embed.fields, document);
                }
                _ => {
                    if let Some(value) = self.value(field).filter(|it| !is_left_out(field, it)) {
                        document.insert(&field.stored, value);
                    }
                }
            }
        }
    }

    /// Draws a value for a field.
    pub(super) fn value(&mut self, field: &Field) -> Option<Bson> {
        let is_optional = matches!(field.missing, Missing::Null | Missing::Skipped);
        if is_optional && self.random.percent(30) {
            return Some(Bson::Null);
        }
        Some(match &field.what {
            What::Value(scalar) => self.scalar(*scalar),
            What::Key(reference) => self.key(reference),
            What::Code => return None,
            What::Maintained(kind) => self.maintained(*kind),
            What::Keys(_) | What::Texts(_) => self.elements(field),
            What::About(about) if about.is_many => self.elements(field),
            What::About(about) => self.subject(about),
            What::Embed(embed) if embed.form == Form::Many => self.elements(field),
            What::Embed(_) => self.part(field),
            What::Fold(fold) if fold.by == By::Average => {
                doc! { "sum": 7.0, "count": 7_i64 }.into()
            }
            What::Copy(_) | What::Fold(_) => self.outdated(field),
            What::Recent(_) | What::Follows(..) | What::Links(_) => Bson::Array(Vec::new()),
        })
    }

    /// Draws a value for a maintained field. It depends on the stored values at the time of the call.
    fn maintained(&mut self, kind: Maintained) -> Bson {
        match kind {
            Maintained::Version if self.random.percent(75) => STORED.into(),
            Maintained::Version => Bson::Int64(self.small()),
            Maintained::Tenant if self.random.percent(95) => OWN.into(),
            Maintained::Tenant => OTHER.into(),
            Maintained::CreatedAt | Maintained::UpdatedAt | Maintained::DeletedAt => {
                DateTime::from_millis(77).into()
            }
        }
    }

    fn elements(&mut self, field: &Field) -> Bson {
        let count = self
            .random
            .weighted(&[(2, 0), (3, 1), (3, 2), (1, 3), (1, 4)]);
        let elements: Vec<Bson> = (0..count).map(|_| self.element(field)).collect();
        elements.into()
    }

    /// Draws an element for an array.
    pub(super) fn element(&mut self, field: &Field) -> Bson {
        match &field.what {
            What::Keys(reference) => self.key(reference),
            What::About(about) => self.subject(about),
            What::Embed(_) => self.part(field),
            _ => self.scalar(Scalar::Text),
        }
    }

    fn part(&mut self, field: &Field) -> Bson {
        let What::Embed(embed) = &field.what else {
            return Bson::Null;
        };
        let mut part = Document::new();
        self.fill(&embed.fields, &mut part);
        part.into()
    }

    fn scalar(&mut self, scalar: Scalar) -> Bson {
        let number = i32::try_from(self.random.below(9)).unwrap_or(0);
        match scalar {
            Scalar::Text => Bson::String(format!("t{number}")),
            Scalar::Long => Bson::Int64(number.into()),
            Scalar::Int => Bson::Int32(number),
            Scalar::Double => Bson::Double(f64::from(number) / 2.0),
            Scalar::Flag => Bson::Boolean(number > 4),
        }
    }

    /// Returns a value that no source has.
    fn outdated(&mut self, field: &Field) -> Bson {
        match self.all.scalar(field) {
            Some(Scalar::Text) | None => "outdated".into(),
            Some(Scalar::Long) => Bson::Int64(77),
            Some(Scalar::Int) => Bson::Int32(77),
            Some(Scalar::Double) => Bson::Double(77.0),
            Some(Scalar::Flag) => Bson::Boolean(false),
        }
    }
}

/// Returns whether serde does not store the given value.
fn is_left_out(field: &Field, value: &Bson) -> bool {
    field.missing == Missing::Skipped && *value == Bson::Null
}
