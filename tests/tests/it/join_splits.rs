//! Joins of many keys, which are split into ranges by count and by size. The ranges are read
//! concurrently or one after the other.

use futures_util::TryStreamExt;
use mongo_odm::{
    Error, Settings,
    bson::{Bson, Document, RawDocumentBuf},
    prelude::*,
    relation::Slot,
};
use odm_tests::{
    Harness,
    sent::{commands, keys_of},
    shop::*,
};

/// Returns settings that split twenty-five keys into five ranges.
fn small() -> Settings {
    Settings::default().split_from(10).range(4, 5)
}

/// Returns the number of keys in each range that was sent, smallest first.
fn ranges(t: &Harness, path: &str) -> Vec<usize> {
    let mut sizes: Vec<_> = commands(t, "find")
        .iter()
        .map(|find| keys_of(find, path).len())
        .collect();
    sizes.sort_unstable();
    sizes
}

#[tokio::test]
async fn a_split_join_equals_an_unsplit_one() {
    let t = Harness::new("a_split_join").await;
    let parts = parts(25);
    t.given(&parts).await;
    let gone = part(99);
    let odm = t.odm.with_settings(small());
    let products = [
        product(1, parts.iter().rev()),
        product(2, [&parts[7], &gone, &parts[20], &parts[7], &parts[1]]),
        product(3, []),
    ];
    t.forget();
    let split = Product::join_parts(&products, &odm).await.unwrap();
    assert_eq!(ranges(&t, "_id"), [1, 5, 5, 5, 5, 5]);
    let keys: Vec<_> = commands(&t, "find")
        .iter()
        .flat_map(|find| keys_of(find, "_id"))
        .collect();
    assert_eq!(keys.len(), 26);
    t.forget();
    let whole = Product::join_parts(&products, &t.odm).await.unwrap();
    assert_eq!(ranges(&t, "_id"), [26]);
    for product in &products {
        assert_eq!(split.slots_of(product), whole.slots_of(product));
        assert!(split.of(product).eq(whole.of(product)));
    }
    assert_eq!(split.len(), 25);
    assert_eq!(split.missing(), whole.missing());
}

#[tokio::test]
async fn a_split_load_keeps_the_stored_order_and_the_repeats() {
    let t = Harness::new("a_split_load").await;
    let parts = parts(25);
    t.given(&parts).await;
    let odm = t.odm.with_settings(small());
    let gone = part(99);
    let order = (0..25)
        .map(|at| &parts[at * 7 % 25])
        .chain([&parts[3], &gone, &parts[3]]);
    let product = product(1, order.clone());
    let expected: Vec<_> = order.filter(|part| part.id != gone.id).cloned().collect();
    t.forget();
    assert_eq!(product.load_parts(&odm).await.unwrap(), expected);
    assert_eq!(ranges(&t, "_id").len(), 6);
    let streamed: Vec<Part> = product
        .load_parts(&odm)
        .stream()
        .try_collect()
        .await
        .unwrap();
    assert_eq!(streamed, expected);
    let slots = product.load_parts(&odm).slots().await.unwrap();
    assert_eq!(slots.iter().position(Slot::is_missing), Some(26));
    assert_eq!(product.load_parts(&odm).missing().await.unwrap().len(), 1);
    let cut = product.load_parts(&odm).skip(3).limit(4).await.unwrap();
    assert_eq!(cut, expected[3..7]);
}

#[tokio::test]
async fn few_keys_are_not_split() {
    let t = Harness::new("few_keys").await;
    let parts = parts(10);
    t.given(&parts).await;
    let odm = t.odm.with_settings(small());
    t.forget();
    product(1, &parts[..9]).load_parts(&odm).await.unwrap();
    assert_eq!(ranges(&t, "_id"), [9]);
    t.forget();
    product(1, &parts).load_parts(&odm).await.unwrap();
    assert_eq!(ranges(&t, "_id"), [5, 5]);
}

#[tokio::test]
async fn a_sort_sees_all_keys_at_once() {
    let t = Harness::new("a_sort_sees_all_keys").await;
    let parts = parts(25);
    t.given(&parts).await;
    let odm = t.odm.with_settings(small());
    let product = product(1, &parts);
    t.forget();
    let by_number = Part::fields().partno.desc();
    let joined = Product::join_parts([&product], &odm)
        .sort(by_number)
        .limit_each(3)
        .await
        .unwrap();
    assert_eq!(ranges(&t, "_id"), [25]);
    assert!(joined.of(&product).eq(parts.iter().rev().take(3)));
}

