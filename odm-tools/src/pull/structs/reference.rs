//! Declares fields as references.

use super::{FieldPlan, Place, Planner, Typed};
use crate::{
    pull::{bounds::bound, ident, targets::Target, tree::Node, types::of_value},
    survey::{ReferenceSurvey, is_sure},
};

impl Planner<'_, '_> {
    /// Declares a field as a reference if the survey has found a reference at its path and an attribute can declare the
    /// reference. In other cases, only adds comments.
    pub(super) fn reference(
        &mut self,
        field: &mut FieldPlan,
        node: &Node<'_>,
        place: Place,
    ) -> Option<Typed> {
        let (keys, is_many) = match &node.each {
            Some(each) => (&**each, true),
            None => (node, false),
        };
        let collection = self.stub.collection;
        field
            .comments
            .extend(self.targets.doubt(collection, keys, is_many));
        field.comments.extend(self.targets.copy(collection, keys));
        let found = self.targets.found(collection, keys)?;
        let is_declared =
            !place.in_map && !(is_many && (keys.survey.nulls > 0 || node.survey.types.len() > 1));
        let target = Target::of(found, keys, self.stubs);
        let target = target.filter(|_| is_declared);
        field.comments.extend(share(found, target.is_some()));
        let target = target?;
        let base = match &target.field {
            Some(_) => of_value(keys)?.to_owned(),
            None => target.id_type.clone(),
        };
        let max = is_many.then(|| bound(&mut field.comments, node)).flatten();
        field
            .attributes
            .push(attribute(&target, is_many, max, place.depth));
        field.target = Some(target.model);
        let text = if is_many {
            format!("Vec<{base}>")
        } else {
            base.clone()
        };
        Some(Typed {
            text,
            base,
            arrays: usize::from(is_many),
            ..Typed::default()
        })
    }
}

fn attribute(target: &Target, is_many: bool, max: Option<u64>, depth: usize) -> String {
    let mut options = Vec::new();
    let word = match (is_many, depth) {
        (true, _) => {
            options.push("many".to_owned());
            "refs"
        }
        (false, 0) => "parent_ref",
        (false, _) => {
            options.push("one".to_owned());
            "refs"
        }
    };
    if let Some(key) = &target.field {
        let to = ident::quoted(&format!("{}.{key}", target.model));
        options.push(format!("to = {to}"));
    }
    options.extend(max.map(|max| format!("max = {max}")));
    if options.is_empty() {
        return word.to_owned();
    }
    format!("{word}({})", options.join(", "))
}

/// Returns a comment about the share of the values that exist in the target. The comment is written if at least 10 % of
/// the values are dangling, if other collections also contain the values, or if no attribute can declare the reference.
fn share(found: &ReferenceSurvey, is_declared: bool) -> Option<String> {
    let asked = found.asked;
    let rivals = found.rivals.iter();
    let rivals = rivals.map(|it| format!("`{}` of `{}` ({})", it.key, it.target, it.found));
    let rivals = rivals.collect::<Vec<_>>().join(", ");
    let own = format!(
        "{} of {asked} values are `{}` of `{}`",
        found.found, found.key, found.target
    );
    match (is_declared, rivals.is_empty()) {
        (true, true) if is_sure(found.found, asked) => None,
        (true, true) => Some(format!("{own}; the others lead to no collection.")),
        (true, false) => Some(format!("{own}; the same values are also {rivals}.")),
        (false, true) => Some(format!("{own}, which no attribute can say here.")),
        (false, false) => Some(format!(
            "{own}, which no attribute can say here; they are also {rivals}."
        )),
    }
}
