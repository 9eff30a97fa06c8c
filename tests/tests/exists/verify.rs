//! `verify` lists every reference that leads nowhere, with `exists` and without it.

use mongo_odm::{DriftKind, prelude::*};

use crate::models::*;

#[tokio::test]
async fn references_that_lead_nowhere_are_listed_with_and_without_exists() {
    let t = workshop("exists_verify").await;
    let odm = &t.odm;
    t.given(&[maker(1)]).await;
    let own = Tool {
        maker: Some(id(1)),
        spares: vec![id(1)],
        rival: Some(id(9)),
        ..tool(1)
    };
    own.insert(odm).await.unwrap();
    // A delete says by `on_delete` what it does about them: nothing here.
    Maker::delete(odm, id(1)).await.unwrap();
    let mut found: Vec<_> = odm.verify().await.unwrap().items;
    found.sort_by(|left, right| left.path.cmp(&right.path));
    let found: Vec<_> = found
        .into_iter()
        .map(|it| (it.kind, it.relation, it.path, it.key))
        .collect();
    let nowhere = |relation: &str, path: &str, key: i64| {
        (
            DriftKind::NoTarget,
            relation.to_owned(),
            path.to_owned(),
            Some(key.into()),
        )
    };
    assert_eq!(
        found,
        [
            nowhere("Tool.maker -> Maker", "maker", 1),
            nowhere("Tool.rival -> Tool", "rival", 9)
        ]
    );
}
