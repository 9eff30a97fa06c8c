//! The failpoint `failCommand`, which makes the front answer a command with an error.
//!
//! A failpoint of a shard would not match the commands of the client, because the router sends them to the shards under
//! other names.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::message::reply::{add_label, failure, is_retryable, number_of};

#[derive(Debug, Default)]
pub(crate) struct Failpoints(Mutex<Option<FailCommand>>);

#[derive(Debug)]
struct FailCommand {
    data: Document,
    skip: i64,
    /// Number of commands that the failpoint still affects. `None` means any number.
    times: Option<i64>,
}

/// The effects of a failpoint on one command.
pub(crate) struct Effect {
    pub(crate) delay: Duration,
    pub(crate) closes: bool,
    /// The error that is returned instead of running the command.
    pub(crate) reply: Option<Document>,
    /// The write concern error that is added to the reply.
    pub(crate) concern_error: Option<Document>,
}

impl Failpoints {
    /// Sets the failpoint to the mode and data of a command `configureFailPoint`.
    pub(crate) fn configure(&self, command: &Document) {
        let mode = command.get_document("mode");
        let number = |name: &str| {
            let mode = mode.as_ref().ok()?;
            mode.contains_key(name).then(|| number_of(mode, name))
        };
        let is_off = command.get_str("mode").ok() == Some("off");
        let new = FailCommand {
            data: command.get_document("data").cloned().unwrap_or_default(),
            skip: number("skip").unwrap_or_default(),
            times: number("times"),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (!is_off).then_some(new);
    }

    /// Returns the effects of the failpoint on a command.
    pub(crate) fn hit(&self, name: &str, app_name: Option<&str>) -> Option<Effect> {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failpoint = current.as_mut()?;
        let names = failpoint.data.get_array("failCommands").ok()?;
        let is_other = |wanted: &str| app_name != Some(wanted);
        if !names.iter().any(|it| it.as_str() == Some(name))
            || failpoint.data.get_str("appName").is_ok_and(is_other)
        {
            return None;
        }
        if failpoint.skip > 0 {
            failpoint.skip -= 1;
            return None;
        }
        let effect = effect(&failpoint.data);
        if let Some(times) = &mut failpoint.times {
            *times -= 1;
            if *times <= 0 {
                *current = None;
            }
        }
        Some(effect)
    }
}

fn effect(data: &Document) -> Effect {
    let is_set = |name| data.get_bool(name).unwrap_or(false);
    let delay = if is_set("blockConnection") {
        number_of(data, "blockTimeMS")
    } else {
        0
    };
    let reply = data.contains_key("errorCode").then(|| {
        let code = i32::try_from(number_of(data, "errorCode")).unwrap_or_default();
        let mut reply = failure(
            code,
            "FailPoint",
            "Failing command via 'failCommand' failpoint",
        );
        if let Ok(labels) = data.get_array("errorLabels") {
            labels
                .iter()
                .filter_map(Bson::as_str)
                .for_each(|label| add_label(&mut reply, label));
        } else if is_retryable(code) {
            add_label(&mut reply, "RetryableWriteError");
        }
        reply
    });
    Effect {
        delay: Duration::from_millis(delay.try_into().unwrap_or_default()),
        closes: is_set("closeConnection"),
        reply,
        concern_error: data.get_document("writeConcernError").ok().map(|error| {
            doc! {
                "code": number_of(error, "code"),
                "codeName": error.get_str("codeName").unwrap_or_default(),
                "errmsg": error.get_str("errmsg").unwrap_or_default(),
            }
        }),
    }
}
