//! A write that adds a key, concurrent with the delete of the key's document.

use std::sync::atomic::{AtomicU32, Ordering};

use mongo_odm::{Error, prelude::*};
use odm_tests::Harness;

use crate::models::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "race_parents")]
struct Parent {
    #[serde(rename = "_id")]
    id: Id<Parent, i64>,
}

macro_rules! child {
    ($name:ident, $collection:literal, $policy:literal, $ty:ty) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
        #[model(collection = $collection)]
        struct $name {
            #[serde(rename = "_id")]
            id: Id<$name, i64>,
            #[index]
            #[parent_ref(exists, on_delete = $policy)]
            parent: $ty,
        }
    };
}

child!(Restricting, "race_restricting", "restrict", Id<Parent, i64>);
child!(Cascading, "race_cascading", "cascade", Id<Parent, i64>);
child!(
    Nullified,
    "race_nullified",
    "nullify",
    Option<Id<Parent, i64>>
);

/// The common interface of the three kinds of children.
trait Child: Model<Key = i64> {
    const POLICY: &str;

    fn of(number: i64, parent: i64) -> Self;

    fn parent(&self) -> Option<i64>;
}

macro_rules! is_child {
    ($name:ident, $policy:literal, $of:expr, $parent:expr) => {
        impl Child for $name {
            const POLICY: &str = $policy;

            fn of(number: i64, parent: i64) -> Self {
                let parent = $of(id(parent));
                Self {
                    id: id(number),
                    parent,
                }
            }

            fn parent(&self) -> Option<i64> {
                $parent(self.parent)
            }
        }
    };
}

is_child!(
    Restricting,
    "restrict",
    |it| it,
    |it: Id<Parent, i64>| Some(*it.key())
);
is_child!(Cascading, "cascade", |it| it, |it: Id<Parent, i64>| Some(
    *it.key()
));
is_child!(Nullified, "nullify", Some, |it: Option<Id<Parent, i64>>| it
    .map(|it| *it.key()));

/// Fails if a child refers to a parent that does not exist.
async fn expect_parents<C: Child>(odm: &mongo_odm::Odm, context: &str) {
    let parents: Vec<Parent> = Parent::find(odm).await.unwrap();
    for child in C::find(odm).await.unwrap() {
        let Some(parent) = child.parent() else {
            continue;
        };
        let is_there = parents.iter().any(|it| *it.id.key() == parent);
        assert!(
            is_there,
            "{context}: {} leads to {parent}, which is gone",
            C::POLICY
        );
    }
}

/// Stores a parent, and creates everything that writes and deletes create once, because a collection that is created
/// after a snapshot would cause a conflict.
async fn one_parent<C: Child>(test: &str) -> Harness {
    let t = workshop(&format!("exists_{test}_{}", C::POLICY)).await;
    let odm = &t.odm;
    t.given(&[Parent { id: id(1) }, Parent { id: id(2) }]).await;
    t.given(&[C::of(2, 2)]).await;
    C::delete_many(odm, doc! { "_id": 2_i64 }).await.unwrap();
    Parent::delete(odm, id(2)).await.unwrap();
    t
}

/// A delete is committed after the write has checked the reference: the write is retried and rejected.
async fn a_delete_comes_between<C: Child>() {
    let t = one_parent::<C>("delete_between").await;
    let odm = &t.odm;
    let tries = AtomicU32::new(0);
    let inserted = odm.transaction(async |tx| {
        let is_first = tries.fetch_add(1, Ordering::Relaxed) == 0;
        // The snapshot of the transaction begins here.
        Parent::count(&tx).await?;
        if is_first {
            Parent::delete(odm, id(1)).await?;
        }
        C::of(1, 1).insert(&tx).await
    });
    let error = inserted.await.unwrap_err();
    assert!(matches!(error, Error::NoTarget { .. }), "{error:?}");
    assert_eq!(tries.into_inner(), 2, "{}", C::POLICY);
    assert_eq!(C::count(odm).await.unwrap(), 0);
}

