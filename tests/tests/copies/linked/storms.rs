//! Links that many tasks create and remove concurrently. Both ends are equal afterwards.

use futures_util::future::join_all;
use mongo_odm::mongodb::options::ValidationLevel;

use super::*;

/// A number that looks random, the same in each run.
fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^= x >> 32;
    x.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 16
}

async fn step(odm: &Odm, number: u64) {
    let (a, b) = (
        i64::from((mixed(number) % 4) as u8),
        i64::from((mixed(number + 7) % 4) as u8),
    );
    let result = match mixed(number + 13) % 6 {
        0 | 1 => student(a).link(odm, [&class(b)]).await,
        2 => class(b).link(odm, [&student(a)]).await,
        3 => student(a).unlink(odm, [&class(b)]).await,
        4 => class(b).unlink(odm, [&student(a), &student(b)]).await,
        _ if number.is_multiple_of(3) => {
            Class::delete(odm, &class(b).id).await.unwrap();
            class(b).save(odm).await
        }
        _ => {
            let mut half = student(a);
            half.name = format!("saved {number}");
            half.save(odm).await
        }
    };
    match result {
        Ok(_) | Err(mongo_odm::Error::BoundExceeded { .. } | mongo_odm::Error::NotFound { .. }) => {
        }
        // Deletes and saves of the same document ran at the same time.
        Err(error) if error.is_duplicate_key() => {}
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn links_are_the_same_at_both_ends_after_a_storm() {
    let t = school("links_storm").await;
    // The server rejects each document that does not match the models.
    let strict = t.odm.sync_validators().level(ValidationLevel::Strict);
    let report = strict.only::<Class>().await.unwrap();
    assert_eq!(report.written.len(), 1);
    let tasks = (0..6_u64).map(|task| {
        let odm = t.odm.clone();
        tokio::spawn(async move {
            for round in 0..40 {
                step(&odm, task * 1_000 + round).await;
            }
        })
    });
    for done in join_all(tasks).await {
        done.unwrap();
    }
    t.odm.finish_writes().await;
    t.odm.run_pending_jobs().await.unwrap();
    let drift = t
        .odm
        .verify()
        .only::<Class>()
        .include_pending()
        .await
        .unwrap();
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(jobs(&t.odm).await, []);
}

#[tokio::test]
async fn a_half_link_that_is_made_and_ended_at_once_is_whole() {
    let t = school("links_half_at_once").await;
    for round in 0..20 {
        let half = doc! { "$push": { "links": doc! { "target": "C1", "doc_type": "class" } } };
        past_the_library(&t.odm, "S1", half).await;
        let (odm, other) = (t.odm.clone(), t.odm.clone());
        let (one, two) = (student(1), class(1));
        let (made, ended) = tokio::join!(
            async move { one.link(&odm, [&class(1)]).await },
            async move { two.unlink(&other, [&student(1)]).await },
        );
        made.unwrap();
        ended.unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        let drift = t
            .odm
            .verify()
            .only::<Class>()
            .include_pending()
            .await
            .unwrap();
        assert!(drift.is_empty(), "{round}: {drift}");
        student(1).unlink(&t.odm, [&class(1)]).await.unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        assert_linked(&t.odm, &[("S1", &["S1"]), ("C1", &["C1"])]).await;
    }
}
