//! References to documents of several kinds. One `find` reads the documents, and each is decoded as
//! the struct of its kind.

use mongo_odm::{Error, Filter, bson::Bson, relation::Slot};

use super::*;
use odm_tests::sent::{commands, keys_of, only};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed_boards")]
pub(super) struct Board {
    #[serde(rename = "_id")]
    id: Id<Board>,
    #[refs(many)]
    entries: Vec<Id<Enrollment, String>>,
    #[refs(one)]
    first: Option<Id<Enrollment, String>>,
    #[refs(many)]
    known: Vec<Id<Known, String>>,
}

fn id(key: &str) -> Id<Enrollment, String> {
    Id::from_key(key.to_owned())
}

fn board(entries: &[&str]) -> Board {
    Board {
        id: Id::new(),
        entries: entries.iter().map(|key| id(key)).collect(),
        first: entries.first().map(|key| id(key)),
        known: Vec::new(),
    }
}

#[tokio::test]
async fn an_array_over_several_kinds_is_one_find_in_stored_order() {
    let t = school("mixed_references").await;
    let board = board(&["S2", "C0", "S0", "X", "C0"]);
    let found = board.load_entries(&t.odm).await.unwrap();
    assert_eq!(keys(&found), ["S2", "C0", "S0", "C0"]);
    assert_eq!(found[0], Enrollment::Student(student(2)));
    assert_eq!(found[1], Enrollment::Class(class(0)));
    let find = only(&t, "find");
    assert_eq!(
        keys_of(&find, "_id"),
        ["C0", "S0", "S2", "X"].map(Bson::from)
    );

    let slots = board.load_entries(&t.odm).slots().await.unwrap();
    assert!(matches!(&slots[3], Slot::Missing(key) if key.to_bson() == Bson::from("X")));
    let first = board.load_first(&t.odm).await.unwrap();
    assert_eq!(first, Some(Enrollment::Student(student(2))));
    let error = board.load_entries(&t.odm).require_all().await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Missing {
                model: "Enrollment",
                ..
            }
        ),
        "{error}"
    );
}

#[tokio::test]
async fn a_join_takes_the_filters_and_sorts_of_the_enum() {
    let t = school("mixed_joins").await;
    let boards = [board(&["S2", "C1", "S1"]), board(&["C2", "S1"]), board(&[])];
    let joined = Board::join_entries(&boards, &t.odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["find"]);
    let of = |board| keys(&joined.of(board).cloned().collect::<Vec<_>>());
    assert_eq!(of(&boards[0]), ["S2", "C1", "S1"]);
    assert_eq!(of(&boards[1]), ["C2", "S1"]);
    assert_eq!(of(&boards[2]), [""; 0]);

    let enrollment = Enrollment::fields();
    let sorted = Board::join_entries(&boards, &t.odm)
        .sort(enrollment.name.desc())
        .await
        .unwrap();
    let found: Vec<_> = sorted.of(&boards[0]).cloned().collect();
    assert_eq!(keys(&found)[0], "S2");
    let students = Enrollment::of_kind(Filter::<Student>::all());
    let found = boards[0]
        .load_entries(&t.odm)
        .filter(students)
        .await
        .unwrap();
    assert_eq!(keys(&found), ["S2", "S1"]);
    let filter = commands(&t, "find").pop().unwrap();
    assert!(filter.to_string().contains("doc_type"), "{filter}");
    assert_eq!(boards[0].count_entries(&t.odm).await.unwrap(), 3);
}

#[tokio::test]
async fn an_unknown_kind_is_kept_or_reported_by_a_join() {
    let t = school("mixed_joins_hostile").await;
    store(
        &t,
        "mixed_school",
        [doc! { "_id": "A1", "doc_type": "alumnus" }],
    )
    .await;
    let mut board = board(&["S2", "A1"]);
    board.known = vec![Id::from_key("A1".to_owned())];
    let found = board.load_entries(&t.odm).await.unwrap();
    assert_eq!(
        found[1],
        Enrollment::Other(doc! { "_id": "A1", "doc_type": "alumnus" })
    );
    let error = board.load_known(&t.odm).await.unwrap_err().to_string();
    assert!(
        error.contains("_id \"A1\"") && error.contains("\"alumnus\""),
        "{error}"
    );
}

#[tokio::test]
async fn a_reference_to_several_kinds_is_verified_in_the_whole_collection() {
    let t = school("mixed_verify").await;
    t.given(&[board(&["S2", "C1"]), board(&["C9"])]).await;
    let drift = t.odm.verify().references(true).await.unwrap();
    let keys: Vec<_> = drift.items.iter().map(|item| format!("{item:?}")).collect();
    assert!(keys.iter().all(|item| item.contains("C9")), "{keys:?}");
    assert!(!keys.is_empty());
}

#[tokio::test]
async fn a_kind_is_followed_back_from_references_to_all_kinds() {
    let t = school("mixed_back").await;
    let boards = [board(&["S2", "C1"]), board(&["C1", "C2"]), board(&["S1"])];
    t.given(&boards).await;
    t.forget();
    let found = class(1)
        .load_boards(&t.odm)
        .sort(Board::fields().id.asc())
        .await
        .unwrap();
    assert_eq!(found, boards[..2]);
    assert_eq!(keys_of(&only(&t, "find"), "entries"), [Bson::from("C1")]);
    t.forget();
    let classes = [class(0), class(1), class(2)];
    let joined = Class::join_boards(&classes, &t.odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["find"]);
    let counts = classes.iter().map(|class| joined.of(class).len());
    assert_eq!(counts.collect::<Vec<_>>(), [0, 2, 1]);
    let first = class(1).load_first_of(&t.odm).await.unwrap();
    assert_eq!(first, boards[1..2]);
}
