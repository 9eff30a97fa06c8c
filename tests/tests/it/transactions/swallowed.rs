//! Errors that a closure ignores, and whether they have ended the transaction on the server.

use mongo_odm::{ErrorKind, mongodb::Database};

use super::*;

/// Runs a closure until the transaction has ended, and returns the number of runs.
async fn tries<T>(odm: &Odm, body: impl AsyncFn(&Tx) -> Result<T>) -> (Result<T>, usize) {
    let runs = AtomicUsize::new(0);
    let transaction = odm.transaction(async |tx| {
        runs.fetch_add(1, Relaxed);
        body(&tx).await
    });
    let ended = tokio::time::timeout(Duration::from_secs(10), transaction).await;
    let ended = ended.unwrap_or_else(|_| panic!("still at it after {} tries", runs.load(Relaxed)));
    (ended, runs.load(Relaxed))
}

/// Statements that the server rejects. The error ends the transaction on the server.
#[derive(Clone, Copy, Debug)]
enum Refused {
    Duplicate,
    Invalid,
    FindAndModify,
    Filter,
    InDriverCode,
}

impl Refused {
    const ALL: [(Self, &'static str); 5] = [
        (
            Self::Duplicate,
            "while `insert` on `parts` (`Part`): two documents of `parts`",
        ),
        (
            Self::Invalid,
            "while `update` on `parts` (`Part`): the validator of `parts` (`Part`) rejects the document",
        ),
        (
            Self::FindAndModify,
            "while `findAndModify` on `parts` (`Part`): ",
        ),
        (
            Self::Filter,
            "while `find` on `parts` (`Part`): unknown operator: $nonsense",
        ),
        (
            Self::InDriverCode,
            "while `tx.run`: two documents of `parts`",
        ),
    ];

    async fn send(self, tx: &Tx, stored: &Part) -> Error {
        let qty = Part::fields().qty;
        match self {
            Self::Duplicate => stored.insert(tx).await.unwrap_err(),
            Self::Invalid => Part::update(tx, stored.id).set(qty, -1).await.unwrap_err(),
            Self::FindAndModify => {
                let one = Part::find_one_and_update(tx, Part::fields().id.eq(stored.id));
                one.set(qty, -1).await.unwrap_err()
            }
            Self::Filter => {
                let nonsense = doc! { "qty": { "$nonsense": 1 } };
                Part::find(tx).filter(nonsense).await.unwrap_err()
            }
            Self::InDriverCode => {
                let id = stored.id.key().to_owned();
                let run = tx.run(move |database, session| {
                    let parts = database.collection("parts");
                    Box::pin(
                        async move { parts.insert_one(doc! { "_id": id }).session(session).await },
                    )
                });
                run.await.unwrap_err()
            }
        }
    }
}

/// A part whose number cannot fall below zero.
async fn stored(t: &Harness) -> Part {
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let validate = doc! { "collMod": "parts", "validator": { "qty": { "$not": { "$lt": 0 } } } };
    t.odm.database().run_command(validate).await.unwrap();
    part
}

#[tokio::test]
async fn an_error_that_ends_the_transaction_on_the_server_ends_the_tries() {
    let t = Harness::new("tx_swallowed").await;
    let one = stored(&t).await;
    for (refused, words) in Refused::ALL {
        for (writes_before, goes_on) in [(false, false), (true, false), (false, true), (true, true)]
        {
            let context = format!("{refused:?}, {writes_before}, {goes_on}");
            let (ended, runs) = tries(&t.odm, async |tx| {
                if writes_before {
                    buy(tx, &one).await?;
                }
                let _ = refused.send(tx, &one).await;
                if goes_on {
                    part(2).insert(tx).await?;
                }
                Ok(())
            })
            .await;
            let error = ended.unwrap_err();
            assert_eq!(
                error.kind(),
                ErrorKind::TransactionPoisoned,
                "{context}: {error}"
            );
            let text = error.to_string();
            assert!(
                text.contains("return its error with `?`: while `"),
                "{context}: {text}"
            );
            assert!(text.contains(words), "{context}: {text}");
            let Error::TransactionPoisoned(ignored) = &error else {
                panic!("{context}: {error:?}");
            };
            assert!(ignored.server_code().is_some(), "{context}");
            assert!(std::error::Error::source(ignored).is_some(), "{context}");
            if matches!(refused, Refused::Duplicate) {
                assert_eq!(ignored.kind(), Some(ErrorKind::DuplicateKey), "{context}");
            }
            assert_eq!(runs, 1, "{context}");
            assert_eq!(
                Part::find(&t.odm).await.unwrap(),
                [one.clone()],
                "{context}"
            );
        }
    }
}

#[tokio::test]
async fn an_error_of_the_closure_after_a_swallowed_one_comes_back_at_once() {
    let t = Harness::new("tx_swallowed_own").await;
    let one = stored(&t).await;
    let (ended, runs) = tries(&t.odm, async |tx| {
        let _ = one.insert(tx).await;
        buy(tx, &one).await.map_err(|_| Error::custom(fmt::Error))
    })
    .await;
    assert!(ended.unwrap_err().get_custom::<fmt::Error>().is_some());
    assert_eq!(runs, 1);
}

#[tokio::test]
async fn an_error_that_the_server_does_not_mind_may_be_swallowed() {
    let t = Harness::new("tx_not_minded").await;
    let one = stored(&t).await;
    let (ended, runs) = tries(&t.odm, async |tx| {
        buy(tx, &one).await?;
        let errors = [
            Part::get(tx, Id::new()).await.unwrap_err(),
            Part::update(tx, one.id).await.unwrap_err(),
            Part::aggregate::<Document>(tx, [doc! { "$nonsense": 1 }])
                .await
                .unwrap_err(),
            Part::aggregate::<Part>(tx, [doc! { "$project": { "qty": "many" } }])
                .await
                .unwrap_err(),
            Part::find_one(tx)
                .filter(Part::fields().id.eq(one.id))
                .project::<u8>(doc! { "qty": 1 })
                .await
                .unwrap_err(),
        ];
        let kinds = errors.each_ref().map(Error::kind);
        let (decode, server) = (ErrorKind::Decode, ErrorKind::Server);
        assert_eq!(
            kinds,
            [
                ErrorKind::NotFound,
                ErrorKind::Invalid,
                server,
                decode,
                decode
            ]
        );
        let unknown = tx.run(|database: &Database, session| {
            let unknown = database.run_command(doc! { "nonsense": 1 });
            Box::pin(async move { unknown.session(session).await })
        });
        assert_eq!(unknown.await.unwrap_err().server_code(), Some(59));
        buy(tx, &one).await
    })
    .await;
    ended.unwrap();
    assert_eq!(runs, 1);
    assert_eq!(Part::get(&t.odm, one.id).await.unwrap().qty, one.qty - 2);
}

/// In this case, the server has not started the transaction, because it did not parse the statement that should start
/// it.
#[tokio::test]
async fn such_an_error_of_the_first_statement_ends_the_tries_as_well() {
    let t = Harness::new("tx_not_begun").await;
    let one = stored(&t).await;
    let (ended, runs) = tries(&t.odm, async |tx| {
        let nonsense = Part::aggregate::<Document>(tx, [doc! { "$nonsense": 1 }]).await;
        assert!(nonsense.is_err());
        buy(tx, &one).await
    })
    .await;
    let error = ended.unwrap_err().to_string();
    assert!(
        error.contains("while `aggregate` on `parts` (`Part`): "),
        "{error}"
    );
    assert_eq!(runs, 1);
}

#[tokio::test]
async fn an_error_that_is_worth_another_try_is_tried_again_when_it_is_swallowed() {
    let t = Failing::new("tx_swallowed_transient").await;
    let one = part(1);
    one.insert(&t.odm).await.unwrap();
    for command in ["update", "find"] {
        let before = t.qty(&one).await;
        let labels = ["TransientTransactionError"];
        let conflict = doc! { "errorCode": 112, "errorLabels": labels.to_vec() };
        t.fail(1, &[command], conflict).await;
        let (ended, runs) = tries(&t.odm, async |tx| {
            let _ = buy(tx, &one).await;
            let _ = Part::get(tx, one.id).await;
            Ok(())
        })
        .await;
        ended.unwrap();
        assert_eq!((runs, t.qty(&one).await), (2, before - 1), "{command}");
    }
}

#[tokio::test]
async fn a_statement_that_fails_after_it_was_dropped_ends_the_tries() {
    let t = Failing::new("tx_swallowed_dropped").await;
    let one = part(1);
    one.insert(&t.odm).await.unwrap();
    for (refused, command) in [(Refused::Filter, "find"), (Refused::Duplicate, "insert")] {
        t.fail(1, &[command], block()).await;
        let (ended, runs) = tries(&t.odm, async |tx| {
            let dropped = tokio::time::timeout(IMPATIENT, refused.send(tx, &one)).await;
            assert!(dropped.is_err());
            Ok(())
        })
        .await;
        let error = ended.unwrap_err().to_string();
        assert!(
            error.contains(&format!("while `{command}` on `parts`")),
            "{error}"
        );
        assert_eq!(runs, 1, "{refused:?}");
    }
}

/// The server accepts the update; the library checks the document afterwards.
#[tokio::test]
async fn a_bound_that_is_broken_after_the_write_was_dropped_is_not_committed() {
    let t = Failing::new("tx_dropped_bound").await;
    let person = Person {
        id: Id::new(),
        name: "Ann".to_owned(),
        addresses: (0..3).map(Address::number).collect(),
        tasks: vec![],
    };
    person.insert(&t.odm).await.unwrap();
    t.fail(1, &["findAndModify"], block()).await;
    let (ended, runs) = tries(&t.odm, async |tx| {
        let add = Person::update(tx, person.id);
        let add = add.add_to_set(Person::fields().addresses, Address::number(9));
        let dropped = tokio::time::timeout(IMPATIENT, add.into_future()).await;
        assert!(dropped.is_err());
        Ok(())
    })
    .await;
    let error = ended.unwrap_err().to_string();
    assert!(
        error.contains("return its error with `?`: `Person.addresses` of ObjectId(")
            && error.contains("may have 3"),
        "{error}"
    );
    assert_eq!(runs, 1);
    assert_eq!(Person::get(&t.odm, person.id).await.unwrap(), person);
}

/// The library cannot see the error, so it retries the transaction only once.
#[tokio::test]
async fn driver_code_that_swallows_an_error_is_tried_once_more() {
    let t = Harness::new("tx_swallowed_in_run").await;
    let one = stored(&t).await;
    for (is_command, goes_on) in [(false, false), (true, false), (false, true), (true, true)] {
        let (ended, runs) = tries(&t.odm, async |tx| {
            buy(tx, &one).await?;
            let id = one.id.key().to_owned();
            tx.run(move |database, session| {
                let database = database.clone();
                Box::pin(async move {
                    let again = doc! { "_id": id };
                    if is_command {
                        // The driver does not check the reply of `run_command` for write errors.
                        let insert = doc! { "insert": "parts", "documents": [again] };
                        return database
                            .run_command(insert)
                            .session(session)
                            .await
                            .map(drop);
                    }
                    let parts = database.collection("parts");
                    let _ = parts.insert_one(again).session(session).await;
                    Ok(())
                })
            })
            .await?;
            if goes_on {
                buy(tx, &one).await?;
            }
            Ok(())
        })
        .await;
        let error = ended.unwrap_err().to_string();
        assert!(error.contains("return it from `tx.run`"), "{error}");
        assert_eq!(runs, 2, "{is_command}, {goes_on}");
        assert_eq!(Part::get(&t.odm, one.id).await.unwrap(), one);
    }
}
