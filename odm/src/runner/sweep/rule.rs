//! Does what a rule says about references to a deleted document, some documents at a time.

use std::time::Instant;

use mongodb::bson::Bson;

use super::Sweep;
use crate::{
    copy::Rule,
    effects::{first_owner, unlink},
    error::{Error, Result},
    key::JoinKey,
    odm::Exec,
};

impl Sweep<'_> {
    pub(super) async fn rule(&mut self, rule: &'static Rule, keys: &[JoinKey]) -> Result<()> {
        for key in keys {
            let mut left_behind = Vec::new();
            while self.some_owners(rule, key, &mut left_behind).await? {}
            self.failed.append(&mut left_behind);
        }
        Ok(())
    }

    /// Goes on with some of the documents that refer to it; returns whether there can be more. Those that
    /// cannot do what the rule says are halved until the one is found that is left behind: it keeps no
    /// others from it.
    async fn some_owners(
        &mut self,
        rule: &'static Rule,
        key: &JoinKey,
        left_behind: &mut Vec<Bson>,
    ) -> Result<bool> {
        let began = Instant::now();
        let exec = Exec::on(self.odm.clone());
        let (cursor, size) = (self.cursor.clone(), self.pace.size());
        let state = (rule, key.clone(), cursor, size, left_behind.clone());
        let changed = exec.together(
            state,
            |(rule, key, cursor, size, except), exec| async move {
                cursor.advance("", None, &exec).await?;
                unlink(rule, &key, size, &except, &exec).await
            },
        );
        match changed.await {
            Ok(0) => Ok(false),
            Ok(_) => {
                tokio::time::sleep(self.pace.after(began.elapsed())).await;
                Ok(true)
            }
            Err(error) if error.is_of_a_document() || matches!(error, Error::Restricted { .. }) => {
                if self.pace.halve() {
                    return Ok(true);
                }
                let Some(id) = first_owner(rule, key, left_behind, &exec).await? else {
                    return Ok(false);
                };
                tracing::error!(rule = %rule.name, document = ?id, %error, "a reference to a deleted document stays");
                left_behind.push(id);
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }
}
