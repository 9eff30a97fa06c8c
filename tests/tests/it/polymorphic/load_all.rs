//! Documents of several models, loaded in one call in the order of their references.

use super::*;

#[derive(Debug, PartialEq)]
pub(super) enum SubjectDocument {
    Part(Part),
    Substitute(Part),
    Host(Host),
    Account(Account),
}

/// A reference with a key that may be null, and a reference to several kinds of a collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id")]
#[embedded(loaded = AnyDocument)]
enum Anything {
    #[refs(to = "Part")]
    Part(Option<Id<Part>>),
    Tool(Id<Tool>),
}

#[derive(Debug, PartialEq)]
enum AnyDocument {
    Part(Part),
    Tool(Tool),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "polymorphic_tools", kind(tool = "hammer"))]
struct Hammer {
    #[serde(rename = "_id")]
    id: Id<Hammer>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "polymorphic_tools", kind(tool = "saw"))]
struct Saw {
    #[serde(rename = "_id")]
    id: Id<Saw>,
    teeth: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "tool", rename_all = "lowercase")]
enum Tool {
    Hammer(Hammer),
    Saw(Saw),
}

fn names(t: &Harness) -> Vec<String> {
    let finds = commands(t, "find").into_iter();
    let mut names: Vec<_> = finds
        .map(|find| find.get_str("find").unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn documents_of_all_models_come_in_the_order_of_their_references() {
    let t = Harness::new("load_all_order").await;
    let (parts, hosts, accounts, comment) = commented(&t).await;
    let Subject::Part(gone) = comment.also[5] else {
        panic!("{comment:?}")
    };
    let slots = Subject::load_all(&comment.also, &t.odm).await.unwrap();
    assert_eq!(
        names(&t),
        ["accounts", "hosts", "parts"],
        "one find for each collection"
    );
    let expected = [
        Slot::Found(SubjectDocument::Host(hosts[1].clone())),
        Slot::Found(SubjectDocument::Part(parts[2].clone())),
        Slot::Found(SubjectDocument::Account(accounts[1].clone())),
        Slot::NoModel,
        Slot::Found(SubjectDocument::Substitute(parts[0].clone())),
        Slot::Missing(Bson::from(*gone.key()).into()),
        Slot::Found(SubjectDocument::Part(parts[2].clone())),
    ];
    assert_eq!(slots, expected);
}

#[tokio::test]
async fn a_model_that_does_not_occur_is_not_asked() {
    let t = Harness::new("load_all_absent").await;
    let (_, hosts, _, comment) = commented(&t).await;
    let slots = Subject::load_all(&comment.subject, &t.odm).await.unwrap();
    assert_eq!(
        slots,
        [Slot::Found(SubjectDocument::Host(hosts[0].clone()))]
    );
    assert_eq!(names(&t), ["hosts"]);
    t.forget();
    let unknown = [Subject::Unknown(doc! { "kind": "gadget" })];
    assert_eq!(
        Subject::load_all(&unknown, &t.odm).await.unwrap(),
        [Slot::NoModel]
    );
    assert_eq!(Subject::load_all([], &t.odm).await.unwrap(), []);
    let null = Anything::load_all([&Anything::Part(None)], &t.odm)
        .await
        .unwrap();
    assert_eq!(null, [Slot::Null]);
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn a_plan_is_what_load_all_sends() {
    let t = Harness::new("load_all_plan").await;
    let (_, _, _, comment) = commented(&t).await;
    let mentions = || comment.mentions.iter().map(|mention| &mention.of);
    let plan = Subject::load_all(mentions(), &t.odm).plan().unwrap();
    assert_eq!(t.recorder().names(), [""; 0]);
    let planned: Vec<_> = plan
        .statements
        .iter()
        .map(|sent| sent.collection.clone().unwrap())
        .collect();
    assert_eq!(planned, ["parts", "accounts"]);
    let load = Subject::load_all(mentions(), &t.odm);
    let slots = load
        .options(|find| find.comment = Some("mentions".into()))
        .await
        .unwrap();
    assert_eq!(slots.len(), 2);
    for find in commands(&t, "find") {
        assert_eq!(find.get_str("comment").unwrap(), "mentions");
    }
    assert_eq!(names(&t), ["accounts", "parts"]);
}

#[tokio::test]
async fn missing_and_ambiguous_keys_are_errors_where_joins_have_them() {
    let t = Harness::new("load_all_errors").await;
    let (_, _, accounts, comment) = commented(&t).await;
    let error = Subject::load_all(&comment.also, &t.odm)
        .require_all()
        .await
        .unwrap_err();
    assert!(
        matches!(error, Error::Missing { model: "Part", .. }),
        "{error}"
    );
    let again = Account {
        id: Id::new(),
        account_id: accounts[0].account_id,
    };
    t.given(&[again]).await;
    let subject = Subject::Account(accounts[0].account_id);
    let error = Subject::load_all([&subject], &t.odm).await.unwrap_err();
    assert!(
        matches!(error, Error::Ambiguous { found: 2, .. }),
        "{error}"
    );
}

#[tokio::test]
async fn a_transaction_reads_all_models_in_its_snapshot() {
    let t = Harness::new("load_all_transaction").await;
    let (_, _, _, comment) = commented(&t).await;
    let read = t.odm.transaction(async |tx| {
        let before = Subject::load_all(&comment.also, &tx).await?;
        Host::delete_many(tx.odm(), doc! {}).everything().await?;
        Ok((before, Subject::load_all(&comment.also, &tx).await?))
    });
    let (before, after) = read.await.unwrap();
    assert_eq!(before, after);
    let slots = Subject::load_all(&comment.also, &t.odm).await.unwrap();
    assert!(slots[0].is_missing());
}

#[tokio::test]
async fn a_variant_may_lead_to_several_kinds() {
    let t = Harness::new("load_all_kinds").await;
    let (hammer, saw) = (
        Hammer { id: Id::new() },
        Saw {
            id: Id::new(),
            teeth: 30,
        },
    );
    t.given(std::slice::from_ref(&hammer)).await;
    t.given(std::slice::from_ref(&saw)).await;
    t.forget();
    let references = [
        Anything::Tool(Tool::id_of::<Saw>(&saw.id)),
        Anything::Part(None),
        Anything::Tool(Tool::id_of::<Hammer>(&hammer.id)),
    ];
    let slots = Anything::load_all(&references, &t.odm).await.unwrap();
    let tool = |tool| Slot::Found(AnyDocument::Tool(tool));
    assert_eq!(
        slots,
        [tool(Tool::Saw(saw)), Slot::Null, tool(Tool::Hammer(hammer))]
    );
    assert_eq!(names(&t), ["polymorphic_tools"]);
    let one = references[0].load::<Tool>(&t.odm).await.unwrap();
    assert!(matches!(one, Some(Tool::Saw(Saw { teeth: 30, .. }))));
}

#[tokio::test]
async fn thousands_of_references_stay_in_order() {
    let t = Harness::new("load_all_thousands").await;
    let all = parts(2_500);
    t.given(&all).await;
    let hosts: Vec<_> = (0..50).map(host).collect();
    t.given(&hosts).await;
    t.forget();
    let references: Vec<_> = (0..5_000_usize)
        .map(|at| match at % 50 {
            0 => Subject::Host(hosts[at / 100].id),
            _ => Subject::Part(all[(at * 7) % 2_500].id),
        })
        .collect();
    let slots = Subject::load_all(&references, &t.odm).await.unwrap();
    assert_eq!(slots.len(), references.len());
    for (reference, slot) in references.iter().zip(slots) {
        match (reference, slot.found()) {
            (Subject::Host(id), Some(SubjectDocument::Host(host))) => assert_eq!(host.id, *id),
            (Subject::Part(id), Some(SubjectDocument::Part(part))) => assert_eq!(part.id, *id),
            other => panic!("{other:?}"),
        }
    }
    let finds = names(&t);
    assert_eq!(finds.iter().filter(|name| *name == "hosts").count(), 1);
}
