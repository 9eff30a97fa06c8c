//! Hooks of documents that are inserted.

use super::*;

#[tokio::test]
async fn a_hook_changes_a_document_before_its_timestamps_copies_and_summaries() {
    let t = database("hooks_insert").await;
    let mut given = task(1, "one");
    given.owner_name = Some("nobody".into());
    given.insert(&t.odm).await.unwrap();
    let found = get(&t, 1).await;
    assert_eq!(found.slug, "one-new");
    assert_eq!(found.owner_name.as_deref(), Some("ann"));
    assert_eq!(found.version, 1);
    assert!(found.created > given.created && found.updated == found.created);
    assert_eq!(summary(&t).await, (1, Some("one-new".into())));
    assert_eq!(calls(&t).await, ["insert 1", "Inserted 1 as one-new"]);
    assert_eq!(events(&t).await, ["insert 1"]);
}

#[tokio::test]
async fn a_failing_hook_prevents_the_insert() {
    let t = database("hooks_insert_refused").await;
    let error = task(1, "refused").insert(&t.odm).await.unwrap_err();
    assert_refused(&error, "before_insert");
    assert_eq!(
        error.to_string(),
        "`before_insert` of `Task` with the `_id` NumberLong(\"1\") failed: the title refused is not allowed"
    );
    assert!(stored(&t).await.is_empty());
    assert!(events(&t).await.is_empty());
    assert_eq!(summary(&t).await, (0, None));
    assert_eq!(calls(&t).await, ["insert 1"]);
}

#[tokio::test]
async fn a_document_that_a_hook_has_changed_is_checked_again() {
    let t = database("hooks_insert_checked").await;
    // The rules of the given document are checked before the hook.
    let error = task(1, &"x".repeat(30)).insert(&t.odm).await.unwrap_err();
    assert_eq!(error.code(), "odm.validation");
    assert!(matches!(error, Error::Validation { .. }));
    assert!(calls(&t).await.is_empty());
    let error = task(1, "unsluggable").insert(&t.odm).await.unwrap_err();
    assert_eq!(error.code(), "odm.validation");
    assert!(matches!(error, Error::Hook { .. }));
    let error = task(1, "other id").insert(&t.odm).await.unwrap_err();
    assert!(
        error.to_string().contains("has changed the `_id`"),
        "{error}"
    );
    assert!(stored(&t).await.is_empty());
}

#[tokio::test]
async fn many_documents_are_inserted_in_batches_of_500() {
    let t = database("hooks_insert_many").await;
    let mut tasks: Vec<Task> = (1..=1_200).map(|number| task(number, "light")).collect();
    tasks[700].title = "refused".into();
    let error = Task::insert_many(&t.odm, &tasks).await.unwrap_err();
    let Error::InsertMany {
        inserted,
        rejected,
        source,
        ..
    } = &error
    else {
        panic!("{error:#?}");
    };
    assert_eq!((*inserted, rejected.len()), (500, 0));
    assert_refused(source, "before_insert");
    assert_eq!(error.code(), "odm.hook");
    assert_eq!(error.get_custom(), Some(&Refused("refused".into())));
    assert_eq!(stored(&t).await.len(), 500);
    assert_eq!(summary(&t).await, (500, Some("light-new".into())));
    assert_eq!(calls(&t).await, ["insert 701"]);
    // A failing hook ends an unordered insert, too.
    let rest = Task::insert_many(&t.odm, &tasks[690..]).unordered().await;
    assert_refused(&rest.unwrap_err(), "before_insert");
    assert_eq!(stored(&t).await.len(), 500);
}

#[tokio::test]
async fn a_rejected_document_does_not_stop_an_unordered_insert() {
    let t = with_tasks("hooks_unordered", &["stored"]).await;
    let tasks = [task(1, "twice"), task(2, "two"), task(3, "three")];
    let error = Task::insert_many(&t.odm, &tasks)
        .unordered()
        .await
        .unwrap_err();
    let Error::InsertMany {
        inserted, rejected, ..
    } = &error
    else {
        panic!("{error:#?}");
    };
    assert_eq!((*inserted, rejected.len()), (2, 1));
    assert_eq!(get(&t, 1).await.title, "stored");
    // The events of the aborted transaction are not stored.
    assert_eq!(events(&t).await, ["insert 2", "insert 3"]);
    let calls = calls(&t).await;
    assert_eq!(calls[..3], ["insert 1", "insert 2", "insert 3"]);
    assert_eq!(calls[3..5], ["insert 2", "insert 3"]);
    assert_eq!(
        calls[5..],
        ["Inserted 2 as two-new", "Inserted 3 as three-new"]
    );
}