#[tokio::test]
async fn keys_of_children_are_split_too() {
    let t = Harness::new("keys_of_children").await;
    let hosts: Vec<Host> = (0..25).map(host).collect();
    let all: Vec<LogMsg> = hosts.iter().flat_map(|host| messages(host, 3)).collect();
    t.given(&all).await;
    let odm = t.odm.with_settings(small());
    t.forget();
    let joined = Host::join_messages(&hosts, &odm).await.unwrap();
    assert_eq!(ranges(&t, "host"), [5; 5]);
    assert!(hosts.iter().all(|host| joined.of(host).len() == 3));
    assert!(
        hosts
            .iter()
            .all(|host| joined.of(host).all(|message| message.host == host.id))
    );
    t.forget();
    let counts = Host::join_messages(&hosts, &odm)
        .count_each()
        .await
        .unwrap();
    assert!(hosts.iter().all(|host| counts.of(host) == 3));
    assert_eq!(t.recorder().names(), ["aggregate"], "a count is not split");
    let limited = Host::join_messages(&hosts, &odm)
        .limit_each(2)
        .await
        .unwrap();
    assert!(hosts.iter().all(|host| limited.of(host).len() == 2));
}

#[tokio::test]
async fn a_document_of_several_ranges_is_joined_in_each() {
    let t = Harness::new("a_document_of_several_ranges").await;
    let parts = parts(25);
    let products = [product(1, &parts), product(2, [&parts[24], &parts[0]])];
    t.given(&products).await;
    let odm = t.odm.with_settings(small());
    let joined = Part::join_products(&parts, &odm).await.unwrap();
    let counts = Part::join_products(&parts, &odm)
        .count_each()
        .await
        .unwrap();
    for (at, part) in parts.iter().enumerate() {
        let expected = if at == 0 || at == 24 { 2 } else { 1 };
        assert_eq!(joined.of(part).len(), expected);
        assert_eq!(counts.of(part), expected as u64);
    }
}

#[tokio::test]
async fn a_split_join_in_a_transaction_goes_one_range_after_the_other() {
    let t = Harness::new("a_split_join_in_a_transaction").await;
    let parts = parts(25);
    t.given(&parts).await;
    let odm = t.odm.with_settings(small().in_flight(8));
    let product = product(1, parts.iter().rev());
    t.forget();
    let product = &product;
    let found = odm
        .transaction(async |tx| Ok(Product::join_parts([product], &tx).await?.into_documents()))
        .await
        .unwrap();
    assert_eq!(found.len(), 25);
    let finds = commands(&t, "find");
    // With ranges of at least 4 and at most 5 keys, 25 keys need seven statements, independently of `in_flight`.
    assert_eq!(finds.len(), 7);
    let number = |find: &Document| find.get("txnNumber").cloned();
    assert!(number(&finds[0]).is_some());
    assert!(finds.iter().all(|find| number(find) == number(&finds[0])));
    assert!(
        finds
            .iter()
            .all(|find| find.get("lsid") == finds[0].get("lsid"))
    );
    // The ranges are sorted and sent in order: each one begins after the end of the previous one.
    let keys: Vec<_> = finds.iter().flat_map(|find| keys_of(find, "_id")).collect();
    let ids: Vec<_> = parts.iter().map(|part| Bson::from(part.id)).collect();
    assert_eq!(keys, ids);
}

/// Stores two hundred parts, and a product that refers to them in a different order than that of their ids.
async fn two_hundred(t: &Harness) -> (Vec<Part>, Product) {
    let mut parts = parts(200);
    t.given(&parts).await;
    parts.reverse();
    let product = product(1, &parts);
    t.forget();
    (parts, product)
}

#[tokio::test]
async fn what_is_sent_depends_on_the_keys_and_the_setting_alone() {
    let t = Harness::new("keys_and_setting_alone").await;
    let (parts, product) = two_hundred(&t).await;
    assert_eq!(product.load_parts(&t.odm).await.unwrap(), parts);
    assert_eq!(ranges(&t, "_id"), [200], "fewer than the setting, and idle");
    t.forget();
    let odm = t.odm.with_settings(Settings::default().split_from(200));
    assert_eq!(product.load_parts(&odm).await.unwrap(), parts);
    assert_eq!(ranges(&t, "_id"), [100, 100]);
    let mut other = Part::find(&odm).limit(1).into_future();
    assert!(futures_util::poll!(&mut other).is_pending());
    t.forget();
    assert_eq!(product.load_parts(&odm).await.unwrap(), parts);
    let by_id: Vec<_> = ranges(&t, "_id")
        .into_iter()
        .filter(|keys| *keys > 0)
        .collect();
    assert_eq!(by_id, [100, 100], "the same beside another statement");
    drop(other);
    t.forget();
    let joined = Product::join_parts([&product], &odm).await.unwrap();
    assert!(joined.of(&product).eq(&parts));
    assert_eq!(ranges(&t, "_id"), [100, 100], "the same in a join");
    let plan = product.load_parts(&odm).plan().unwrap();
    assert_eq!(plan.statements.len(), 2);
    t.forget();
    let by_name = product.load_parts(&odm).sort(Part::fields().name.asc());
    assert_eq!(by_name.await.unwrap().len(), 200);
    assert_eq!(ranges(&t, "_id"), [200], "the server sorts");
}

