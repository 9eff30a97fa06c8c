//! Operands: elements of arrays, arithmetic, values that look like operators.

use super::*;

/// Checks that `contains`, `push`, `add_to_set` and `pull` encode an element in the same way as the array.
macro_rules! each_array {
    ($t:expr, $docs:expr; $($field:ident: $item:expr),+ $(,)?) => {$(
        let (a, b, c) = &$docs;
        let field = Kinds::fields().$field;
        let path = field.path();
        let item = $item;
        let (of_a, of_b, of_c) = (item(0), item(1), item(2));
        assert_eq!(found($t, field.contains(of_a.clone())).await, [a.id], "contains {path}");
        assert_eq!(
            found($t, field.contains_any([of_a.clone(), of_b.clone()])).await,
            [a.id, b.id],
            "contains_any {path}"
        );
        assert_eq!(
            found($t, field.contains_all([of_a.clone(), of_b.clone()])).await,
            [],
            "contains_all {path}"
        );
        let before = element($t, &c.id, &path).await;
        let stored = element($t, &a.id, &path).await.as_array().unwrap()[0].clone();
        Kinds::update(&$t.odm, c.id).push(field, &of_a).await.unwrap();
        let pushed = element($t, &c.id, &path).await;
        assert_eq!(pushed.as_array().unwrap().last(), Some(&stored), "push {path}");
        assert_eq!(
            found($t, field.contains_all([of_a.clone(), of_c.clone()])).await,
            [c.id],
            "contains_all {path}"
        );
        let again = Kinds::update(&$t.odm, c.id).add_to_set(field, &of_a).await.unwrap();
        assert_eq!((again.matched, again.modified), (1, 0), "add_to_set {path}");
        Kinds::update(&$t.odm, c.id).pull(field, &of_a).await.unwrap();
        assert_eq!(element($t, &c.id, &path).await, before, "pull {path}");
        Kinds::update(&$t.odm, c.id).add_to_set(field, &of_a).await.unwrap();
        assert_eq!(element($t, &c.id, &path).await, pushed, "add_to_set {path}");
        Kinds::update(&$t.odm, c.id).set(field, &a.$field).await.unwrap();
        assert_eq!(
            element($t, &c.id, &path).await,
            element($t, &a.id, &path).await,
            "set {path}"
        );
        assert_eq!(found($t, field.eq(&a.$field)).await, [a.id, c.id], "eq {path}");
    )+};
}

#[tokio::test]
async fn elements_are_encoded_as_their_array_does() {
    let t = Harness::new("encoding_arrays").await;
    let docs = three(&t).await;
    each_array!(&t, docs;
        uuids: uuid_of,
        addresses: |n: u8| IpAddr::V4(Ipv4Addr::new(10, 0, 0, n)),
        dates: chrono_of,
        colors: |n: u8| [Color::Azure, Color::Blue, Color::Cyan][usize::from(n)],
        skus: |n: u8| Sku(format!("sku-{n}")),
        inners: inner,
        maybe_dates: bson_of,
    );
}

#[tokio::test]
async fn a_field_of_an_array_of_structs_is_encoded_with_its_codec() {
    let t = Harness::new("encoding_nested_codec").await;
    let (a, b, c) = three(&t).await;
    let inners = Kinds::fields().inners;
    assert_eq!(inners.since.path(), "inners.since");
    assert_eq!(inners.street_name.path(), "inners.streetName");
    assert_eq!(found(&t, inners.since.eq(chrono_of(11))).await, [b.id]);
    assert_eq!(found(&t, inners.since.gt(chrono_of(11))).await, [c.id]);
    let filter = inners.elem_match(|inner| inner.since.eq(chrono_of(0)) & inner.key.eq(uuid_of(0)));
    assert_eq!(found(&t, filter).await, [a.id]);
    Kinds::update(&t.odm, a.id)
        .pull_where(inners, Inner::fields().since.eq(chrono_of(10)))
        .await
        .unwrap();
    assert_eq!(Kinds::get(&t.odm, a.id).await.unwrap().inners, [inner(0)]);
}

#[tokio::test]
async fn min_max_and_inc_encode_as_the_field_does() {
    let t = Harness::new("encoding_numbers").await;
    let a = kinds(5);
    a.insert(&t.odm).await.unwrap();
    let kinds = Kinds::fields();
    Kinds::update(&t.odm, a.id)
        .inc(kinds.tiny_positive, 1)
        .inc(kinds.euros, 0.5)
        .mul(kinds.double, 2.0)
        .min(kinds.chrono_date, chrono_of(1))
        .max(kinds.token, ObjectId::from_bytes([9; 12]))
        .min(kinds.medium, 7)
        .await
        .unwrap();
    let stored = Kinds::get(&t.odm, a.id).await.unwrap();
    assert_eq!(stored.tiny_positive, a.tiny_positive + 1);
    assert!((stored.euros - (a.euros + 0.5)).abs() < 1e-9);
    assert!((stored.double - a.double * 2.0).abs() < 1e-9);
    assert_eq!(stored.chrono_date, chrono_of(1));
    assert_eq!(stored.token, ObjectId::from_bytes([9; 12]));
    assert_eq!(stored.medium, a.medium);
    assert_eq!(element(&t, &a.id, "euros").await, Bson::Int64(575));
}

