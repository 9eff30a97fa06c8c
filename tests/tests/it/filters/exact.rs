//! Operands for which the server's operator alone would match more than equal values.

use std::collections::BTreeSet;

use mongo_odm::{
    Filter, IntoFilter,
    bson::{Bson, Regex, doc},
    prelude::*,
};
use odm_tests::Harness;

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &i32) -> bool {
    *number == 0
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "exact_makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: Id<Maker, i32>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    maker: Id<Maker, i32>,
    #[denorm(from = "Maker.name")]
    maker_name: String,
    note: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "exact_boxes")]
struct Crate {
    #[serde(rename = "_id")]
    id: Id<Crate, i32>,
    #[serde(default, skip_serializing_if = "is_zero")]
    left: i32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    lines: Vec<Line>,
    matrix: Vec<Vec<i32>>,
    maybe: Option<Vec<Option<i32>>>,
    fixed: [i32; 2],
    any: Vec<Bson>,
    one: Bson,
}

fn empty(id: i32) -> Crate {
    Crate {
        id: Id::from_key(id),
        left: 0,
        tags: Vec::new(),
        lines: Vec::new(),
        matrix: Vec::new(),
        maybe: None,
        fixed: [0, 0],
        any: Vec::new(),
        one: Bson::Null,
    }
}

fn line(note: Option<i32>) -> Line {
    Line {
        maker: Id::from_key(1),
        maker_name: String::new(),
        note,
    }
}

async fn ids(t: &Harness, filter: impl IntoFilter<Crate>) -> BTreeSet<i32> {
    let found = Crate::find(&t.odm).filter(filter).await.unwrap();
    found.iter().map(|found| *found.id.key()).collect()
}

async fn given(test: &str, crates: &[Crate]) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_indexes().only::<Crate>().await.unwrap();
    let maker = Maker {
        id: Id::from_key(1),
        name: "Ann".into(),
    };
    maker.insert(&t.odm).await.unwrap();
    Crate::insert_many(&t.odm, crates).await.unwrap();
    t
}

#[tokio::test]
async fn a_value_that_serde_leaves_out_equals_a_missing_field() {
    let (mut full, mut stored) = (empty(2), empty(3));
    full.left = 1;
    full.tags = vec!["red".into()];
    stored.left = 1;
    let t = given("exact_left_out", &[empty(1), full, stored]).await;
    let of = Crate::fields();
    // `$inc` stores a zero, which an insert would leave out.
    let third = Id::from_key(3);
    Crate::update(&t.odm, third).inc(of.left, -1).await.unwrap();
    let (zero, one) = (BTreeSet::from([1, 3]), BTreeSet::from([2]));
    assert_eq!(ids(&t, of.left.eq(0)).await, zero);
    assert_eq!(ids(&t, of.left.is_in([0, 7])).await, zero);
    assert_eq!(ids(&t, !of.left.ne(0)).await, zero);
    assert_eq!(ids(&t, of.left.ne(0)).await, one);
    assert_eq!(ids(&t, of.left.is_not_in([0])).await, one);
    assert_eq!(ids(&t, of.tags.eq(Vec::new())).await, zero);
    assert_eq!(ids(&t, of.tags.size(0)).await, zero);
    assert_eq!(ids(&t, of.tags.size(1)).await, one);
}

#[tokio::test]
async fn a_missing_value_at_a_position_is_not_found_in_every_array() {
    let (mut noted, mut plain) = (empty(1), empty(2));
    noted.lines = vec![line(Some(5))];
    plain.lines = vec![line(None)];
    let t = given("exact_positions", &[noted, plain.clone()]).await;
    let (of, second) = (Crate::fields(), BTreeSet::from([2]));
    assert_eq!(ids(&t, of.lines.eq(plain.lines.clone())).await, second);
    assert_eq!(ids(&t, of.lines.is_in([plain.lines.clone()])).await, second);
    assert_eq!(ids(&t, of.lines.ne(plain.lines)).await, BTreeSet::from([1]));
    let note = of.lines.at::<0>().note;
    assert_eq!(ids(&t, note.eq(None)).await, second);
    assert_eq!(ids(&t, note.is_in([None, Some(7)])).await, second);
    assert_eq!(ids(&t, note.ne(None)).await, BTreeSet::from([1]));
}

#[tokio::test]
async fn elements_are_not_compared_with_the_whole_array() {
    let (mut inner, mut nulls) = (empty(2), empty(3));
    inner.matrix = vec![vec![], vec![1]];
    inner.fixed = [1, 2];
    nulls.maybe = Some(vec![None]);
    let t = given("exact_elements", &[empty(1), inner, nulls]).await;
    let of = Crate::fields();
    let none = || Vec::<i32>::new();
    let (second, third) = (BTreeSet::from([2]), BTreeSet::from([3]));
    assert_eq!(ids(&t, of.matrix.contains(none())).await, second);
    assert_eq!(ids(&t, of.matrix.contains_any([none()])).await, second);
    let both = of.matrix.contains_all([none(), vec![1]]);
    assert_eq!(ids(&t, both).await, second);
    assert_eq!(ids(&t, of.maybe.contains(None)).await, third);
    assert_eq!(ids(&t, of.maybe.contains_any([None])).await, third);
    assert_eq!(ids(&t, of.maybe.is_null()).await, BTreeSet::from([1, 2]));
    assert_eq!(ids(&t, of.fixed.at::<1>().eq(2)).await, second);
}

#[tokio::test]
async fn patterns_and_operators_in_operands_are_values() {
    let pattern = Bson::RegularExpression(Regex {
        pattern: ".".try_into().unwrap(),
        options: String::new().try_into().unwrap(),
    });
    let operator = Bson::Document(doc! { "$exists": true });
    let mut texts = empty(1);
    texts.any = vec!["a".into(), "b".into()];
    texts.one = "a".into();
    let mut patterns = empty(2);
    patterns.any = vec![pattern.clone(), "b".into()];
    patterns.one = pattern.clone();
    let t = given("exact_patterns", &[texts, patterns]).await;
    let (of, second) = (Crate::fields(), BTreeSet::from([2]));
    let filters: [Filter<Crate>; 6] = [
        of.one.eq(pattern.clone()),
        of.one.is_in([pattern.clone(), operator.clone()]),
        !of.one.ne(pattern.clone()),
        of.any.contains(pattern.clone()),
        of.any.contains_any([pattern.clone(), operator]),
        of.any.contains_all([pattern.clone(), "b".into()]),
    ];
    for filter in filters {
        assert_eq!(ids(&t, filter.clone()).await, second, "{filter:?}");
    }
    Crate::update_many(&t.odm, Filter::all())
        .pull(of.any, pattern)
        .await
        .unwrap();
    let left = Crate::find(&t.odm).sort(of.id.asc()).await.unwrap();
    let left: Vec<usize> = left.iter().map(|found| found.any.len()).collect();
    assert_eq!(left, [2, 1]);
}

#[tokio::test]
async fn pull_keeps_inner_arrays_that_contain_the_operand() {
    let mut inner = empty(1);
    inner.any = vec![1.into(), Bson::Array(vec![1.into()])];
    let t = given("exact_pull", &[inner]).await;
    let of = Crate::fields();
    let id = Id::from_key(1);
    Crate::update(&t.odm, id)
        .pull(of.any, Bson::from(1))
        .await
        .unwrap();
    let left = Crate::get(&t.odm, id).await.unwrap().any;
    assert_eq!(left, [Bson::Array(vec![1.into()])]);
}