#[tokio::test]
async fn other_writes_that_insert_call_the_hook() {
    let t = database("hooks_other_inserts").await;
    let fields = Task::fields();
    task(1, "one").save(&t.odm).await.unwrap();
    let filter = fields.id.eq(id(2));
    let created = Task::get_or_create(&t.odm, filter, &task(2, "two"))
        .await
        .unwrap();
    assert_eq!(created.document.slug, "two-new");
    let upsert = Task::upsert(&t.odm, fields.id.eq(id(3))).set(fields.title, "three");
    let upsert = upsert.set(fields.owner, id(1)).set(fields.slug, "");
    let report = upsert.await.unwrap();
    assert_eq!(report.upserted_id, Some(3_i64.into()));
    for (number, slug) in [(1, "one-new"), (2, "two-new"), (3, "three-new")] {
        let found = get(&t, number).await;
        assert_eq!((&*found.slug, found.version), (slug, 1));
        assert_eq!(found.owner_name.as_deref(), Some("ann"));
        assert!(found.created > DateTime::from_millis(99));
    }
    assert_eq!(summary(&t).await, (3, Some("two-new".into())));
    let expected = [
        "insert 1",
        "Inserted 1 as one-new",
        "insert 2",
        "Inserted 2 as two-new",
        "insert 3",
        "Inserted 3 as three-new",
    ];
    assert_eq!(calls(&t).await, expected);
    // These writes insert nothing, so they do not call `before_insert`.
    task(4, "four").replace(&t.odm).await.unwrap();
    let filter = fields.id.eq(id(2));
    Task::get_or_create(&t.odm, filter, &task(2, "two"))
        .await
        .unwrap();
    assert_eq!(calls(&t).await, [""; 0]);
    for title in ["refused", "unsluggable"] {
        let upsert = Task::upsert(&t.odm, fields.id.eq(id(5))).set(fields.title, title);
        let upsert = upsert.set(fields.slug, "");
        assert!(matches!(upsert.await.unwrap_err(), Error::Hook { .. }));
        let saved = task(5, title).save(&t.odm).await;
        assert!(matches!(saved.unwrap_err(), Error::Hook { .. }));
    }
    assert_eq!(stored(&t).await.len(), 3);
}

#[tokio::test]
async fn a_write_can_skip_its_hooks() {
    let t = database("hooks_skipped").await;
    task(1, "refused")
        .insert(&t.odm)
        .without_hooks()
        .await
        .unwrap();
    task(2, "refused")
        .save(&t.odm)
        .without_hooks()
        .await
        .unwrap();
    let fields = Task::fields();
    let filter = fields.id.eq(id(3));
    let created = Task::get_or_create(&t.odm, filter, &task(3, "refused")).without_hooks();
    created.await.unwrap();
    let update = Task::update(&t.odm, id(1)).set(fields.title, "refused");
    update.without_hooks().await.unwrap();
    let update = Task::update_many(&t.odm, Filter::all()).set(fields.title, "refused");
    update.without_hooks().await.unwrap();
    assert_eq!(stored(&t).await.len(), 3);
    assert_eq!(calls(&t).await, [""; 0]);
}

/// An account whose hook changes the shard key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_accounts", hooks, shard_key(email = 1))]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account, i64>,
    #[index(unique)]
    email: String,
}

impl Hooks for Account {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        self.email = self.email.to_lowercase();
        Ok(())
    }
}

/// A member of an organisation, whose hook changes the address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "hook_tenant_members",
    hooks,
    tenant = "org",
    shard_key(org = 1)
)]
struct Member {
    #[serde(rename = "_id")]
    id: Id<Member, i64>,
    org: Option<i32>,
    #[index(unique)]
    email: String,
}

impl Hooks for Member {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        self.email = self.email.to_lowercase();
        Ok(())
    }
}

#[tokio::test]
async fn a_created_document_is_found_although_its_hook_changes_the_shard_key() {
    let t = Harness::new("hooks_created_key").await;
    let new = Account {
        id: Id::from_key(1),
        email: "Ann@x".into(),
    };
    let filter = Account::fields().email.eq(&new.email);
    let created = Account::get_or_create(&t.odm, filter, &new).await.unwrap();
    assert!(created.is_created);
    assert_eq!(created.document.email, "ann@x");
    assert_eq!(Account::count(&t.odm).await.unwrap(), 1);
    let odm = t.odm.for_tenant(60);
    let new = Member {
        id: Id::from_key(1),
        org: None,
        email: "Ann@x".into(),
    };
    let filter = Member::fields().email.eq(&new.email);
    let created = Member::get_or_create(&odm, filter, &new).await.unwrap();
    assert!(created.is_created);
    let expected = Member {
        org: Some(60),
        email: "ann@x".into(),
        ..new
    };
    assert_eq!(created.document, expected);
    assert_eq!(Member::count(&odm).await.unwrap(), 1);
}
