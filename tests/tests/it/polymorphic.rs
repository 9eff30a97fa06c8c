//! References to documents of several models. Each collection is queried only for its own keys.

mod load_all;

use mongo_odm::{
    AnyKey, Error, Settings,
    bson::{Bson, Document},
    prelude::*,
    relation::Slot,
};
use odm_tests::{
    Harness,
    sent::{commands, keys_of, stored},
    shop::*,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account>,
    account_id: i32,
}

/// The subject of a comment, with the models that this program knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id", rename_all = "lowercase")]
#[embedded(loaded = "load_all::SubjectDocument")]
enum Subject {
    Part(Id<Part>),
    Substitute(Id<Part>),
    Host(Id<Host>),
    #[refs(to = "Account.account_id")]
    Account(i32),
    /// Any other document, which is stored unchanged.
    #[serde(untagged)]
    Unknown(Document),
}

/// A subject without a variant for unknown documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id", rename_all = "lowercase")]
enum Known {
    Part(Id<Part>),
    Host(Id<Host>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Mention {
    #[refs(one, polymorphic)]
    of: Subject,
    at: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: Id<Comment>,
    #[refs(one, polymorphic)]
    subject: Option<Subject>,
    #[refs(many, polymorphic, max = 8)]
    also: Vec<Subject>,
    #[embed]
    #[refs(many, polymorphic)]
    mentions: Vec<Mention>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Comment")]
struct CommentAlso {
    #[refs(many, polymorphic)]
    also: Vec<Subject>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "comments")]
struct StrictComment {
    #[serde(rename = "_id")]
    id: Id<StrictComment>,
    #[refs(many, polymorphic)]
    also: Vec<Known>,
}

/// The owner's kind and key are beside the other fields, as in documents of other libraries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "owner_type", content = "owner_id")]
enum Owner {
    Part(Id<Part>),
    Host(Id<Host>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "pictures")]
struct Picture {
    #[serde(rename = "_id")]
    id: Id<Picture>,
    #[serde(flatten)]
    #[refs(one, polymorphic)]
    owner: Owner,
    file: String,
}

fn comment(also: impl IntoIterator<Item = Subject>) -> Comment {
    Comment {
        id: Id::new(),
        subject: None,
        also: also.into_iter().collect(),
        mentions: Vec::new(),
    }
}

fn accounts() -> [Account; 2] {
    [7, 8].map(|account_id| Account {
        id: Id::new(),
        account_id,
    })
}

/// Stores three parts, two hosts and two accounts, and a comment that refers to most of them.
async fn commented(t: &Harness) -> (Vec<Part>, [Host; 2], [Account; 2], Comment) {
    let (parts, hosts, accounts) = (parts(3), [host(1), host(2)], accounts());
    t.given(&parts).await;
    t.given(&hosts).await;
    t.given(&accounts).await;
    let unknown = doc! { "kind": "gadget", "id": ObjectId::new(), "since": 3 };
    let mut comment = comment([
        Subject::Host(hosts[1].id),
        Subject::Part(parts[2].id),
        Subject::Account(8),
        Subject::Unknown(unknown),
        Subject::Substitute(parts[0].id),
        Subject::Part(Id::new()),
        Subject::Part(parts[2].id),
    ]);
    comment.subject = Some(Subject::Host(hosts[0].id));
    comment.mentions = vec![
        Mention {
            of: Subject::Part(parts[1].id),
            at: 3,
        },
        Mention {
            of: Subject::Account(7),
            at: 5,
        },
    ];
    t.given(std::slice::from_ref(&comment)).await;
    t.forget();
    (parts, hosts, accounts, comment)
}

fn ids<T>(ids: impl IntoIterator<Item = Id<T>>) -> Vec<Bson> {
    let mut ids: Vec<_> = ids.into_iter().map(|id| *id.key()).collect();
    ids.sort_unstable();
    ids.into_iter().map(Bson::from).collect()
}

#[tokio::test]
async fn each_collection_is_asked_for_its_own_keys_alone() {
    let t = Harness::new("each_collection_its_own_keys").await;
    let (parts, hosts, accounts, comment) = commented(&t).await;
    let Subject::Part(gone) = comment.also[5] else {
        panic!("{comment:?}")
    };

    let found: Vec<Part> = comment.load_also::<Part>(&t.odm).await.unwrap();
    let order = [&parts[2], &parts[0], &parts[2]];
    assert!(found.iter().eq(order), "stored order, with repeats");
    let found = comment.load_also::<Host>(&t.odm).await.unwrap();
    assert_eq!(found, [hosts[1].clone()]);
    let found = comment.load_also::<Account>(&t.odm).await.unwrap();
    assert_eq!(found, [accounts[1].clone()]);

    let finds = commands(&t, "find");
    let asked: Vec<_> = finds
        .iter()
        .map(|find| find.get_str("find").unwrap())
        .collect();
    assert_eq!(asked, ["parts", "hosts", "accounts"]);
    let of_parts = ids([parts[2].id, parts[0].id, gone]);
    assert_eq!(keys_of(&finds[0], "_id"), of_parts);
    assert_eq!(keys_of(&finds[1], "_id"), ids([hosts[1].id]));
    assert_eq!(keys_of(&finds[2], "account_id"), [Bson::Int64(8)]);

    let slots = comment.load_also::<Part>(&t.odm).slots().await.unwrap();
    assert_eq!(slots.len(), 4, "those of parts");
    assert!(slots[2].is_missing());
    let count = comment.count_also::<Part>(&t.odm).await.unwrap();
    assert_eq!(count, 2, "each document once");
}

#[tokio::test]
async fn a_reference_to_another_model_sends_nothing() {
    let t = Harness::new("a_reference_to_another_model").await;
    let (_, hosts, _, mut comment) = commented(&t).await;
    assert_eq!(comment.load_subject::<Part>(&t.odm).await.unwrap(), None);
    assert_eq!(t.recorder().names(), [""; 0]);
    let host = comment.load_subject::<Host>(&t.odm).await.unwrap();
    assert_eq!(host.as_ref(), Some(&hosts[0]));
    assert_eq!(t.recorder().names(), ["find"]);
    let error = comment
        .load_subject::<Part>(&t.odm)
        .require()
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Missing { .. }), "{error}");
    comment.subject = None;
    t.forget();
    assert_eq!(comment.load_subject::<Host>(&t.odm).await.unwrap(), None);
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn joins_of_all_kinds_are_read_in_stored_order() {
    let t = Harness::new("joins_of_all_kinds").await;
    let (parts, hosts, accounts, first) = commented(&t).await;
    let second = comment([Subject::Part(parts[1].id), Subject::Host(hosts[1].id)]);
    let comments = [first, second, comment([])];

    let of_comments = Comment::join_also::<Part>(&comments, &t.odm).await.unwrap();
    assert!(of_comments.of(&comments[1]).eq([&parts[1]]));
    assert_eq!(of_comments.of(&comments[2]).len(), 0);
    t.forget();

    let subjects = || comments.iter().flat_map(|comment| &comment.also);
    let joined_parts = Subject::join::<Part>(subjects(), &t.odm).await.unwrap();
    let joined_hosts = Subject::join::<Host>(subjects(), &t.odm).await.unwrap();
    let joined_accounts = Subject::join::<Account>(subjects(), &t.odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["find"; 3]);
    let shown = subjects().map(|subject| match subject {
        Subject::Part(_) => joined_parts.one_of(subject).map(|part| part.name.clone()),
        Subject::Substitute(_) => joined_parts
            .one_of(subject)
            .map(|part| format!("or {}", part.name)),
        Subject::Host(_) => joined_hosts.one_of(subject).map(|host| host.name.clone()),
        Subject::Account(number) => joined_accounts
            .one_of(subject)
            .map(|account| format!("{number} is {}", account.account_id)),
        Subject::Unknown(stored) => stored.get_str("kind").ok().map(str::to_owned),
    });
    let (part, host) = (
        |at: usize| parts[at].name.clone(),
        |at: usize| hosts[at].name.clone(),
    );
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            Some(host(1)),
            Some(part(2)),
            Some(format!("8 is {}", accounts[1].account_id)),
            Some("gadget".to_owned()),
            Some(format!("or {}", part(0))),
            None,
            Some(part(2)),
            Some(part(1)),
            Some(host(1)),
        ]
    );
}

