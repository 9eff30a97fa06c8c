//! Generates random updates.

use mongo_odm::bson::{Bson, doc};

use super::Compose;
use crate::{
    declaration::{Field, Form, Missing, Scalar, What},
    program::{Change, Operator, Write},
};

impl Compose<'_> {
    /// Draws an update of one to three fields.
    pub(super) fn changes(&mut self, model: usize) -> Vec<Change> {
        let all = self.all;
        let is_changed = |field: &&Field| is_changeable(field) && !matches!(field.what, What::Code);
        let fields: Vec<&Field> = all.model(model).fields.iter().filter(is_changed).collect();
        let mut changes: Vec<Change> = Vec::new();
        for _ in 0..self.random.weighted(&[(5, 1), (3, 2), (1, 3)]) {
            let field = *self.random.pick(&fields);
            if changes.iter().all(|it| it.field != field.name) {
                changes.push(self.change(field));
            }
        }
        changes
    }

    /// Draws a pipeline that sets one to three fields.
    pub(super) fn pipeline(&mut self, model: usize, id: i64) -> Write {
        let mut sets = self.changes(model);
        let all = self.all;
        sets.retain_mut(|it| {
            let field = all.model(model).field(&it.field);
            it.operator = Operator::Set;
            it.plain = None;
            it.value = self.value(field).unwrap_or(Bson::Null);
            // Serde does not store a null in such a field.
            !(field.missing == Missing::Skipped && it.value == Bson::Null)
        });
        if sets.is_empty() {
            return Write::Delete(id);
        }
        Write::Pipeline(id, sets)
    }

    fn change(&mut self, field: &Field) -> Change {
        let operator = self.operator(field);
        let value = match operator {
            Operator::Push | Operator::AddToSet | Operator::Pull => self.element(field),
            Operator::Unset => Bson::String(String::new()),
            Operator::PopFirst => Bson::Int32(-1),
            Operator::PopLast => Bson::Int32(1),
            _ => self.value(field).unwrap_or(Bson::Null),
        };
        // Serde does not store a null in such a field.
        let plain =
            self.random.percent(25) && operator != Operator::Pull && operator != Operator::AddToSet;
        let plain = plain && !(field.missing == Missing::Skipped && value == Bson::Null);
        let (name, stored) = (operator.name(), field.stored.as_str());
        let plain = plain.then(|| doc! { name: { stored: value.clone() } });
        Change {
            operator,
            field: field.name.clone(),
            stored: field.stored.clone(),
            value,
            plain,
        }
    }

    fn operator(&mut self, field: &Field) -> Operator {
        let is_number = matches!(
            field.what,
            What::Value(Scalar::Long | Scalar::Int | Scalar::Double)
        );
        let mut operators = vec![Operator::Set, Operator::Set];
        match (&field.what, field.missing) {
            (What::Texts(_) | What::Keys(_), _) => operators.extend(ARRAY),
            (What::About(about), _) if about.is_many => operators.extend(ARRAY),
            (What::Embed(embed), _) if embed.form == Form::Many => operators.extend(ARRAY),
            (_, Missing::Never) if is_number => {
                operators.extend([Operator::Inc, Operator::Mul, Operator::Min, Operator::Max]);
            }
            (_, Missing::Never) => {}
            _ => operators.push(Operator::Unset),
        }
        *self.random.pick(&operators)
    }

    /// Draws changes that set all fields, so that an upsert creates a complete document.
    pub(super) fn whole(&mut self, model: usize, id: i64) -> Vec<Change> {
        let all = self.all;
        let document = self.document(model, id);
        let fields = all
            .model(model)
            .fields
            .iter()
            .filter(|it| is_changeable(it));
        fields
            .filter_map(|field| {
                let value = document.get(&field.stored)?.clone();
                let always = self.random.percent(50);
                let operator = if always {
                    Operator::Set
                } else {
                    Operator::SetOnInsert
                };
                let (field, stored) = (field.name.clone(), field.stored.clone());
                Some(Change {
                    operator,
                    field,
                    stored,
                    value,
                    plain: None,
                })
            })
            .collect()
    }
}

const ARRAY: [Operator; 7] = [
    Operator::Push,
    Operator::Push,
    Operator::AddToSet,
    Operator::Pull,
    Operator::Pull,
    Operator::PopFirst,
    Operator::PopLast,
];

/// Returns whether an update may name a field.
fn is_changeable(field: &Field) -> bool {
    let is_flat = matches!(&field.what, What::Embed(embed) if embed.form == Form::Flat);
    !field.is_derived()
        && !is_flat
        && !matches!(
            field.what,
            What::Copy(_) | What::Links(_) | What::Maintained(_)
        )
}
