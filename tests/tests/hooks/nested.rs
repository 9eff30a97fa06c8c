//! Work that remains after the commit of a write inside a hook: jobs, deltas and hooks.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_teams", hooks)]
pub struct Team {
    #[serde(rename = "_id")]
    pub id: Id<Team, i64>,
    pub name: String,
}

/// The name of a squad follows the name of its team, because a hook of the team updates it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_squads", hooks)]
pub struct Squad {
    #[serde(rename = "_id")]
    pub id: Id<Squad, i64>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_members")]
pub struct Member {
    #[serde(rename = "_id")]
    pub id: Id<Member, i64>,
    #[parent_ref]
    pub squad: Id<Squad, i64>,
    #[denorm(from = Squad.name)]
    pub squad_name: String,
}

impl Hooks for Team {
    async fn before_update(&self, change: &mut Update<Self>, tx: &Tx) -> mongo_odm::Result<()> {
        let Some(name) = change.value_set(Self::fields().name)? else {
            return Ok(());
        };
        let rename = Squad::update(tx, id(1)).set(Squad::fields().name, name.clone());
        if name == "deferred" {
            rename.deferred().await?;
        } else {
            rename.await?;
        }
        Ok(())
    }

    async fn after_commit(&self, write: Committed, odm: &Odm) -> mongo_odm::Result<()> {
        called(format!("{write:?} team {}", self.name), odm).await
    }
}

impl Hooks for Squad {
    async fn after_commit(&self, write: Committed, odm: &Odm) -> mongo_odm::Result<()> {
        let member = Member::get(odm, id(1)).await?;
        let text = format!(
            "{write:?} squad {}, member of {}",
            self.name, member.squad_name
        );
        called(text, odm).await
    }
}

/// Opens a database in which a job writes each copy.
async fn squads(test: &str, settle: Settle) -> Harness {
    let mut t = empty(test).await;
    t.odm
        .sync_indexes()
        .only::<Team>()
        .only::<Squad>()
        .only::<Member>()
        .await
        .unwrap();
    let settings = t.odm.settings().clone().inline_copies(0).settle(settle);
    t.odm = t.odm.with_settings(settings);
    let name = "old".to_owned();
    t.given(&[Team {
        id: id(1),
        name: name.clone(),
    }])
    .await;
    t.given(&[Squad {
        id: id(1),
        name: name.clone(),
    }])
    .await;
    t.given(&[Member {
        id: id(1),
        squad: id(1),
        squad_name: name,
    }])
    .await;
    calls(&t).await;
    t
}

async fn rename(t: &Harness, name: &str) {
    let rename = Team::update(&t.odm, id(1)).set(Team::fields().name, name);
    assert_eq!(rename.await.unwrap().modified, 1);
}

async fn copy(t: &Harness) -> String {
    Member::get(&t.odm, id(1)).await.unwrap().squad_name
}

#[tokio::test]
async fn a_single_call_completes_the_work_of_the_writes_in_its_hooks() {
    let t = squads("hooks_nested", Settle::Manual).await;
    rename(&t, "new").await;
    assert_eq!(copy(&t).await, "new");
    let expected = ["Updated squad new, member of new", "Updated team new"];
    assert_eq!(calls(&t).await, expected);

    let renamed = t.odm.transaction(async |tx| {
        let rename = Team::update(&tx, id(1)).set(Team::fields().name, "newer");
        rename.await.map(|_| ())
    });
    renamed.await.unwrap();
    assert_eq!(copy(&t).await, "newer");
    let expected = ["Updated squad newer, member of newer", "Updated team newer"];
    assert_eq!(calls(&t).await, expected);

    let dry = Team::update(&t.odm, id(1)).set(Team::fields().name, "none");
    dry.dry_run().await.unwrap();
    assert_eq!((copy(&t).await, calls(&t).await), ("newer".into(), vec![]));
}

#[tokio::test]
async fn deferred_writes_in_hooks_follow_the_setting() {
    for (test, settle, copied) in [
        ("hooks_nested_manual", Settle::Manual, "old"),
        ("hooks_nested_immediate", Settle::Immediate, "deferred"),
    ] {
        let t = squads(test, settle).await;
        rename(&t, "deferred").await;
        assert_eq!(copy(&t).await, copied);
        t.odm.run_pending_jobs().await.unwrap();
        assert_eq!(copy(&t).await, "deferred");
    }
}