#[tokio::test]
async fn an_unknown_kind_is_kept_or_fails_with_its_path() {
    let t = Harness::new("an_unknown_kind").await;
    let (_, _, _, comment) = commented(&t).await;
    let read = Comment::get(&t.odm, comment.id).await.unwrap();
    assert_eq!(read, comment);
    let Subject::Unknown(gadget) = &read.also[3] else {
        panic!("{read:?}")
    };
    assert_eq!(gadget.get_str("kind").unwrap(), "gadget");
    let by_id = doc! { "_id": comment.id };
    let before = stored(&t, "comments", by_id.clone()).await;
    read.save(&t.odm).await.unwrap();
    assert_eq!(stored(&t, "comments", by_id).await, before);

    let strict = Id::from_key(*comment.id.key());
    let error = StrictComment::get(&t.odm, strict).await.unwrap_err();
    let Error::Decode {
        collection, path, ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(collection, "comments");
    assert!(path.starts_with("also.2"), "{path}");
    assert!(error.to_string().contains("account"), "{error}");
}

#[tokio::test]
async fn a_projection_keeps_what_an_unknown_kind_holds_besides() {
    let t = Harness::new("a_projection_of_unknown_kinds").await;
    let (parts, _, _, comment) = commented(&t).await;
    let views = Comment::find(&t.odm).select::<CommentAlso>().await.unwrap();
    assert_eq!(views[0].also, comment.also);
    let found = views[0].load_also::<Part>(&t.odm).await.unwrap();
    assert_eq!(found[0], parts[2]);
}

#[tokio::test]
async fn kind_and_key_may_stand_beside_other_fields() {
    let t = Harness::new("kind_and_key_beside").await;
    let (parts, hosts) = (parts(2), [host(1)]);
    t.given(&parts).await;
    t.given(&hosts).await;
    let picture = |owner| Picture {
        id: Id::new(),
        owner,
        file: "a.png".to_owned(),
    };
    let pictures = [
        picture(Owner::Host(hosts[0].id)),
        picture(Owner::Part(parts[1].id)),
    ];
    Picture::insert_many(&t.odm, &pictures).await.unwrap();
    let raw = stored(&t, "pictures", doc! { "owner_type": "Part" }).await;
    assert_eq!(raw.get_object_id("owner_id").unwrap(), *parts[1].id.key());

    let of_parts = Picture::fields().owner.owner_type.eq("Part");
    let read = Picture::find(&t.odm).filter(of_parts).await.unwrap();
    assert_eq!(read, [pictures[1].clone()]);
    let owner = read[0].load_owner::<Part>(&t.odm).await.unwrap();
    assert_eq!(owner.as_ref(), Some(&parts[1]));
    let joined = Picture::join_owner::<Host>(&pictures, &t.odm)
        .await
        .unwrap();
    assert_eq!(joined.one_of(&pictures[0]), Some(&hosts[0]));
    assert_eq!(joined.one_of(&pictures[1]), None);
}

#[tokio::test]
async fn structs_with_one_polymorphic_reference_are_one() {
    let t = Harness::new("structs_with_one_polymorphic").await;
    let (parts, _, accounts, comment) = commented(&t).await;
    let found = comment.load_mentions::<Account>(&t.odm).await.unwrap();
    assert_eq!(found, [accounts[0].clone()]);
    let joined = Mention::join_of::<Part>(&comment.mentions, &t.odm)
        .await
        .unwrap();
    assert_eq!(joined.one_of(&comment.mentions[0]), Some(&parts[1]));
    assert_eq!(joined.one_of(&comment.mentions[1]), None);
}

#[tokio::test]
async fn a_set_of_one_kind_is_split_by_itself() {
    let t = Harness::new("a_set_of_one_kind").await;
    let parts = parts(30);
    t.given(&parts).await;
    let hosts = [host(1), host(2)];
    t.given(&hosts).await;
    let mut also: Vec<_> = parts.iter().map(|part| Subject::Part(part.id)).collect();
    also.extend(hosts.iter().map(|host| Subject::Host(host.id)));
    let comment = comment(also);
    let settings = Settings::default().split_from(10).range(5, 10);
    let odm = t.odm.with_settings(settings);
    t.forget();
    let found = comment.load_also::<Part>(&odm).await.unwrap();
    assert_eq!(found, parts);
    assert_eq!(t.recorder().names(), ["find"; 3]);
    t.forget();
    assert_eq!(comment.load_also::<Host>(&odm).await.unwrap(), hosts);
    assert_eq!(t.recorder().names(), ["find"]);
}

#[tokio::test]
async fn options_of_joins_and_transactions_apply() {
    let t = Harness::new("options_of_polymorphic_joins").await;
    let (parts, _, _, comment) = commented(&t).await;
    let names = comment
        .load_also::<Part>(&t.odm)
        .select::<PartName>()
        .sort(Part::fields().partno.desc())
        .limit(1)
        .await
        .unwrap();
    let highest = [parts[0].clone(), parts[2].clone()];
    let highest = highest.iter().max_by_key(|part| part.partno.clone());
    assert_eq!(names[0].name, highest.unwrap().name);
    let error = comment.load_also::<Part>(&t.odm).require_all().await;
    assert!(matches!(error, Err(Error::Missing { .. })), "{error:?}");
    let comment = &comment;
    let in_transaction = async |tx: mongo_odm::Tx| comment.load_also::<Part>(&tx).await;
    let found = t.odm.transaction(in_transaction).await.unwrap();
    assert_eq!(found.len(), 3);
    let slots = comment.load_subject::<Host>(&t.odm).await.unwrap();
    assert!(slots.is_some());
}

#[tokio::test]
async fn indexes_are_implied_on_the_keys_and_on_what_they_are_compared_with() {
    let t = Harness::new("polymorphic_indexes").await;
    let diff = t.odm.index_diff().only::<Comment>().only::<Account>();
    let diff = diff.only::<Picture>().await.unwrap();
    let wanted: Vec<_> = diff
        .missing
        .iter()
        .map(|index| {
            format!(
                "{} {:?}",
                index.collection,
                index.keys.keys().collect::<Vec<_>>()
            )
        })
        .collect();
    for expected in [
        "comments [\"subject.id\"]",
        "comments [\"also.id\"]",
        "comments [\"mentions.of.id\"]",
        "accounts [\"account_id\"]",
        "pictures [\"owner_id\"]",
    ] {
        assert!(
            wanted.iter().any(|it| it == expected),
            "{expected}: {wanted:?}"
        );
    }
}

#[tokio::test]
async fn filters_reach_kind_and_key_and_bounds_hold() {
    let t = Harness::new("polymorphic_filters").await;
    let (parts, _, _, comment) = commented(&t).await;
    let fields = Comment::fields();
    let about = fields
        .also
        .kind
        .eq("part")
        .and(fields.also.id.eq(AnyKey(parts[2].id.into())));
    let found = Comment::find(&t.odm).filter(about).await.unwrap();
    assert_eq!(found, std::slice::from_ref(&comment));
    let whole = fields.subject.eq(comment.subject.clone());
    assert_eq!(
        Comment::find(&t.odm).filter(whole).count().await.unwrap(),
        1
    );
    let push = |subject| Comment::update(&t.odm, comment.id).push(Comment::fields().also, subject);
    push(Subject::Account(9)).await.unwrap();
    let error = push(Subject::Account(10)).await.unwrap_err();
    assert!(error.to_string().contains("Comment.also"), "{error}");
    let slots = comment.load_also::<Host>(&t.odm).slots().await.unwrap();
    assert!(matches!(slots[..], [Slot::Found(_)]));
}
