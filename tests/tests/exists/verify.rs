//! `verify` lists all dangling references, with and without `exists`.

use std::sync::{Arc, Mutex};

use mongo_odm::{DriftKind, WalkProgress, prelude::*};

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
    // The delete rule is the default, so the delete does not change these references.
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

#[tokio::test]
async fn progress_is_told_by_the_documents_that_are_looked_at() {
    let t = workshop("exists_verify_progress").await;
    let odm = &t.odm;
    t.given(&[maker(1), maker(2)]).await;
    let own = Tool {
        maker: Some(id(1)),
        ..tool(1)
    };
    own.insert(odm).await.unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let verify = || {
        let noted = Arc::clone(&told);
        let tell = move |it: WalkProgress| noted.lock().unwrap().push((it.documents, it.of));
        odm.verify().on_progress(tell)
    };
    assert!(verify().await.unwrap().is_empty());
    let first = std::mem::take(&mut *told.lock().unwrap());
    let (_, all) = first[0];
    assert!(all > 0 && first.is_sorted(), "{first:?}");
    assert_eq!((first[0].0, first.last()), (0, Some(&(all, all))));
    assert!(
        first.iter().any(|(done, _)| (1..all).contains(done)),
        "{first:?}"
    );
    verify().repair().await.unwrap();
    assert_eq!(*told.lock().unwrap(), first);
}