#[tokio::test]
async fn a_number_that_bson_cannot_hold_is_refused_before_anything_is_sent() {
    let t = Harness::new("encoding_u64").await;
    let field = Kinds::fields().large_positive;
    let mut kinds = kinds(1);
    kinds.insert(&t.odm).await.unwrap();
    let names_field = |error: Error| {
        let Error::Encode { model, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(*model, Some("Kinds"));
        let text = error.to_string();
        assert!(
            text.starts_with("cannot encode a value for `largePositive` (`Kinds`): "),
            "{text}"
        );
    };
    t.forget();
    names_field(
        Kinds::update(&t.odm, kinds.id)
            .set(field, u64::MAX)
            .await
            .unwrap_err(),
    );
    names_field(
        Kinds::find(&t.odm)
            .filter(field.eq(u64::MAX))
            .await
            .unwrap_err(),
    );
    names_field(
        Kinds::find(&t.odm)
            .filter(field.is_in([1, u64::MAX]))
            .await
            .unwrap_err(),
    );
    names_field(
        Kinds::find(&t.odm)
            .filter(!field.gt(u64::MAX))
            .count()
            .await
            .unwrap_err(),
    );
    let both = field.gt(1) & field.lt(u64::MAX);
    names_field(Kinds::find_one(&t.odm).filter(both).await.unwrap_err());
    names_field(
        Kinds::delete_many(&t.odm, field.gt(u64::MAX))
            .await
            .unwrap_err(),
    );
    names_field(
        Kinds::update_many(&t.odm, doc! {})
            .inc(field, u64::MAX)
            .await
            .unwrap_err(),
    );
    names_field(
        Kinds::exists(&t.odm)
            .filter(field.eq(u64::MAX))
            .await
            .unwrap_err(),
    );
    kinds.large_positive = u64::MAX;
    for error in [
        kinds.insert(&t.odm).await.unwrap_err(),
        Kinds::insert_many(&t.odm, [&kinds]).await.unwrap_err(),
        kinds.save(&t.odm).await.unwrap_err(),
    ] {
        assert!(matches!(&error, Error::Encode { .. }), "{error:?}");
        let text = error.to_string();
        assert!(
            text.starts_with("cannot encode a document at `largePositive` (`Kinds`): "),
            "{text}"
        );
    }
    assert_eq!(t.recorder().round_trips(), 0, "{}", t.recorder());
}

/// A model with fields whose values look like query operators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "loose")]
struct Loose {
    #[serde(rename = "_id")]
    id: Id<Loose>,
    map: HashMap<String, i32>,
    any: Bson,
    list: Vec<Bson>,
}

#[tokio::test]
async fn an_operand_is_a_value_and_never_an_operator() {
    let t = Harness::new("encoding_literal").await;
    let loose = Loose {
        id: Id::new(),
        map: HashMap::from([("a".to_owned(), 1)]),
        any: Bson::from("secret"),
        list: vec![Bson::Int32(1)],
    };
    loose.insert(&t.odm).await.unwrap();
    let fields = Loose::fields();
    let operator: Bson = doc! { "$gt": "" }.into();
    let regex: Bson = doc! { "$regex": "^s" }.into();
    let pattern = Bson::RegularExpression(bson::Regex {
        pattern: "^s".to_owned().try_into().unwrap(),
        options: String::new().try_into().unwrap(),
    });
    for value in [operator, regex, pattern] {
        let found = Loose::find(&t.odm)
            .filter(fields.any.eq(value.clone()))
            .await;
        assert_eq!(found.unwrap_or_default(), [], "eq {value}");
        let found = Loose::find(&t.odm)
            .filter(fields.list.contains(value.clone()))
            .await;
        assert_eq!(found.unwrap_or_default(), [], "contains {value}");
    }
    let map = HashMap::from([("$gt".to_owned(), 0)]);
    assert_eq!(
        Loose::find(&t.odm)
            .filter(fields.map.eq(map))
            .await
            .unwrap_or_default(),
        []
    );
    assert_eq!(
        Loose::find(&t.odm)
            .filter(fields.map.eq(&loose.map))
            .await
            .unwrap(),
        [loose]
    );
}
