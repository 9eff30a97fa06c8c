//! Shard keys together with other features.

use mongo_odm::{Error, Odm, bson::doc, prelude::*};

use crate::models::{Event, cluster, empty, event, sharded};

/// A team, with the number of its members and the newest ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_teams",
    tenant = "org",
    shard_key(org = 1),
    has_many(members = "Member.team")
)]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, i32>,
    org: Option<i32>,
    #[index(unique)]
    name: String,
    #[rollup(count, of = Member, via = team)]
    members: i64,
    #[recent(of = Member, via = team, sort = joined, limit = 2)]
    newest: Vec<Newest>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Member")]
struct Newest {
    #[serde(rename = "_id")]
    id: Id<Member, i32>,
    joined: i32,
}

/// A member of a team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_members", tenant = "org", shard_key(org = 1))]
struct Member {
    #[serde(rename = "_id")]
    id: Id<Member, i32>,
    org: Option<i32>,
    #[parent_ref(on_delete = "cascade")]
    team: Id<Team, i32>,
    #[denorm(from = Team.name, via = team)]
    team_name: String,
    joined: i32,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

fn team(id: i32) -> Team {
    Team {
        id: Id::from_key(id),
        org: None,
        name: "red".into(),
        members: 0,
        newest: Vec::new(),
        deleted_at: None,
    }
}

fn member(id: i32, team: i32) -> Member {
    Member {
        id: Id::from_key(id),
        org: None,
        team: Id::from_key(team),
        team_name: String::new(),
        joined: id,
        deleted_at: None,
    }
}

/// Opens a database with teams. Documents of the organization 60 are on the second shard.
async fn teams(name: &str) -> Odm {
    let odm = empty(name).await;
    odm.shard_collections()
        .only::<Team>()
        .only::<Member>()
        .await
        .unwrap();
    odm.sync_indexes()
        .only::<Team>()
        .only::<Member>()
        .await
        .unwrap();
    let cluster = cluster().await;
    let middle = doc! { "org": 50 };
    for collection in ["sharded_teams", "sharded_members"] {
        let namespace = format!("{name}.{collection}");
        cluster.split(&namespace, middle.clone()).await.unwrap();
        for (org, shard) in [(0, 0), (99, 1)] {
            let at = doc! { "org": org };
            cluster.move_chunk(&namespace, at, shard).await.unwrap();
        }
    }
    odm
}

#[tokio::test]
async fn a_tenant_is_the_prefix_of_a_shard_key() {
    let odm = teams("sharded_tenants").await;
    for (org, first) in [(10, 1), (60, 2)] {
        let odm = odm.for_tenant(org);
        team(first).insert(&odm).await.unwrap();
        let members = [member(first * 10, first), member(first * 10 + 1, first)];
        Member::insert_many(&odm, &members).await.unwrap();
    }
    let all = odm.all_tenants();
    all.run_pending_jobs().await.unwrap();
    let per_shard = cluster()
        .await
        .documents_per_shard("sharded_tenants.sharded_members")
        .await
        .unwrap();
    assert_eq!(per_shard, [2, 2]);
    let sixty = odm.for_tenant(60);
    let read = async || Team::get(&sixty, Id::from_key(2)).await.unwrap();
    assert_eq!((read().await.members, read().await.newest.len()), (2, 2));
    // The handle adds the first field of the shard key, so the library does not have to find the `_id` first.
    let fields = Team::fields();
    let rename = Team::find_one_and_update(&sixty, fields.id.eq(Id::from_key(2)));
    assert!(rename.set(fields.name, "blue").await.unwrap().is_some());
    all.run_pending_jobs().await.unwrap();
    let names: Vec<String> = Member::find(&sixty)
        .await
        .unwrap()
        .into_iter()
        .map(|it| it.team_name)
        .collect();
    assert_eq!(names, ["blue", "blue"]);
    let plan = Member::find(&sixty).plan().unwrap();
    assert!(plan.to_string().contains("[1 shard]"), "{plan}");
}

#[tokio::test]
async fn deleted_documents_are_restored_on_their_shards() {
    let odm = teams("sharded_restore").await.for_tenant(60);
    team(2).insert(&odm).await.unwrap();
    let members = [20, 21, 22].map(|id| member(id, 2));
    Member::insert_many(&odm, &members).await.unwrap();
    let all = odm.all_tenants();
    all.run_pending_jobs().await.unwrap();
    Team::delete(&odm, Id::from_key(2)).await.unwrap();
    all.run_pending_jobs().await.unwrap();
    assert_eq!(Member::count(&odm).await.unwrap(), 0);
    assert!(matches!(
        team(2).save(&odm).await,
        Err(Error::Deleted { .. })
    ));
    Team::restore(&odm, Id::from_key(2)).await.unwrap();
    all.run_pending_jobs().await.unwrap();
    assert_eq!(Member::count(&odm).await.unwrap(), 3);
    let team = Team::get(&odm, Id::from_key(2)).await.unwrap();
    assert_eq!((team.members, team.newest.len()), (3, 2));
    let drift = all.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift:?}");
    Team::purge(&odm, Id::from_key(2)).await.unwrap();
    all.run_pending_jobs().await.unwrap();
    let left = Member::find(&odm).with_deleted().await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}

