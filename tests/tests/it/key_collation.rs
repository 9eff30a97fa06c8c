//! String keys in a collection whose default collation ignores case. The keys are joined byte by
//! byte.

use futures_util::TryStreamExt;
use mongo_odm::{JoinKey, bson::Bson, mongodb::options::Collation, prelude::*, relation::Slot};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "labels", has_many(sheets = "Sheet.codes"))]
struct Label {
    #[serde(rename = "_id")]
    id: Id<Label, String>,
    #[index]
    code: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sheets")]
struct Sheet {
    #[serde(rename = "_id")]
    id: Id<Sheet>,
    #[refs(many)]
    labels: Vec<Id<Label, String>>,
    #[refs(many, to = "Label.code")]
    codes: Vec<String>,
    #[refs(one)]
    label: Option<Id<Label, String>>,
    #[refs(one, to = "Label.code")]
    code: Option<String>,
}

fn sheet(keys: &[&str]) -> Sheet {
    let first = keys.first().map(|key| (*key).to_owned());
    Sheet {
        id: Id::new(),
        labels: keys
            .iter()
            .map(|key| Id::from_key((*key).to_owned()))
            .collect(),
        codes: keys.iter().map(|key| (*key).to_owned()).collect(),
        label: first.clone().map(Id::from_key),
        code: first,
    }
}

fn label(key: &str) -> Label {
    Label {
        id: Id::from_key(key.into()),
        code: key.into(),
    }
}

/// Creates two collections that ignore case, and stores the labels `GROMMET` and `bolt`.
async fn ignoring_case(test: &str) -> Harness {
    let t = Harness::new(test).await;
    for name in ["labels", "sheets"] {
        let ignoring_case = Collation::builder()
            .locale("en")
            .strength(mongo_odm::mongodb::options::CollationStrength::Secondary)
            .build();
        let database = t.database().database();
        database
            .create_collection(name)
            .collation(ignoring_case)
            .await
            .unwrap();
    }
    t.given(&[label("GROMMET"), label("bolt")]).await;
    let by_code = Label::find_one(&t.odm)
        .filter(Label::fields().code.eq("grommet"))
        .await
        .unwrap();
    assert!(by_code.is_some(), "a plain find ignores case");
    t
}

fn keys<'a>(labels: impl IntoIterator<Item = &'a Label>) -> Vec<&'a str> {
    labels
        .into_iter()
        .map(|label| label.code.as_str())
        .collect()
}

#[tokio::test]
async fn ids_that_differ_in_case_do_not_join() {
    let t = ignoring_case("ids_that_differ_in_case").await;
    let both = sheet(&["grommet", "bolt"]);
    assert_eq!(keys(&both.load_labels(&t.odm).await.unwrap()), ["bolt"]);
    let joined = Sheet::join_labels([&both], &t.odm).await.unwrap();
    assert_eq!(keys(joined.of(&both)), ["bolt"]);
    let missing = both.load_labels(&t.odm).missing().await.unwrap();
    assert_eq!(
        missing.iter().map(JoinKey::to_bson).collect::<Vec<_>>(),
        [Bson::from("grommet")]
    );
    assert!(matches!(
        &both.load_labels(&t.odm).slots().await.unwrap()[..],
        [Slot::Missing(_), Slot::Found(_)]
    ));
    assert_eq!(both.load_label(&t.odm).await.unwrap(), None);
    assert!(both.load_label(&t.odm).require().await.is_err());
    let one = Sheet::join_label([&both], &t.odm).await.unwrap();
    assert_eq!(one.one_of(&both), None);
    let exact = sheet(&["GROMMET"]);
    assert_eq!(keys(&exact.load_labels(&t.odm).await.unwrap()), ["GROMMET"]);
}

