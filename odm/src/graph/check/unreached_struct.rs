//! Rejects structs that contain declarations but are not embedded in any model, or only behind a container or codec
//! that hides them from the library.

use std::collections::HashSet;

use super::Problem;
use crate::model::{
    registry,
    shape::{FieldShape, ModelShape, StructShape},
};

/// Finds structs that contain declarations but are not embedded in any model, neither directly nor inside another
/// struct. Also finds fields that contain such a struct in a container that hides it.
pub(in crate::graph) fn find(models: &[&'static ModelShape]) -> Vec<Problem> {
    let mut found = Found::default();
    for model in models {
        found.reach(model.name, model.fields);
    }
    let Found { reached, hidden } = found;
    let declaring = registry::embedded();
    let unreached = declaring.filter(|shape| !reached.contains((shape.type_name)()));
    let unreached = unreached.map(|shape| {
        format!(
            "`{0}` declares copies, bounds, indexes or delete rules, and no model has it in a field where the library \
             finds it, so that none of them is kept; derive `Embedded` for what is between a model and `{0}`, or remove \
             the attributes",
            shape.name
        )
    });
    let problem = |message| Problem {
        collections: Vec::new(),
        message,
    };
    unreached.chain(hidden).map(problem).collect()
}

#[derive(Default)]
struct Found {
    /// The names of the struct types that are embedded in a model.
    reached: HashSet<&'static str>,
    /// The messages about fields whose container or codec hides declarations.
    hidden: Vec<String>,
}

impl Found {
    fn reach(&mut self, owner: &str, fields: &'static [FieldShape]) {
        for field in fields {
            let embed = field.embed.map(|embed| embed());
            let in_arrays = embed.filter(|embed| embed.containers.arrays > 1);
            let hidden = field.hidden.iter().flatten().map(|embed| embed());
            let is_hidden = embed.is_none() || field.codec.is_some();
            let mut hidden = hidden.filter(|_| is_hidden).chain(in_arrays);
            if let Some(declaring) = hidden.find_map(|embed| declaring(embed.shape)) {
                let reason = match field.codec {
                    Some(codec) => format!(
                        "does not know in which form the codec `{codec}` stores them; remove the codec"
                    ),
                    None => format!(
                        "does not find structs in a `{}`; use an `Option`, a `Box`, an `Arc` or one `Vec`",
                        field.written
                    ),
                };
                self.hidden.push(format!(
                    "`{owner}.{}` contains `{declaring}`, which declares copies, bounds, indexes or delete rules, but the \
                     library {reason}",
                    field.name
                ));
            }
            if let Some(embed) = embed
                && self.reached.insert((embed.type_name)())
            {
                self.reach(embed.name, embed.fields);
            }
        }
    }
}

/// Returns the name of a struct that contains declarations: the given struct, or a struct inside it.
fn declaring(shape: &'static StructShape) -> Option<&'static str> {
    let mut seen = HashSet::new();
    let mut rest = vec![shape];
    while let Some(shape) = rest.pop() {
        if shape.declares() {
            return Some(shape.name);
        }
        if seen.insert((shape.type_name)()) {
            let embedded = shape.fields.iter().filter_map(|field| field.embed);
            rest.extend(embedded.map(|embed| embed().shape));
        }
    }
    None
}
