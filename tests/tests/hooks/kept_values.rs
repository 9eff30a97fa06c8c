//! Writes that hooks change: which stored values they keep, and which values they set.

use super::*;

/// A document whose hook changes each update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_memos", hooks)]
struct Card {
    #[serde(rename = "_id")]
    id: Id<Card, i64>,
    title: String,
    #[serde(default)]
    search: String,
    #[parent_ref(on_delete = "cascade")]
    board: Id<Board, i64>,
    #[deleted_at]
    deleted: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_memo_boards")]
struct Board {
    #[serde(rename = "_id")]
    id: Id<Board, i64>,
    #[deleted_at]
    deleted: Option<DateTime>,
}

impl Hooks for Card {
    async fn before_update(&self, change: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        change.set(Self::fields().search, "changed");
        Ok(())
    }
}

#[tokio::test]
async fn a_save_that_a_hook_changes_keeps_the_mark_of_the_delete() {
    let t = empty("hooks_keep_marks").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Card>().only::<Board>();
    sync.await.unwrap();
    let deleted = None;
    let board = Board { id: id(1), deleted };
    board.insert(odm).await.unwrap();
    let card = Card {
        id: id(1),
        title: "a".into(),
        search: String::new(),
        board: board.id,
        deleted,
    };
    card.insert(odm).await.unwrap();
    Board::delete(odm, board.id).await.unwrap();
    Card::restore(odm, card.id).await.unwrap();
    let mut card = Card::get(odm, card.id).await.unwrap();
    card.title = "b".into();
    card.save(odm).await.unwrap();

    // The last look of the delete must not delete the restored card again.
    odm.run_pending_jobs().await.unwrap();
    let stored = Card::get(odm, card.id).await.unwrap();
    assert_eq!((&*stored.title, &*stored.search), ("b", "changed"));
}

/// A document of a tenant, with a hook that changes each update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_invoices", tenant = "branch", hooks)]
struct Invoice {
    #[serde(rename = "_id")]
    id: Id<Invoice, i64>,
    branch: String,
    number: i64,
}

impl Hooks for Invoice {
    async fn before_update(&self, change: &mut Update<Self>, tx: &Tx) -> mongo_odm::Result<()> {
        let number = Self::fields().number;
        if let Some(new) = change.value_set(number)? {
            change.set(number, new + 100);
        }
        record(format!("invoice of {}", self.branch), tx).await
    }
}

#[tokio::test]
async fn a_save_for_all_tenants_does_not_change_a_document_of_another_tenant() {
    let t = empty("hooks_all_tenants").await;
    let all = t.odm.all_tenants();
    let invoice = |branch: &str, number| Invoice {
        id: id(1),
        branch: branch.to_owned(),
        number,
    };
    invoice("harbour", 1).insert(&all).await.unwrap();
    let error = invoice("hill", 5).save(&all).await.unwrap_err();
    assert!(error.is_duplicate_key(), "{error:?}");
    let replaced = invoice("hill", 5).replace(&all).await.unwrap();
    assert_eq!(replaced.matched, 0);
    assert_eq!(
        Invoice::get(&all, id(1)).await.unwrap(),
        invoice("harbour", 1)
    );
    assert!(events(&t).await.is_empty());
    invoice("harbour", 5).save(&all).await.unwrap();
    assert_eq!(Invoice::get(&all, id(1)).await.unwrap().number, 105);
    assert_eq!(events(&t).await, ["invoice of harbour"]);
}

/// A kind with links and a version. Its hook changes each update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_program", kind(kind = "talk"), hooks)]
struct Talk {
    #[serde(rename = "_id")]
    id: Id<Talk, String>,
    title: String,
    #[serde(default)]
    search: i64,
    #[links]
    links: Vec<Link>,
    #[version]
    version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_program", kind(kind = "speaker"))]
struct Speaker {
    #[serde(rename = "_id")]
    id: Id<Speaker, String>,
    #[links]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Link {
    target: String,
    kind: String,
}

impl Hooks for Talk {
    async fn before_update(&self, change: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        change.set(Self::fields().search, 7);
        Ok(())
    }
}

#[tokio::test]
async fn a_link_that_a_hook_changes_increments_the_version() {
    let t = empty("hooks_linked_version").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Talk>().only::<Speaker>();
    sync.await.unwrap();
    let talk = Talk {
        id: Id::from_key("rust".to_owned()),
        title: "Rust".into(),
        search: 0,
        links: Vec::new(),
        version: 0,
    };
    let talk = talk.insert(odm).returning().await.unwrap();
    let speaker = Speaker {
        id: Id::from_key("ann".to_owned()),
        links: Vec::new(),
    };
    speaker.insert(odm).await.unwrap();
    talk.link(odm, &speaker).await.unwrap();
    let linked = Talk::get(odm, talk.id.clone()).await.unwrap();
    assert_eq!((linked.search, linked.version), (7, 2));
    assert_eq!(linked.links.len(), 2, "the link to itself, and the new one");
    let error = talk.save(odm).await.unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }), "{error:?}");
}