#[tokio::test]
async fn plain_keys_that_differ_in_case_do_not_join() {
    let t = ignoring_case("plain_keys_that_differ").await;
    let both = sheet(&["grommet", "bolt"]);
    assert_eq!(keys(&both.load_codes(&t.odm).await.unwrap()), ["bolt"]);
    let joined = Sheet::join_codes([&both], &t.odm).await.unwrap();
    assert_eq!(keys(joined.of(&both)), ["bolt"]);
    assert_eq!(both.load_code(&t.odm).await.unwrap(), None);
    let exact = sheet(&["GROMMET"]);
    assert_eq!(
        exact.load_code(&t.odm).await.unwrap(),
        Some(label("GROMMET"))
    );
}

#[tokio::test]
async fn what_a_collation_finds_too_much_is_neither_counted_nor_limited() {
    let t = ignoring_case("neither_counted_nor_limited").await;
    let both = sheet(&["grommet", "bolt"]);
    assert_eq!(both.count_labels(&t.odm).await.unwrap(), 1);
    assert_eq!(both.count_codes(&t.odm).await.unwrap(), 1);
    let counts = Sheet::join_labels([&both], &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(counts.of(&both), 1);
    let counts = Sheet::join_codes([&both], &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(counts.of(&both), 1);
    // In descending order, the wrong document is the first one.
    let last = || Label::fields().code.desc();
    let first = both
        .load_labels(&t.odm)
        .sort(last())
        .limit(1)
        .await
        .unwrap();
    assert_eq!(keys(&first), ["bolt"]);
    let first = both.load_codes(&t.odm).sort(last()).limit(1).await.unwrap();
    assert_eq!(keys(&first), ["bolt"]);
    let none = both.load_labels(&t.odm).sort(last()).skip(1).await.unwrap();
    assert_eq!(keys(&none), [""; 0]);
    let one = sheet(&["grommet"]);
    assert!(one.load_labels(&t.odm).limit(1).await.unwrap().is_empty());
    let joined = Sheet::join_codes([&one], &t.odm)
        .limit_each(1)
        .await
        .unwrap();
    assert_eq!(joined.of(&one).len(), 0);
}

#[tokio::test]
async fn a_stream_leaves_out_what_a_collation_finds_too_much() {
    let t = ignoring_case("a_stream_leaves_out").await;
    for wrong in [sheet(&["grommet"]), sheet(&["grommet", "nut"])] {
        let streamed: Vec<Label> = wrong
            .load_labels(&t.odm)
            .stream()
            .try_collect()
            .await
            .unwrap();
        assert_eq!(keys(&streamed), [""; 0]);
        let sorted = wrong
            .load_labels(&t.odm)
            .sort(Label::fields().code.asc())
            .stream();
        assert_eq!(
            keys(&sorted.try_collect::<Vec<_>>().await.unwrap()),
            [""; 0]
        );
    }
    let right: Vec<Label> = sheet(&["bolt"])
        .load_labels(&t.odm)
        .stream()
        .try_collect()
        .await
        .unwrap();
    assert_eq!(keys(&right), ["bolt"]);
}

#[tokio::test]
async fn children_refer_byte_by_byte_too() {
    let t = ignoring_case("children_refer_byte_by_byte").await;
    let sheets = [sheet(&["grommet"]), sheet(&["GROMMET", "bolt"])];
    t.given(&sheets).await;
    let owner = label("GROMMET");
    assert_eq!(owner.load_sheets(&t.odm).await.unwrap(), sheets[1..]);
    assert_eq!(owner.count_sheets(&t.odm).await.unwrap(), 1);
    let joined = Label::join_sheets([&owner], &t.odm).await.unwrap();
    assert!(joined.of(&owner).eq(&sheets[1..]));
    let joined = Label::join_sheets([&owner], &t.odm)
        .limit_each(5)
        .await
        .unwrap();
    assert!(joined.of(&owner).eq(&sheets[1..]));
    let counts = Label::join_sheets([&owner], &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(counts.of(&owner), 1);
}
