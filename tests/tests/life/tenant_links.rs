//! Links and two-way references between documents of models with a tenant.

use mongo_odm::{
    DriftKind, Error, Odm,
    bson::{DateTime, Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::{id, settings, stored};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Way {
    target: i64,
    kind: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_festival", kind(kind = "concert"), tenant = "city")]
struct Concert {
    #[serde(rename = "_id")]
    id: Id<Concert, i64>,
    city: Option<String>,
    #[links]
    #[serde(default)]
    ways: Vec<Way>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_festival", kind(kind = "band"), tenant = "city")]
struct Band {
    #[serde(rename = "_id")]
    id: Id<Band, i64>,
    city: Option<String>,
    #[links]
    #[serde(default)]
    ways: Vec<Way>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_festival", kind(kind = "guest"), tenant = "city")]
struct Guest {
    #[serde(rename = "_id")]
    id: Id<Guest, i64>,
    city: Option<String>,
    #[links]
    #[serde(default)]
    ways: Vec<Way>,
    #[deleted_at]
    left_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_choirs", tenant = "city")]
struct Choir {
    #[serde(rename = "_id")]
    id: Id<Choir, i64>,
    city: Option<String>,
    #[refs(many, inverse = "choirs", max = 5)]
    singers: Vec<Id<Singer, i64>>,
    #[refs(many, inverse = "choir", max = 5)]
    halls: Vec<Id<Hall, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_singers", tenant = "city")]
struct Singer {
    #[serde(rename = "_id")]
    id: Id<Singer, i64>,
    city: Option<String>,
    #[refs(many, inverse = "singers", max = 5)]
    choirs: Vec<Id<Choir, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_halls", tenant = "city")]
struct Hall {
    #[serde(rename = "_id")]
    id: Id<Hall, i64>,
    city: Option<String>,
    #[parent_ref(inverse = "halls")]
    choir: Option<Id<Choir, i64>>,
}

fn concert(number: i64, others: &[i64]) -> Concert {
    let way = |target: &i64| Way {
        target: *target,
        kind: match *target {
            21.. => "guest",
            11.. => "band",
            _ => "concert",
        }
        .to_owned(),
    };
    Concert {
        id: id(number),
        city: None,
        ways: others.iter().map(way).collect(),
    }
}

fn band(number: i64) -> Band {
    Band {
        id: id(number),
        city: None,
        ways: Vec::new(),
    }
}

fn guest(number: i64) -> Guest {
    Guest {
        id: id(number),
        city: None,
        ways: Vec::new(),
        left_at: None,
    }
}

fn choir(number: i64) -> Choir {
    Choir {
        id: id(number),
        city: None,
        singers: Vec::new(),
        halls: Vec::new(),
    }
}

fn singer(number: i64) -> Singer {
    Singer {
        id: id(number),
        city: None,
        choirs: Vec::new(),
    }
}

fn hall(number: i64, choir: Option<i64>) -> Hall {
    Hall {
        id: id(number),
        city: None,
        choir: choir.map(id),
    }
}

/// Opens a database and handles for two cities. Bern has the concert 1 and the band 11, Rome has the concert 2 and the
/// band 12.
async fn cities(test: &str) -> (Harness, Odm, Odm) {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    let sync = t.odm.sync_indexes().only::<Concert>().only::<Choir>();
    let sync = sync.only::<Singer>().only::<Hall>();
    sync.await.unwrap();
    let (bern, rome) = (t.odm.for_tenant("bern"), t.odm.for_tenant("rome"));
    for (odm, number) in [(&bern, 1), (&rome, 2)] {
        concert(number, &[]).insert(odm).await.unwrap();
        band(number + 10).insert(odm).await.unwrap();
    }
    (t, bern, rome)
}

/// Returns the ids that a stored document links to, without its own.
async fn linked(odm: &Odm, number: i64) -> Vec<i64> {
    let stored = stored(odm, "life_festival", number).await.unwrap();
    let ways = stored.get_array("ways").unwrap().iter();
    let targets = ways.map(|way| way.as_document().unwrap().get_i64("target").unwrap());
    targets.filter(|target| *target != number).collect()
}

fn assert_no_target<T: std::fmt::Debug>(result: mongo_odm::Result<T>) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::NoTarget { .. }), "{error:?}");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_fairs", kind(kind = "stand"), tenant = "city")]
struct Stand {
    #[serde(rename = "_id")]
    id: Id<Stand, i64>,
    city: i64,
    #[links]
    #[serde(default)]
    ways: Vec<Way>,
}

#[tokio::test]
async fn tenants_of_different_number_types_are_equal() {
    let mut t = Harness::long_declared("tenant_link_numbers").await;
    t.odm = t.odm.with_settings(settings());
    let odm = t.odm.for_tenant(1_i64);
    odm.sync_indexes().only::<Stand>().await.unwrap();
    let stand = |number| Stand {
        id: id(number),
        city: 1,
        ways: Vec::new(),
    };
    stand(1).insert(&odm).await.unwrap();
    stand(2).insert(&odm).await.unwrap();
    let first = Stand::get(&odm, id(1)).await.unwrap();
    first.link(&odm, id::<Stand>(2)).await.unwrap();
    // Another program has stored the tenant as an `int`.
    let fairs = odm.database().collection::<Document>("life_fairs");
    let int = doc! { "$set": { "city": 1_i32 } };
    fairs.update_one(doc! { "_id": 2_i64 }, int).await.unwrap();
    let report = odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

#[tokio::test]
async fn a_link_to_a_deleted_document_is_rejected() {
    let (_t, bern, _) = cities("tenant_link_deleted").await;
    let (first, second) = (guest(21), guest(22));
    first.insert(&bern).await.unwrap();
    second.insert(&bern).await.unwrap();
    let mine = Concert::get(&bern, id(1)).await.unwrap();
    mine.link(&bern, &second).await.unwrap();
    Guest::delete(&bern, first.id).await.unwrap();
    Guest::delete(&bern, second.id).await.unwrap();
    assert_no_target(mine.link(&bern, &first).await);
    assert_no_target(concert(3, &[21]).insert(&bern).await);
    assert_eq!(linked(&bern, 1).await, [22]);
    assert_eq!(linked(&bern, 21).await, [] as [i64; 0]);
    // The link that is already stored stays.
    let mut stored = Concert::get(&bern, id(1)).await.unwrap();
    stored.ways.retain(|way| way.target != 99);
    stored.save(&bern).await.unwrap();
    Guest::restore(&bern, first.id).await.unwrap();
    mine.link(&bern, &first).await.unwrap();
    assert_eq!(linked(&bern, 21).await, [1]);
    assert!(bern.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_link_to_a_document_of_another_tenant_is_rejected() {
    let (t, bern, rome) = cities("tenant_link").await;
    let mine = Concert::get(&bern, id(1)).await.unwrap();
    let theirs = Concert::get(&rome, id(2)).await.unwrap();
    let their_band = Band::get(&rome, id(12)).await.unwrap();
    let my_band = Band::get(&bern, id(11)).await.unwrap();
    assert_no_target(mine.link(&bern, &theirs).await);
    assert_no_target(mine.link(&bern, id::<Band>(12)).await);
    assert_no_target(my_band.link(&bern, [&their_band]).await);
    assert_no_target(mine.link(&bern.all_tenants(), &theirs).await);
    let inside = bern.transaction(async |tx| mine.link(&tx, &theirs).await);
    assert_no_target(inside.await);
    assert_no_target(concert(3, &[2]).insert(&bern).await);
    assert_no_target(concert(3, &[12]).save(&bern).await);
    let both = [concert(3, &[]), concert(4, &[2])];
    assert!(Concert::insert_many(&bern, &both).await.is_err());
    let mut of_bern = concert(3, &[1, 2]);
    of_bern.city = Some("bern".to_owned());
    assert_no_target(of_bern.insert(&bern.all_tenants()).await);
    let bulk = bern.bulk_write().add(concert(3, &[12]).insert(&bern));
    assert!(bulk.await.is_err());
    let elsewhere = theirs.link(&bern, &mine).await;
    assert!(matches!(elsewhere, Err(Error::NotFound { .. })));
    assert_eq!(mine.unlink(&bern, &theirs).await.unwrap().modified, 0);
    t.odm.run_pending_jobs().await.unwrap();
    for number in [1, 2, 11, 12] {
        assert_eq!(linked(&t.odm, number).await, [0; 0]);
    }
    for number in [3, 4] {
        assert_eq!(stored(&t.odm, "life_festival", number).await, None);
    }
    let report = t.odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

#[tokio::test]
async fn an_unordered_insert_leaves_out_links_into_another_tenant() {
    let (t, bern, _) = cities("tenant_link_unordered").await;
    let documents = [concert(3, &[1]), concert(4, &[2]), concert(5, &[3])];
    let error = Concert::insert_many(&bern, &documents).unordered().await;
    let Err(Error::InsertMany { rejected, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0].index, 1);
    assert_eq!(linked(&t.odm, 1).await, [3]);
    assert_eq!(linked(&t.odm, 3).await, [1, 5]);
    assert_eq!(linked(&t.odm, 2).await, [0; 0]);
}

#[tokio::test]
async fn links_within_one_tenant_are_stored_at_both_ends() {
    let (t, bern, rome) = cities("tenant_links_within").await;
    let mine = Concert::get(&bern, id(1)).await.unwrap();
    mine.link(&bern, id::<Band>(11)).await.unwrap();
    assert_eq!(linked(&t.odm, 11).await, [1]);
    // Both documents of a batch link to each other.
    let pair = [concert(3, &[4]), concert(4, &[3])];
    Concert::insert_many(&bern, &pair).await.unwrap();
    assert_eq!(linked(&t.odm, 3).await, [4]);
    let theirs = Concert::get(&rome, id(2)).await.unwrap();
    theirs
        .link(&rome.all_tenants(), id::<Band>(12))
        .await
        .unwrap();
    assert_eq!(linked(&t.odm, 12).await, [2]);
    assert_eq!(Band::linked_to(&bern, &mine).await.unwrap().len(), 1);
    assert_eq!(Band::linked_to(&rome, &mine).await.unwrap().len(), 0);
    mine.unlink(&bern, id::<Band>(11)).await.unwrap();
    assert_eq!(linked(&t.odm, 11).await, [0; 0]);
    Concert::delete(&bern, id(4)).await.unwrap();
    assert_eq!(linked(&t.odm, 3).await, [0; 0]);
    t.odm.run_pending_jobs().await.unwrap();
    let report = t.odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

/// Stores a link, as a program without the declaration of the tenant would do.
async fn force_link(odm: &Odm, from: i64, to: i64) {
    let all = odm
        .database()
        .collection::<mongo_odm::bson::Document>("life_festival");
    let kind = if to > 10 { "band" } else { "concert" };
    let push = doc! { "$push": { "ways": { "target": to, "kind": kind } } };
    all.update_one(doc! { "_id": from }, push).await.unwrap();
}

#[tokio::test]
async fn a_stored_link_into_another_tenant_is_reported_and_removed() {
    let (t, bern, _) = cities("tenant_link_stored").await;
    let mine = Concert::get(&bern, id(1)).await.unwrap();
    mine.link(&bern, id::<Band>(11)).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    force_link(&t.odm, 1, 2).await;
    force_link(&t.odm, 2, 1).await;
    force_link(&t.odm, 12, 1).await;
    let report = t.odm.verify().await.unwrap();
    let mut wrong: Vec<_> = report
        .items
        .iter()
        .map(|it| (it.id.as_i64().unwrap(), it.path.as_str()))
        .collect();
    wrong.sort_unstable();
    assert_eq!(
        wrong,
        [
            (1, "ways.2.target"),
            (2, "ways.1.target"),
            (12, "ways.1.target")
        ]
    );
    // One end of the link exists already. The call must not write the other end.
    force_link(&t.odm, 1, 12).await;
    assert_no_target(mine.link(&bern, id::<Band>(12)).await);
    let found = t.odm.verify().await.unwrap();
    let repaired = found.repair(&t.odm).await.unwrap();
    assert_eq!(repaired.failed(), 0, "{repaired:?}");
    for (number, others) in [(1, vec![11]), (11, vec![1]), (2, vec![]), (12, vec![])] {
        assert_eq!(linked(&t.odm, number).await, others, "{number}");
    }
    let report = t.odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

#[tokio::test]
async fn the_arrays_of_two_way_references_stay_within_one_tenant() {
    let (t, bern, rome) = cities("tenant_two_way").await;
    let choir_of_bern = choir(1).insert(&bern).returning().await.unwrap();
    singer(21).insert(&bern).await.unwrap();
    singer(22).insert(&rome).await.unwrap();
    hall(31, None).insert(&bern).await.unwrap();
    let their_hall = hall(32, None).insert(&rome).returning().await.unwrap();
    choir_of_bern.link_singers(&bern, [id(21)]).await.unwrap();
    let (all, f) = (bern.all_tenants(), Choir::fields());
    let theirs = [id::<Singer>(22)];
    assert_no_target(choir_of_bern.link_singers(&bern, theirs).await);
    assert_no_target(choir_of_bern.link_singers(&all, theirs).await);
    let push = Choir::update(&all, id(1)).push(f.singers, id(22));
    assert_no_target(push.await);
    let mut new = choir(2);
    new.city = Some("bern".to_owned());
    new.singers = theirs.to_vec();
    assert_no_target(new.insert(&all).await);
    for odm in [&bern, &all] {
        assert!(choir_of_bern.take_halls(odm, [id(32)]).await.is_err());
        assert!(their_hall.reassign_choir(odm, id(1)).await.is_err());
    }
    choir_of_bern.take_halls(&bern, [id(31)]).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let stored_singer = stored(&t.odm, "life_singers", 22).await.unwrap();
    assert!(stored_singer.get_array("choirs").unwrap().is_empty());
    let now = Choir::get(&bern, id(1)).await.unwrap();
    assert_eq!((now.singers, now.halls), (vec![id(21)], vec![id(31)]));
    assert_eq!(Hall::get(&rome, id(32)).await.unwrap().choir, None);
    let report = t.odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

/// A document that all tenants share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_songs")]
struct Song {
    #[serde(rename = "_id")]
    id: Id<Song, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id")]
enum Subject {
    Singer(Id<Singer, i64>),
    Song(Id<Song, i64>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_reports", tenant = "city")]
struct Report {
    #[serde(rename = "_id")]
    id: Id<Report, i64>,
    city: Option<String>,
    #[refs(many, polymorphic)]
    about: Vec<Subject>,
}

#[tokio::test]
async fn only_the_targets_with_a_tenant_of_a_polymorphic_reference_must_exist() {
    let t = Harness::new("tenant_polymorphic").await;
    let settings = settings();
    let bern = t.odm.with_settings(settings).for_tenant("bern");
    let rome = bern.for_tenant("rome");
    singer(1).insert(&bern).await.unwrap();
    singer(2).insert(&rome).await.unwrap();
    let report = |number, about: &[Subject]| Report {
        id: id(number),
        city: None,
        about: about.to_vec(),
    };
    let missing_song = Subject::Song(id(99));
    let shared = report(1, &[Subject::Singer(id(1)), missing_song.clone()]);
    shared.insert(&bern).await.unwrap();
    for theirs in [2, 99] {
        let theirs = report(2, &[missing_song.clone(), Subject::Singer(id(theirs))]);
        assert_no_target(theirs.insert(&bern).await);
    }
}

/// Another program has stored one end of each reference.
#[tokio::test]
async fn a_repair_leaves_two_way_references_to_another_tenant() {
    let (t, bern, rome) = cities("tenant_two_way_repair").await;
    choir(1).insert(&bern).await.unwrap();
    singer(2).insert(&rome).await.unwrap();
    hall(3, None).insert(&rome).await.unwrap();
    let set = async |collection: &str, id: i64, change: Document| {
        let collection = t.odm.database().collection::<Document>(collection);
        let set = doc! { "$set": change };
        collection
            .update_one(doc! { "_id": id }, set)
            .await
            .unwrap();
    };
    set("life_choirs", 1, doc! { "singers": [2_i64] }).await;
    set("life_halls", 3, doc! { "choir": 1_i64 }).await;
    let drift = t.odm.verify().await.unwrap();
    let kinds: Vec<DriftKind> = drift.items.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [DriftKind::OtherTenant; 2], "{drift}");
    let report = t.odm.verify().repair().await.unwrap();
    assert_eq!((report.repaired(), report.left()), (0, 2), "{report}");
    let singer = stored(&t.odm, "life_singers", 2).await.unwrap();
    assert!(singer.get_array("choirs").unwrap().is_empty());
    let choir = stored(&t.odm, "life_choirs", 1).await.unwrap();
    assert!(choir.get_array("halls").unwrap().is_empty());
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Festival {
    Concert(Concert),
    Band(Band),
}

#[tokio::test]
async fn pages_of_linked_documents_have_the_tenant_of_the_handle() {
    let t = Harness::long_declared("tenant_link_pages").await;
    let odm = t.odm.with_settings(settings());
    let (bern, thun) = (odm.for_tenant("bern"), odm.for_tenant("thun"));
    concert(1, &[]).insert(&bern).await.unwrap();
    band(11).insert(&bern).await.unwrap();
    Band::link(&band(11), &bern, &concert(1, &[]))
        .await
        .unwrap();
    let page = async |odm: &Odm| Festival::linked(odm, 1).page(5).await;
    assert_eq!(page(&bern).await.unwrap().items.bands.len(), 1);
    let other = page(&thun).await.unwrap().items;
    assert_eq!((other.concerts.len(), other.bands.len()), (0, 0));
    let error = page(&odm).await.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
}
