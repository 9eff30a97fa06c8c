//! Fields that have two possible values, missing fields, and distinct values.

use super::*;

#[tokio::test]
async fn two_valued_fields_are_encoded_as_well() {
    let t = Harness::new("encoding_two_valued").await;
    let (a, b, c) = three(&t).await;
    let kinds = Kinds::fields();
    assert_eq!(found(&t, kinds.flag.eq(true)).await, [b.id]);
    assert_eq!(found(&t, kinds.flag.ne(true)).await, [a.id, c.id]);
    assert_eq!(found(&t, kinds.size.eq(Size::Medium)).await, [b.id]);
    assert_eq!(element(&t, &b.id, "size").await, Bson::from("medium sized"));
    assert_eq!(element(&t, &a.id, "size").await, Bson::from("A-LITTLE"));
    assert_eq!(found(&t, kinds.tiny.eq(-50)).await, [a.id]);
    assert_eq!(found(&t, kinds.body.eq(Body::Dot)).await, []);
    Kinds::update(&t.odm, a.id)
        .set(kinds.body, Body::Dot)
        .set(kinds.pair, Body::Named("n".to_owned()))
        .set(
            kinds.event,
            Event::LoggedIn {
                from: "home".to_owned(),
            },
        )
        .await
        .unwrap();
    assert_eq!(element(&t, &a.id, "body").await, Bson::from("Dot"));
    assert_eq!(
        element(&t, &a.id, "pair").await,
        Bson::from(doc! { "Named": "n" })
    );
    assert_eq!(
        element(&t, &a.id, "event").await,
        Bson::from(doc! { "kind": "logged_in", "from": "home" })
    );
    assert_eq!(found(&t, kinds.body.eq(Body::Dot)).await, [a.id]);
}

#[tokio::test]
async fn an_absent_option_is_null_and_matches_null() {
    let t = Harness::new("encoding_option").await;
    let (a, b, c) = three(&t).await;
    let kinds = Kinds::fields();
    assert_eq!(found(&t, kinds.absent.eq(None)).await, [a.id, b.id, c.id]);
    Kinds::update(&t.odm, b.id)
        .set(kinds.absent, "here")
        .await
        .unwrap();
    assert_eq!(found(&t, kinds.absent.eq("here")).await, [b.id]);
    assert_eq!(
        found(&t, kinds.absent.eq(Some("here".to_owned()))).await,
        [b.id]
    );
    assert_eq!(found(&t, kinds.absent.ne(None)).await, [b.id]);
    assert_eq!(
        found(&t, kinds.absent.is_in([None, Some("x".to_owned())])).await,
        [a.id, c.id]
    );
    Kinds::update(&t.odm, b.id)
        .set(kinds.absent, None)
        .await
        .unwrap();
    assert_eq!(element(&t, &b.id, "absent").await, Bson::Null);
}

#[tokio::test]
async fn distinct_decodes_what_the_field_stores() {
    let t = Harness::new("encoding_distinct").await;
    let (a, b, c) = three(&t).await;
    let kinds = Kinds::fields();
    macro_rules! values {
        ($($($field:ident).+),+ $(,)?) => {$(
            let values = Kinds::distinct(&t.odm, kinds.$($field).+).await.unwrap();
            let expected = [&a.$($field).+, &b.$($field).+, &c.$($field).+];
            assert_eq!(values.len(), 3, "{}", stringify!($($field).+));
            assert!(
                expected.iter().all(|expected| values.contains(expected)),
                "{}: {values:?}", stringify!($($field).+)
            );
        )+};
    }
    values!(
        bson_uuid,
        plain_uuid,
        ip_four,
        ip_six,
        chrono_date,
        chrono_text,
        offset_text,
        timestamp,
        color,
        body,
        pair,
        event,
        sku,
        present,
        present_uuid,
        price,
        nested,
        nested.key,
        nested.since,
        euros,
        token,
        renamed,
        tiny,
        small,
        medium,
        large,
        tiny_positive,
        small_positive,
        medium_positive,
        large_positive,
        single,
        double,
        letter,
        date,
        object,
        by_name,
        flat.name,
        flat.secret,
    );
    assert_eq!(Kinds::distinct(&t.odm, kinds.absent).await.unwrap(), [None]);
    let each = Kinds::distinct(&t.odm, kinds.addresses.each())
        .await
        .unwrap();
    assert_eq!(each.len(), 6);
    assert!(each.contains(&IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2))));
    let each = Kinds::distinct(&t.odm, kinds.inners.each()).await.unwrap();
    assert!(each.contains(&inner(11)));
    let null = doc! { "$set": { "inners": null, "addresses": null } };
    let update = t
        .odm
        .database()
        .collection::<mongo_odm::bson::Document>("kinds");
    update
        .update_one(doc! { "_id": a.id.key() }, null)
        .await
        .unwrap();
    let each = Kinds::distinct(&t.odm, kinds.inners.each()).await.unwrap();
    assert!(each.contains(&inner(11)), "a null has no elements");
    let each = Kinds::distinct(&t.odm, kinds.inners.since).await.unwrap();
    assert!(each.contains(&chrono_of(11)));
}
