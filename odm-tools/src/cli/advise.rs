//! The command `odm advise`, which checks a database against the six rules of thumb.

use mongo_odm::Odm;
use serde_json::Value;

use super::{
    arguments::Advise,
    collections,
    failure::{Exit, Failure},
    output::Output,
    progress::Progress,
};
use crate::OdmTools;

/// Runs the advisor, and returns its report.
pub(super) async fn run(odm: &Odm, options: Advise) -> Result<Output, Failure> {
    collections::known(odm, &options.collection).await?;
    let progress = Progress::of("reading statistics and samples");
    let mut asked = odm.advise().on_progress(progress.reached());
    if !options.collection.is_empty() {
        asked = asked.collections(options.collection);
    }
    if let Some(documents) = options.sample {
        asked = asked.sample(documents);
    }
    let advice = asked.await?;
    Ok(Output {
        text: advice.to_string(),
        json: serde_json::to_value(&advice).unwrap_or(Value::Null),
        exit: Exit::of(!advice.is_empty()),
    })
}