/// A kind with links, a tenant and a hook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "hook_festival",
    kind(kind = "band"),
    tenant = "city",
    hooks
)]
struct Band {
    #[serde(rename = "_id")]
    id: Id<Band, String>,
    city: Option<String>,
    #[links]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_festival", kind(kind = "stage"), tenant = "city")]
struct Stage {
    #[serde(rename = "_id")]
    id: Id<Stage, String>,
    city: Option<String>,
    #[links]
    links: Vec<Link>,
}

impl Hooks for Band {
    async fn before_update(&self, _: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_link_to_a_missing_document_of_a_tenant_can_be_removed_again() {
    let t = empty("hooks_unlinked_again").await;
    let sync = t.odm.sync_indexes().only::<Band>().only::<Stage>();
    sync.await.unwrap();
    let odm = t.odm.for_tenant("bern");
    let band = Band {
        id: Id::from_key("brass".to_owned()),
        city: None,
        links: Vec::new(),
    };
    let stage = Stage {
        id: Id::from_key("park".to_owned()),
        city: None,
        links: Vec::new(),
    };
    band.insert(&odm).await.unwrap();
    stage.insert(&odm).await.unwrap();
    band.link(&odm, &stage).await.unwrap();
    Stage::delete(&odm, &stage.id).await.unwrap();
    let unlinked = band.unlink(&odm, &stage).await.unwrap();
    assert_eq!((unlinked.matched, unlinked.modified), (1, 0));
    let linked = band.link(&odm, &stage).await.unwrap_err();
    assert!(matches!(linked, Error::NoTarget { .. }), "{linked:?}");
}

/// A model whose hook stores the key of a unique index in lower case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_users", hooks)]
struct User {
    #[serde(rename = "_id")]
    id: Id<User, i64>,
    #[index(unique)]
    email: String,
}

impl Hooks for User {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        self.email = self.email.to_lowercase();
        Ok(())
    }
}

#[tokio::test]
async fn a_hook_may_change_the_value_that_get_or_create_requires() {
    let t = empty("hooks_get_or_create").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<User>().await.unwrap();
    let user = |email: &str| User {
        id: id(1),
        email: email.to_owned(),
    };
    let email = User::fields().email;
    let given = user("Ann@X.org");
    let created = User::get_or_create(odm, email.eq("Ann@X.org"), &given).await;
    let created = created.unwrap();
    assert_eq!(
        (created.document, created.is_created),
        (user("ann@x.org"), true)
    );
    let stored = user("ann@x.org");
    let found = User::get_or_create(odm, email.eq("ann@x.org"), &stored).await;
    let found = found.unwrap();
    assert_eq!((found.document, found.is_created), (stored, false));
    assert_eq!(User::count(odm).await.unwrap(), 1);
}

/// A struct with a field that serde writes, but does not read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Text {
    text: String,
    #[serde(skip_deserializing)]
    search: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_words", hooks)]
struct Word {
    #[serde(rename = "_id")]
    id: Id<Word, i64>,
    text: String,
    #[serde(skip_deserializing)]
    search: String,
    meaning: Text,
    examples: Vec<Text>,
}

impl Hooks for Word {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        let texts = self.examples.iter_mut().map(|it| &mut it.text);
        for text in texts.chain([&mut self.text, &mut self.meaning.text]) {
            *text = text.trim().to_owned();
        }
        Ok(())
    }
}

#[tokio::test]
async fn an_insert_keeps_fields_that_serde_does_not_read() {
    let t = empty("hooks_unread").await;
    let stored = t.odm.database().collection::<Document>("hook_words");
    let text = |text: &str, search: &str| doc! { "text": text, "search": search };
    // The hook changes only the second document, and only the first of its examples.
    for (number, word, search_of_first) in [(1, "oak", "tree"), (2, " elm ", "")] {
        let part = |text: &str| Text {
            text: text.to_owned(),
            search: "tree".to_owned(),
        };
        let word = Word {
            id: id(number),
            text: word.to_owned(),
            search: "tree".to_owned(),
            meaning: part(word),
            examples: vec![part(word), part("an")],
        };
        word.insert(&t.odm).await.unwrap();
        let found = stored.find_one(doc! { "_id": number }).await.unwrap();
        let word = word.text.trim();
        let examples = vec![text(word, search_of_first), text("an", "tree")];
        let mut expected = doc! { "_id": number };
        expected.extend(text(word, "tree"));
        expected.extend(doc! { "meaning": text(word, "tree"), "examples": examples });
        assert_eq!(found, Some(expected));
    }
}
