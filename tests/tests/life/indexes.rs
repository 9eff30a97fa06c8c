//! Unique indexes of models that keep deleted documents. They contain only live documents.

use mongo_odm::{
    Error,
    bson::{Bson, doc},
    prelude::*,
};

use crate::models::*;

#[tokio::test]
async fn a_new_document_may_have_the_unique_value_of_a_deleted_one() {
    let t = filled("life_unique").await;
    let odm = &t.odm;
    let mut second = project(9);
    second.slug = "p1".to_owned();
    let twice = second.insert(odm).await.unwrap_err();
    assert!(matches!(twice, Error::DuplicateKey { .. }), "{twice}");
    Project::delete(odm, id(1)).await.unwrap();
    second.insert(odm).await.unwrap();
    let twice = project(9).insert(odm).await.unwrap_err();
    assert!(matches!(twice, Error::DuplicateKey { .. }), "{twice}");

    let taken = Project::restore(odm, id(1)).await.unwrap_err();
    assert!(matches!(taken, Error::DuplicateKey { .. }), "{taken}");
    assert_eq!(live::<Task>(odm).await, [4]);
    assert!(is_deleted(odm, "life_projects", 1).await);
    Project::purge(odm, id(9)).await.unwrap();
    Project::restore(odm, id(1)).await.unwrap();
    assert_eq!(live::<Task>(odm).await, [1, 2, 3, 4]);
}

#[tokio::test]
async fn the_index_is_partial_and_unchanged_by_a_second_call() {
    let t = board("life_index").await;
    let indexes = t
        .odm
        .database()
        .collection::<mongo_odm::bson::Document>("life_projects");
    let indexes = indexes.list_indexes().await.unwrap();
    let indexes: Vec<_> = futures_util::TryStreamExt::try_collect(indexes)
        .await
        .unwrap();
    let unique = indexes
        .iter()
        .find(|it| it.keys.contains_key("slug"))
        .unwrap();
    let options = unique.options.as_ref().unwrap();
    assert_eq!(
        options.partial_filter_expression,
        Some(doc! { "deleted_at": Bson::Null })
    );
    let report = t.odm.sync_indexes().only::<Project>().await.unwrap();
    assert!(report.created.is_empty(), "{report:?}");
}

#[tokio::test]
async fn get_or_create_does_not_return_a_deleted_document() {
    let t = filled("life_get_or_create").await;
    let odm = &t.odm;
    Project::delete(odm, id(1)).await.unwrap();
    let mut new = project(9);
    new.slug = "p1".to_owned();
    let found = Project::get_or_create(odm, Project::fields().slug.eq("p1"), &new)
        .await
        .unwrap();
    assert!(found.is_created);
    let again = Project::get_or_create(odm, Project::fields().slug.eq("p1"), &new)
        .await
        .unwrap();
    assert!(!again.is_created);
    assert_eq!(again.document.id, id(9));
}
