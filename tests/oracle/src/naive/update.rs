//! Updates: the effect of each operator on a document.

use mongo_odm::bson::{Bson, Document};

use super::{Doing, Refusal, life};
use crate::{
    declaration::{Field, Missing, What},
    derive::order,
    program::{Change, Follow, Operator},
    world::each_struct,
};

/// The error for an update whose effect is not documented.
#[derive(Debug)]
pub struct Unclear;

impl Doing<'_> {
    /// Lists the ids of the documents that match a filter, in their order.
    pub(super) fn matching(&self, filter: &Document) -> Vec<i64> {
        let mut matching = self.matching_all(filter);
        matching.retain(|id| self.visible(*id).is_some());
        matching
    }

    /// Lists the ids of the documents that match a filter, even if they are deleted.
    pub(super) fn matching_all(&self, filter: &Document) -> Vec<i64> {
        let matching = self
            .world
            .of(self.model)
            .filter(|(_, document)| fits(filter, document));
        matching.map(|(id, _)| id).collect()
    }

    pub(super) fn update(&mut self, id: i64, changes: &[Change]) -> Result<(), Refusal> {
        let Some(mut document) = self.visible(id).cloned() else {
            return Ok(());
        };
        for change in &self.after_hook(changes) {
            self.change(&mut document, change)?;
        }
        if !changes.is_empty() {
            life::touch(self.all.model(self.model), &mut document);
        }
        self.put(id, &document);
        Ok(())
    }

    pub(super) fn upsert(&mut self, id: i64, changes: &[Change]) -> Result<(), Refusal> {
        let is_new = self.visible(id).is_none();
        if let Some(refusal) = self.hidden(id).filter(|_| is_new) {
            return Err(refusal);
        }
        let applied = changes
            .iter()
            .filter(|it| is_new || it.operator != Operator::SetOnInsert);
        if !is_new {
            return self.update(id, &applied.cloned().collect::<Vec<_>>());
        }
        let mut document = Document::from_iter([("_id".to_owned(), Bson::Int64(id))]);
        for change in applied {
            self.change(&mut document, change)?;
        }
        self.insert(&document)
    }

    fn change(&self, document: &mut Document, change: &Change) -> Result<(), Unclear> {
        let stored = change.stored.as_str();
        let value = change.value.clone();
        let before = document.get(stored).cloned();
        match change.operator {
            Operator::Set | Operator::SetOnInsert if self.leaves_out(change) => {
                document.remove(stored);
            }
            Operator::Set | Operator::SetOnInsert => _ = document.insert(stored, value),
            Operator::Unset => _ = document.remove(stored),
            Operator::Inc => _ = document.insert(stored, arithmetic(before, value, true)?),
            Operator::Mul => _ = document.insert(stored, arithmetic(before, value, false)?),
            Operator::Min | Operator::Max => {
                let is_min = change.operator == Operator::Min;
                let Some(before) = before else {
                    return Err(Unclear);
                };
                let is_larger = order(&before, &value).is_gt();
                if is_larger == is_min {
                    document.insert(stored, value);
                }
            }
            _ => return self.change_array(document, change),
        }
        Ok(())
    }

    /// Returns whether a change sets a field to null although serde does not store a null in this field.
    fn leaves_out(&self, change: &Change) -> bool {
        let field = self.all.model(self.model).field(&change.field);
        change.value == Bson::Null && field.missing == Missing::Skipped
    }

    fn change_array(&self, document: &mut Document, change: &Change) -> Result<(), Unclear> {
        let field = self.all.model(self.model).field(&change.field);
        let mut array = match document.get(&change.stored) {
            Some(Bson::Array(array)) => array.clone(),
            None => Vec::new(),
            Some(_) => return Err(Unclear),
        };
        let is_same = |it: &Bson| identity(field, it) == identity(field, &change.value);
        match change.operator {
            // An element with a stale copy is not equal. The naive model does not store which copies are stale.
            Operator::AddToSet if array.contains(&self.with_copies(field, &change.value)) => {}
            Operator::AddToSet if array.iter().any(is_same) => return Err(Unclear),
            Operator::Push | Operator::AddToSet => {
                array.push(self.new_element(field, &change.value));
            }
            Operator::Pull => array.retain(|it| !is_same(it)),
            Operator::PopLast => _ = array.pop(),
            Operator::PopFirst if !array.is_empty() => _ = array.remove(0),
            _ => {}
        }
        document.insert(&change.stored, array);
        Ok(())
    }

    /// Returns an element with the current values of its copies' sources.
    fn with_copies(&self, field: &Field, element: &Bson) -> Bson {
        let (What::Embed(embed), Bson::Document(element)) = (&field.what, element) else {
            return element.clone();
        };
        let mut element = element.clone();
        each_struct(&embed.fields, &mut element, &mut |fields, part| {
            self.fill(fields, part, |_| true);
        });
        element.into()
    }

    fn new_element(&self, field: &Field, element: &Bson) -> Bson {
        let (What::Embed(embed), Bson::Document(element)) = (&field.what, element) else {
            return element.clone();
        };
        let mut element = element.clone();
        if self.follow != Follow::KeepSnapshots {
            each_struct(&embed.fields, &mut element, &mut |fields, part| {
                self.take_in(fields, part);
            });
        }
        element.into()
    }
}

/// Returns an element without its copies, for comparisons.
fn identity(field: &Field, element: &Bson) -> Bson {
    let (What::Embed(embed), Bson::Document(element)) = (&field.what, element) else {
        return element.clone();
    };
    let mut element = element.clone();
    each_struct(&embed.fields, &mut element, &mut |fields, part| {
        let follows = |it: &&Field| matches!(&it.what, What::Copy(copy) if !copy.snapshot);
        for copy in fields.iter().filter(follows) {
            part.remove(&copy.stored);
        }
    });
    element.into()
}

/// Adds or multiplies numbers with the result types of the server.
fn arithmetic(before: Option<Bson>, by: Bson, adds: bool) -> Result<Bson, Unclear> {
    let Some(before) = before else {
        return if adds { Ok(by) } else { Err(Unclear) };
    };
    match (before, by) {
        (Bson::Int32(a), Bson::Int32(b)) => Ok(Bson::Int32(if adds { a + b } else { a * b })),
        (Bson::Int64(a), Bson::Int64(b)) => Ok(Bson::Int64(if adds { a + b } else { a * b })),
        (Bson::Int64(a), Bson::Int32(b)) => Ok(Bson::Int64(if adds {
            a + i64::from(b)
        } else {
            a * i64::from(b)
        })),
        (Bson::Double(a), Bson::Double(b)) => Ok(Bson::Double(if adds { a + b } else { a * b })),
        (Bson::Double(a), Bson::Int32(b)) => Ok(Bson::Double(if adds {
            a + f64::from(b)
        } else {
            a * f64::from(b)
        })),
        _ => Err(Unclear),
    }
}

/// Returns whether a document matches a filter with equalities, `$gte` and `$in`.
fn fits(filter: &Document, document: &Document) -> bool {
    filter.iter().all(|(name, condition)| {
        let value = document.get(name);
        let Bson::Document(condition) = condition else {
            return value == Some(condition);
        };
        condition.iter().all(
            |(operator, operand)| match (operator.as_str(), operand, value) {
                ("$gte", Bson::Int64(least), Some(Bson::Int64(value))) => value >= least,
                ("$in", Bson::Array(all), Some(value)) => all.contains(value),
                _ => false,
            },
        )
    })
}