/// The library reads the limited children and the summary with one statement per key, because a cluster rejects
/// `$lookup` in a transaction.
#[tokio::test]
async fn a_transaction_limits_each_owner() {
    let odm = teams("sharded_limits").await.for_tenant(60);
    let found = odm.transaction(async |tx| {
        for id in [2, 3] {
            let mut team = team(id);
            team.name = format!("team {id}");
            team.insert(&tx).await?;
        }
        let members = [20, 21, 22, 30].map(|id| member(id, id / 10));
        Member::insert_many(&tx, &members).await?;
        let teams = Team::find(&tx).sort(Team::fields().id.asc()).await?;
        let joined = Team::join_members(&teams, &tx)
            .sort(Member::fields().joined.desc())
            .limit_each(2)
            .await?;
        let ids = |team| joined.of(team).map(|it| it.joined).collect::<Vec<_>>();
        Ok((ids(&teams[0]), ids(&teams[1])))
    });
    assert_eq!(found.await.unwrap(), (vec![22, 21], vec![30]));
}

#[tokio::test]
async fn documents_are_verified_moved_and_watched() {
    let odm = sharded("sharded_tools").await;
    let events: Vec<Event> = (0..20).map(|id| event(id, id * 5)).collect();
    Event::insert_many(&odm, &events).await.unwrap();
    odm.backfill::<Event>().await.unwrap();
    let distinct = Event::distinct(&odm, Event::fields().state).await.unwrap();
    assert_eq!(distinct, ["new"]);
    let page = Event::find(&odm).page(7).with_total().await.unwrap();
    assert_eq!((page.items.len(), page.total), (7, Some(20)));
    let updated = Event::update_many(&odm, Event::fields().room.lt(50));
    let updated = updated
        .push(Event::fields().tags, "low".to_owned())
        .await
        .unwrap();
    assert_eq!(updated.modified, 10);
    let deleted = Event::delete_many(&odm, Event::fields().room.gte(50))
        .await
        .unwrap();
    assert_eq!(deleted.deleted, 10);
}

/// A document of a tenant. No other model depends on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_memos", tenant = "org", shard_key(org = 1))]
struct Memo {
    #[serde(rename = "_id")]
    id: Id<Memo, i32>,
    org: Option<i32>,
    text: String,
    #[created_at]
    created_at: DateTime,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[tokio::test]
async fn writes_of_one_tenant_are_no_broadcasts() {
    let odm = teams("sharded_tenant_calls").await;
    let shard = odm.shard_collections().only::<Memo>();
    shard.await.unwrap();
    let settings = odm.settings().clone().reject_broadcasts(true);
    let odm = odm.with_settings(settings).for_tenant(60);
    let memo = Memo {
        id: Id::from_key(1),
        org: None,
        text: "a".into(),
        created_at: DateTime::from_millis(0),
        deleted_at: None,
    };
    let stored = memo.insert(&odm).returning().await.unwrap();
    assert_eq!(stored.org, Some(60));
    let changed = Memo {
        text: "b".into(),
        ..memo.clone()
    };
    // The struct that was inserted has no tenant, and another time than the stored document.
    assert_eq!(changed.save_changes(&odm, &memo).await.unwrap().modified, 1);
    let update = Memo::update(&odm, memo.id).set(Memo::fields().text, "c");
    assert_eq!(update.returning().await.unwrap().text, "c");
    assert_eq!(Memo::delete(&odm, memo.id).await.unwrap().deleted, 1);
    assert_eq!(Memo::restore(&odm, memo.id).await.unwrap().restored, 1);
    assert_eq!(Memo::purge(&odm, memo.id).await.unwrap().deleted, 1);

    // The members of a new team are found by their reference, which is not their shard key.
    let failed = team(1).insert(&odm).await.unwrap_err().to_string();
    assert!(failed.contains("this `aggregate` of `Member`"), "{failed}");
    assert!(failed.contains("if the library has added"), "{failed}");
}
