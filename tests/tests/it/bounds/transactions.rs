//! Bounds in transactions and with concurrent writers.

use super::*;

#[tokio::test]
async fn a_transaction_that_broke_a_bound_is_not_committed_if_its_error_is_swallowed() {
    let t = Harness::new("bounds_poisoned").await;
    let fields = Account::fields();
    let account = full("a");
    account.insert(&t.odm).await.unwrap();
    let mut runs = 0;
    let swallowed = t
        .odm
        .transaction(|tx| {
            runs += 1;
            let account = &account;
            async move {
                Account::update(&tx, account.id)
                    .inc(fields.count, 1)
                    .await?;
                let added = Account::update(&tx, account.id).add_to_set(fields.friends, Id::new());
                exceeds(&added.await.unwrap_err(), "friends", 4, Some(5));
                Ok(())
            }
        })
        .await;
    let swallowed = swallowed.unwrap_err().to_string();
    assert!(
        swallowed.contains("return its error with `?`: `Account.friends` of ObjectId(")
            && swallowed.contains("may have 4 elements"),
        "{swallowed}"
    );
    assert_eq!(runs, 1);
    assert_eq!(stored(&t, &account).await, account);

    let refused = t.odm.transaction(async |tx| {
        Account::update(&tx, account.id)
            .inc(fields.count, 1)
            .await?;
        Account::update(&tx, account.id)
            .add_to_set(fields.friends, Id::new())
            .await
    });
    exceeds(&refused.await.unwrap_err(), "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await, account);
}

#[tokio::test]
async fn a_push_that_wrote_nothing_leaves_its_transaction_whole() {
    let t = Harness::new("bounds_tx_push").await;
    let fields = Account::fields();
    let (full, roomy) = (full("full"), account("roomy"));
    t.given(&[full.clone(), roomy.clone()]).await;
    t.odm
        .transaction(async |tx| {
            let push = |account: &Account| {
                Account::update(&tx, account.id).push(fields.friends, Id::new())
            };
            exceeds(&push(&full).await.unwrap_err(), "friends", 4, None);
            assert_eq!(push(&roomy).await?.modified, 1);
            exceeds(&push(&roomy).await.unwrap_err(), "friends", 4, None);
            let many = Account::update_many(&tx, doc! {}).push(fields.friends, Id::new());
            exceeds(&many.await.unwrap_err(), "friends", 4, None);
            exceeds(
                &Account {
                    friends: friends(7),
                    ..roomy.clone()
                }
                .save(&tx)
                .await
                .unwrap_err(),
                "friends",
                4,
                Some(7),
            );
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(stored(&t, &full).await, full);
    assert_eq!(stored(&t, &roomy).await.friends.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_pushes_at_once_into_three_places_end_with_three() {
    let t = Harness::new("bounds_concurrent").await;
    let person = Person {
        id: Id::new(),
        name: "Ann".to_owned(),
        addresses: vec![],
        tasks: vec![],
    };
    person.insert(&t.odm).await.unwrap();
    let push = |number| {
        let update = Person::update(&t.odm, person.id);
        update.push(Person::fields().addresses, Address::number(number))
    };
    let pushes: Vec<_> = (0..20)
        .map(|number| tokio::spawn(push(number).into_future()))
        .collect();
    let (mut done, mut refused) = (0, 0);
    for push in pushes {
        match push.await.unwrap() {
            Ok(report) => done += report.modified,
            Err(Error::BoundExceeded {
                model: "Person",
                max: 3,
                ..
            }) => refused += 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((done, refused), (3, 17));
    let stored = Person::get(&t.odm, person.id).await.unwrap();
    assert_eq!(stored.addresses.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn additions_at_once_that_need_a_transaction_end_with_the_bound() {
    let t = Harness::new("bounds_concurrent_set").await;
    let account = Account {
        friends: vec![],
        ..account("a")
    };
    account.insert(&t.odm).await.unwrap();
    let add =
        || Account::update(&t.odm, account.id).add_to_set(Account::fields().friends, Id::new());
    let additions: Vec<_> = (0..10).map(|_| tokio::spawn(add().into_future())).collect();
    let mut done = 0;
    for addition in additions {
        match addition.await.unwrap() {
            Ok(report) => done += report.matched,
            Err(error) => exceeds(&error, "friends", 4, Some(5)),
        }
    }
    assert_eq!(done, 4);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
}