/// A write is committed after the delete has checked the references: the delete is retried and applies its delete rule.
async fn a_write_comes_between<C: Child>() -> mongo_odm::Result<u64> {
    let t = one_parent::<C>("write_between").await;
    let odm = &t.odm;
    let tries = AtomicU32::new(0);
    let deleted = odm.transaction(async |tx| {
        let is_first = tries.fetch_add(1, Ordering::Relaxed) == 0;
        Parent::count(&tx).await?;
        if is_first {
            C::of(1, 1).insert(odm).await?;
        }
        Parent::delete(&tx, id(1)).await
    });
    let deleted = deleted.await;
    assert_eq!(tries.into_inner(), 2, "{}", C::POLICY);
    expect_parents::<C>(odm, "between").await;
    Ok(deleted?.deleted)
}

#[tokio::test]
async fn a_delete_between_the_look_and_the_commit_is_seen() {
    a_delete_comes_between::<Restricting>().await;
    a_delete_comes_between::<Cascading>().await;
    a_delete_comes_between::<Nullified>().await;
}

#[tokio::test]
async fn a_write_between_the_look_of_a_delete_and_its_commit_is_seen() {
    let restricted = a_write_comes_between::<Restricting>().await.unwrap_err();
    assert!(
        matches!(restricted, Error::Restricted { .. }),
        "{restricted:?}"
    );
    assert_eq!(a_write_comes_between::<Cascading>().await.unwrap(), 1);
    assert_eq!(a_write_comes_between::<Nullified>().await.unwrap(), 1);
}

/// Writes and deletes concurrently in many rounds. Whichever is first, there is no dangling reference in any round.
async fn both_at_once<C: Child>() {
    const ROUNDS: i64 = 60;
    let t = workshop(&format!("exists_at_once_{}", C::POLICY)).await;
    let odm = &t.odm;
    let parents: Vec<Parent> = (0..ROUNDS)
        .map(|number| Parent { id: id(number) })
        .collect();
    t.given(&parents).await;
    let (mut refused, mut written) = (0, 0);
    for round in 0..ROUNDS {
        let insert = |number| tokio::spawn(C::of(number, round).insert(odm).into_future());
        let delete = tokio::spawn(Parent::delete(odm, id(round)).into_future());
        let (first, second) = (insert(2 * round), insert(2 * round + 1));
        for inserted in [first.await.unwrap(), second.await.unwrap()] {
            match inserted {
                Ok(_) => written += 1,
                Err(Error::NoTarget { .. }) => refused += 1,
                Err(error) => panic!("{error:?}"),
            }
        }
        match delete.await.unwrap() {
            Ok(_) | Err(Error::Restricted { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
        expect_parents::<C>(odm, &format!("round {round}")).await;
    }
    assert_eq!(refused + written, 2 * ROUNDS);
    // All jobs of the writes and deletes can be completed.
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(odm.jobs().await.unwrap(), []);
    expect_no_drift(odm).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restricting_reference_never_leads_nowhere() {
    both_at_once::<Restricting>().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cascading_reference_never_leads_nowhere() {
    both_at_once::<Cascading>().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nullified_reference_never_leads_nowhere() {
    both_at_once::<Nullified>().await;
}

/// When several parents are deleted in one call, no child can be changed to refer to any of them.
#[tokio::test(flavor = "multi_thread")]
async fn deletes_and_updates_of_many_see_each_other() {
    let t = workshop("exists_many_at_once").await;
    let odm = &t.odm;
    for round in 0..15 {
        let parents = [2 * round, 2 * round + 1].map(|number| Parent { id: id(number) });
        t.given(&parents).await;
        let spare = Parent {
            id: id(10_000 + round),
        };
        t.given(&[spare.clone()]).await;
        let child = Restricting {
            id: id(round),
            parent: spare.id,
        };
        child.insert(odm).await.unwrap();
        let both = Parent::fields().id.is_in([parents[0].id, parents[1].id]);
        let delete = tokio::spawn(Parent::delete_many(odm, both).into_future());
        let by_id = Restricting::fields().id.eq(child.id);
        let update = Restricting::update_many(odm, by_id);
        let update = update.set(Restricting::fields().parent, parents[1].id);
        let updated = tokio::spawn(update.into_future()).await.unwrap();
        let deleted = delete.await.unwrap();
        assert!(
            updated.is_ok() != deleted.is_ok(),
            "{updated:?} {deleted:?}"
        );
        expect_parents::<Restricting>(odm, &format!("round {round}")).await;
    }
}
