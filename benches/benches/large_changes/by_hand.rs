//! The same changes, written by hand with the driver.
//!
//! The code is what a careful user of the driver would write. It uses transactions if readers must not see a change
//! that is only half done, and sends one statement for up to a thousand documents. It handles neither concurrent writes
//! to the same references nor crashes between two transactions.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use mongo_odm::{
    Odm,
    bson::{Bson, Document, doc},
    mongodb::{ClientSession, Database},
};
use odm_benches::Result;

use crate::{
    changes::{Change, task},
    models::Note,
};

/// Number of documents in a transaction.
const BATCH: usize = 1_000;

/// Runs a change without the library.
pub(crate) async fn run(change: Change, size: i64, odm: &Odm) -> Result<()> {
    let by_hand = ByHand {
        database: odm.database().clone(),
    };
    match change {
        Change::Rename => by_hand.rename(size).await,
        Change::Insert => by_hand.insert(size, odm).await,
        Change::Cascade => by_hand.cascade(size).await,
        Change::Nullify => by_hand.nullify().await,
        Change::Move => by_hand.move_notes().await,
        Change::Repair => by_hand.repair().await,
    }
}

struct ByHand {
    database: Database,
}

impl ByHand {
    fn all(&self, name: &str) -> mongo_odm::mongodb::Collection<Document> {
        self.database.collection(name)
    }

    async fn begin(&self) -> Result<ClientSession> {
        let mut session = self.database.client().start_session().await?;
        session.start_transaction().await?;
        Ok(session)
    }

    async fn rename(&self, size: i64) -> Result<()> {
        let ids: Vec<i64> = (0..size).collect();
        for ids in ids.chunks(BATCH) {
            let mut session = self.begin().await?;
            let filter = doc! { "_id": { "$in": ids } };
            let change = vec![doc! { "$set": { "name": { "$concat": ["x", "$name"] } } }];
            let projects = self.all("large_projects");
            projects
                .update_many(filter.clone(), change)
                .session(&mut session)
                .await?;
            let mut found = projects.find(filter).session(&mut session).await?;
            let mut updates = Vec::with_capacity(ids.len());
            while let Some(project) = found.next(&mut session).await.transpose()? {
                updates.push(name_copies(&project)?);
            }
            let command = doc! { "update": "large_tasks", "updates": updates };
            self.database
                .run_command(command)
                .session(&mut session)
                .await?;
            session.commit_transaction().await?;
        }
        Ok(())
    }

    async fn insert(&self, size: i64, odm: &Odm) -> Result<()> {
        let projects = self.all("large_projects");
        let project = projects.find_one(doc! { "_id": 0_i64 }).await?;
        let project = project.ok_or("there is no project")?;
        let tasks = (0..size).map(|id| {
            let mut task = task(id, 0, 0);
            project.get_str("name")?.clone_into(&mut task.project_name);
            Ok(mongo_odm::bson::serialize_to_document(&task)?)
        });
        let tasks = tasks.collect::<Result<Vec<_>>>()?;
        let mut session = odm.database().client().start_session().await?;
        session.start_transaction().await?;
        let all = self.all("large_tasks");
        all.insert_many(tasks).session(&mut session).await?;
        let count = doc! { "$inc": { "tasks": size } };
        let counted = projects.update_one(doc! { "_id": 0_i64 }, count);
        counted.session(&mut session).await?;
        session.commit_transaction().await?;
        Ok(())
    }

    async fn cascade(&self, size: i64) -> Result<()> {
        let (projects, all) = (self.all("large_projects"), self.all("large_tasks"));
        let subtasks = self.all("large_subtasks");
        projects.delete_one(doc! { "_id": 0_i64 }).await?;
        let mut left = size;
        while left > 0 {
            let ids = all.find(doc! { "project": 0_i64 });
            let ids = ids
                .projection(doc! { "_id": 1 })
                .limit(i64::try_from(BATCH)?);
            let ids: Vec<Document> = ids.await?.try_collect().await?;
            let ids: Vec<&Bson> = ids.iter().filter_map(|it| it.get("_id")).collect();
            let mut session = self.begin().await?;
            let children = doc! { "task": { "$in": ids.clone() } };
            subtasks.delete_many(children).session(&mut session).await?;
            let tasks = doc! { "_id": { "$in": ids } };
            let deleted = all.delete_many(tasks).session(&mut session).await?;
            session.commit_transaction().await?;
            left -= i64::try_from(deleted.deleted_count)?;
        }
        Ok(())
    }

    async fn nullify(&self) -> Result<()> {
        let empty = doc! { "$set": { "member": Bson::Null, "member_name": Bson::Null } };
        let tasks = self.all("large_tasks");
        tasks.update_many(doc! { "member": 0_i64 }, empty).await?;
        let members = self.all("large_members");
        members.delete_one(doc! { "_id": 0_i64 }).await?;
        Ok(())
    }

    async fn move_notes(&self) -> Result<()> {
        let mut found = self.all("large_old_notes").find(doc! {}).await?;
        let mut batch = Vec::with_capacity(BATCH);
        while let Some(old) = found.try_next().await? {
            let old: Note = mongo_odm::bson::deserialize_from_document(old)?;
            batch.push(mongo_odm::bson::serialize_to_document(&old)?);
            if batch.len() == BATCH {
                self.all("large_notes")
                    .insert_many(std::mem::take(&mut batch))
                    .await?;
            }
        }
        if !batch.is_empty() {
            self.all("large_notes").insert_many(batch).await?;
        }
        Ok(())
    }

    async fn repair(&self) -> Result<()> {
        let mut names = HashMap::new();
        let mut projects = self.all("large_projects").find(doc! {}).await?;
        while let Some(project) = projects.try_next().await? {
            names.insert(project.get_i64("_id")?, project);
        }
        let fields = doc! { "project": 1, "project_name": 1 };
        let all = self.all("large_tasks");
        let mut tasks = all.find(doc! {}).projection(fields).await?;
        let mut stale = HashMap::new();
        while let Some(task) = tasks.try_next().await? {
            let of = task.get_i64("project")?;
            let project = names.get(&of).ok_or("a task without a project")?;
            if task.get("project_name") != project.get("name") {
                stale.insert(of, name_copies(project)?);
            }
        }
        let stale: Vec<_> = stale.into_values().collect();
        for updates in stale.chunks(BATCH) {
            let command = doc! { "update": "large_tasks", "updates": updates.to_vec() };
            self.database.run_command(command).await?;
        }
        Ok(())
    }
}

/// Returns the update statement that writes the name of a project into the tasks of the project.
fn name_copies(project: &Document) -> Result<Document> {
    Ok(doc! {
        "q": { "project": project.get_i64("_id")? },
        "u": { "$set": { "project_name": project.get_str("name")? } },
        "multi": true,
    })
}