/// Joins one owner with 900,000 references, of which only three are not dangling. Returns the number of statements.
async fn many_references(t: &Harness, settings: Settings) -> usize {
    let parts = parts(3);
    t.given(&parts).await;
    let nowhere = (0..899_997_u32).map(|number| {
        let mut bytes = [0xEE; 12];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        Id::from_key(ObjectId::from_bytes(bytes))
    });
    let mut owner = product(1, []);
    owner.parts = nowhere.collect();
    owner.parts.insert(700_000, parts[2].id);
    owner.parts.insert(10, parts[0].id);
    owner.parts.push(parts[1].id);
    let odm = t.odm.with_settings(settings);
    t.forget();
    let joined = Product::join_parts([&owner], &odm).await.unwrap();
    assert!(joined.of(&owner).eq([&parts[0], &parts[2], &parts[1]]));
    let mut finds = commands(t, "find");
    // On a busy machine, the driver may send a statement again after its connection has failed.
    finds.sort_by_cached_key(|find| keys_of(find, "_id").first().map(ToString::to_string));
    finds.dedup_by(|one, other| keys_of(one, "_id") == keys_of(other, "_id"));
    let keys: usize = finds.iter().map(|find| keys_of(find, "_id").len()).sum();
    assert_eq!(keys, 900_000);
    let largest = finds
        .iter()
        .map(|find| RawDocumentBuf::try_from(find).unwrap().as_bytes().len())
        .max();
    assert!(largest.unwrap() < 16 << 20);
    finds.len()
}

#[tokio::test]
async fn more_references_than_one_statement_holds_are_split_by_bytes() {
    let t = Harness::new("more_references").await;
    // If only their number counted, the keys would be in one statement of 18 MB.
    assert_eq!(
        many_references(&t, Settings::default().split_from(usize::MAX)).await,
        3
    );
}

#[tokio::test]
async fn any_number_of_ranges_can_be_sent_at_once() {
    let t = Harness::new("any_number_of_ranges").await;
    let parts = parts(25);
    t.given(&parts).await;
    let owner = product(1, &parts);
    for in_flight in [0, 1, usize::MAX] {
        let odm = t.odm.with_settings(small().in_flight(in_flight));
        t.forget();
        assert_eq!(owner.load_parts(&odm).await.unwrap(), parts);
        assert_eq!(ranges(&t, "_id").iter().sum::<usize>(), 25);
        assert!(ranges(&t, "_id").len() > 1, "{in_flight}");
    }
}

#[tokio::test]
async fn a_sort_over_more_keys_than_one_statement_holds_is_refused() {
    let t = Harness::new("a_sort_over_more_keys").await;
    let mut owner = product(1, []);
    owner.parts = (0..500_000).map(|_| Id::new()).collect();
    t.forget();
    let error = owner
        .load_parts(&t.odm)
        .sort(doc! { "name": 1 })
        .await
        .unwrap_err();
    assert_eq!(error.code(), "odm.too_many_keys");
    assert_eq!(
        error.to_string(),
        "500000 keys of `Product.parts` do not fit into one statement, so their documents in `parts` cannot \
         be sorted or limited as a whole; drop `sort`, `skip` and `limit` or join fewer owners"
    );
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn a_join_that_leads_to_too_many_documents_fails_instead_of_losing_some() {
    let t = Harness::new("a_join_that_leads_to_too_many").await;
    let hosts = [host(1), host(2)];
    t.given(&messages(&hosts[0], 20)).await;
    t.given(&messages(&hosts[1], 20)).await;
    let parts = parts(25);
    t.given(&parts).await;
    let capped = |documents| t.odm.with_settings(small().max_documents(documents));
    let error = Host::join_messages(&hosts, &capped(39))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`Host.messages` has more than 39 documents in `logmsg`"),
        "{error}"
    );
    assert_eq!(
        Host::join_messages(&hosts, &capped(40))
            .await
            .unwrap()
            .len(),
        40
    );
    let each = Host::join_messages(&hosts, &capped(9)).limit_each(5).await;
    assert!(matches!(
        each,
        Err(Error::TooManyDocuments {
            max: 9,
            model: "LogMsg",
            collection: "logmsg",
            ..
        })
    ));
    assert_eq!(
        Host::join_messages(&hosts, &capped(10))
            .limit_each(5)
            .await
            .unwrap()
            .len(),
        10
    );
    assert!(matches!(
        hosts[0].load_messages(&capped(19)).await,
        Err(Error::TooManyDocuments { .. })
    ));
    assert_eq!(hosts[0].load_messages(&capped(20)).await.unwrap().len(), 20);
    let product = product(1, &parts);
    assert!(matches!(
        product.load_parts(&capped(24)).await,
        Err(Error::TooManyDocuments { .. })
    ));
    assert_eq!(product.load_parts(&capped(25)).await.unwrap().len(), 25);
}
