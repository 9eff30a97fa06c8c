//! The time that all writes in a transaction store.

use super::*;

#[tokio::test]
async fn all_writes_of_a_transaction_have_one_time() {
    let (t, clock) = clocked("maintained_transaction").await;
    note(3).insert(&t.odm).await.unwrap();
    clock.set(at(2));
    let run = t.odm.transaction(async |tx| {
        note(1).insert(&tx).await?;
        clock.set(at(3));
        note(2).save(&tx).await?;
        Note::update(&tx, id(3))
            .inc(Note::fields().stars, 1)
            .await?;
        Ok(())
    });
    run.await.unwrap();
    let notes = "maintained_notes";
    assert_eq!(times(&t.odm, notes, 1).await, (2, 2));
    assert_eq!(times(&t.odm, notes, 2).await, (2, 2));
    assert_eq!(times(&t.odm, notes, 3).await, (1, 2));
    // The first write after the transaction reads the clock again.
    note(1).save(&t.odm).await.unwrap();
    assert_eq!(times(&t.odm, notes, 1).await, (2, 3));
}

#[tokio::test]
async fn a_retried_transaction_keeps_the_time_of_its_first_attempt() {
    let (t, clock) = clocked("maintained_retry").await;
    note(1).insert(&t.odm).await.unwrap();
    clock.set(at(4));
    let mut attempts = 0;
    let outside = &t.odm;
    let run = t.odm.transaction(|tx| {
        attempts += 1;
        let (is_first, clock) = (attempts == 1, &clock);
        async move {
            note(2).insert(&tx).await?;
            if is_first {
                clock.set(at(8));
                // A write outside of the transaction causes a conflict, so that the transaction is retried.
                let conflicting = Note::update(tx.odm(), id(1)).inc(Note::fields().stars, 1);
                conflicting.await?;
            }
            Note::update(&tx, id(1))
                .inc(Note::fields().stars, 1)
                .await?;
            Ok(())
        }
    });
    run.await.unwrap();
    assert_eq!(attempts, 2);
    let notes = "maintained_notes";
    assert_eq!(times(outside, notes, 2).await, (4, 4));
    assert_eq!(times(outside, notes, 1).await, (1, 4));
    assert_eq!(Note::get(outside, id(1)).await.unwrap().stars, 2);
}
