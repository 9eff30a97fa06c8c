//! Rejects structs that contain declarations but are not embedded in any model, or only in a way that the library
//! cannot see.

use std::collections::HashSet;

use super::Problem;
use crate::model::{
    registry,
    shape::{FieldShape, ModelShape},
};

/// Finds structs that contain declarations but are not embedded in any model, neither directly nor inside another
/// struct.
pub(in crate::graph) fn find(models: &[&'static ModelShape]) -> Vec<Problem> {
    let mut reached = HashSet::new();
    for model in models {
        reach(model.fields, &mut reached);
    }
    let declaring = registry::embedded();
    let unreached = declaring.filter(|shape| !reached.contains((shape.type_name)()));
    let problem = |shape: &crate::model::shape::StructShape| Problem {
        collections: Vec::new(),
        message: format!(
            "`{0}` declares copies, bounds, indexes or delete rules, and no model has it in a field where the library \
             finds it, so that none of them is kept; derive `Embedded` for what is between a model and `{0}`, or remove \
             the attributes",
            shape.name
        ),
    };
    unreached.map(problem).collect()
}

fn reach(fields: &'static [FieldShape], reached: &mut HashSet<&'static str>) {
    let embedded = fields.iter().filter_map(|field| field.embed);
    for shape in embedded.map(|embed| embed()) {
        if reached.insert((shape.type_name)()) {
            reach(shape.fields, reached);
        }
    }
}
