//! The command `odm schema`, which draws diagrams of the models.

use mongo_odm::{__tools::linked_models, schema};
use serde_json::Value;

use super::{
    arguments::Schema,
    failure::{Exit, Failure},
    output::Output,
};
use crate::Pictures;

/// Draws the models in the requested format. Sends nothing.
pub(super) fn run(options: Schema) -> Result<Output, Failure> {
    linked_models()?;
    let schema = schema();
    let text = match (options.svg, options.dot) {
        (true, _) => schema.svg(),
        (_, true) => schema.dot(),
        (false, false) => schema.mermaid(),
    };
    Ok(Output {
        text,
        json: serde_json::to_value(&schema).unwrap_or(Value::Null),
        exit: Exit::Fine,
    })
}
