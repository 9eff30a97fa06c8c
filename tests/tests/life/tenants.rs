//! Models with a tenant.

use std::pin::pin;

use futures_util::TryStreamExt;
use mongo_odm::{
    Error, Odm,
    action::DocumentChange,
    bson::{Bson, Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::{id, settings, stored};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_orgs")]
pub struct Org {
    #[serde(rename = "_id")]
    id: Id<Org, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "life_teams",
    tenant = "org",
    has_many(people = "Person.team")
)]
pub struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, i64>,
    #[parent_ref]
    org: Id<Org, i64>,
    #[denorm(from = Org.name, via = org)]
    org_name: Option<String>,
    #[index(unique)]
    slug: String,
    #[rollup(count, of = Person, via = team)]
    pub people: i64,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_people", tenant = "org")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: Id<Person, i64>,
    pub org: Option<i64>,
    #[parent_ref(on_delete = "cascade")]
    pub team: Id<Team, i64>,
    #[denorm(from = Team.slug, via = team)]
    pub team_slug: Option<String>,
    pub age: i64,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

pub fn team(number: i64, org: i64) -> Team {
    Team {
        id: id(number),
        org: id(org),
        org_name: None,
        slug: "core".to_owned(),
        people: 0,
        deleted_at: None,
    }
}

pub fn person(number: i64, team: i64) -> Person {
    Person {
        id: id(number),
        org: None,
        team: id(team),
        team_slug: None,
        age: number,
        deleted_at: None,
    }
}

/// Opens a database with two tenants. Each has one team, and the people 11 and 12, or 21.
pub async fn two(test: &str) -> (Harness, Odm, Odm) {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    let sync = t.odm.sync_indexes().only::<Org>().only::<Team>();
    sync.only::<Person>().await.unwrap();
    for number in [1, 2] {
        let name = format!("org {number}");
        Org {
            id: id(number),
            name,
        }
        .insert(&t.odm)
        .await
        .unwrap();
    }
    let (one, two) = (t.odm.for_tenant(1_i64), t.odm.for_tenant(2_i64));
    team(1, 1).insert(&one).await.unwrap();
    team(2, 2).insert(&two).await.unwrap();
    Person::insert_many(&one, &[person(11, 1), person(12, 1)])
        .await
        .unwrap();
    person(21, 2).insert(&two).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    t.forget();
    (t, one, two)
}

#[tokio::test]
async fn reads_return_the_documents_of_one_tenant() {
    let (_t, one, two) = two("tenant_reads").await;
    assert_eq!(Person::find(&one).await.unwrap().len(), 2);
    assert_eq!(Person::find(&two).await.unwrap().len(), 1);
    assert_eq!(Person::count(&one).await.unwrap(), 2);
    assert!(
        !Person::exists(&one)
            .filter(Person::fields().age.eq(21))
            .await
            .unwrap()
    );
    assert_eq!(
        Person::distinct(&two, Person::fields().age).await.unwrap(),
        [21]
    );
    let other = Person::get(&one, id(21)).await.unwrap_err();
    assert!(matches!(other, Error::NotFound { .. }), "{other}");
    let rows: Vec<Document> = Person::aggregate(&one, vec![doc! { "$count": "n" }])
        .await
        .unwrap();
    assert_eq!(rows, [doc! { "n": 2 }]);
    let page = Person::find(&one).page(10).with_total().await.unwrap();
    assert_eq!((page.items.len(), page.total), (2, Some(2)));
    let all = one.all_tenants();
    assert_eq!(Person::count(&all).await.unwrap(), 3);
    let inside = one
        .transaction(async |tx: mongo_odm::Tx| Person::count(&tx).await)
        .await;
    assert_eq!(inside.unwrap(), 2);
    let plan = Person::find(&one).plan().unwrap().to_string();
    assert_eq!(
        plan,
        "db.life_people.find({ org: NumberLong(\"1\"), deleted_at: null })"
    );
}

#[tokio::test]
async fn loads_and_joins_return_the_documents_of_one_tenant() {
    let (_t, one, two) = two("tenant_joins").await;
    let teams: Vec<Team> = Team::find(&one.all_tenants()).await.unwrap();
    assert_eq!(teams.len(), 2);
    let joined = Team::join_people(&teams, &one).await.unwrap();
    let found: Vec<usize> = teams.iter().map(|team| joined.of(team).len()).collect();
    assert_eq!(found, [2, 0]);
    let limited = Team::join_people(&teams, &two).limit_each(5).await.unwrap();
    let found: Vec<usize> = teams.iter().map(|team| limited.of(team).len()).collect();
    assert_eq!(found, [0, 1]);
    assert_eq!(teams[0].count_people(&two).await.unwrap(), 0);
    let counts = Team::join_people(&teams, &one).count_each().await.unwrap();
    assert_eq!((counts.of(&teams[0]), counts.of(&teams[1])), (2, 0));
    let org = teams[1].load_org(&one).await.unwrap();
    assert_eq!(org.unwrap().name, "org 2");
}

#[tokio::test]
async fn a_handle_without_a_tenant_is_rejected_before_anything_is_sent() {
    let (t, one, _) = two("tenant_missing").await;
    let odm = &t.odm;
    let person = person(31, 1);
    let team: Team = Team::get(&one, id(1)).await.unwrap();
    t.forget();
    let errors = [
        Person::find(odm).await.unwrap_err(),
        Person::count(odm).await.unwrap_err(),
        Person::get(odm, id(11)).await.unwrap_err(),
        team.load_people(odm).await.unwrap_err(),
        Team::join_people(std::slice::from_ref(&team), odm)
            .await
            .unwrap_err(),
        person.insert(odm).await.unwrap_err(),
        person.save(odm).await.unwrap_err(),
        Person::update(odm, id(11))
            .set(Person::fields().age, 1)
            .await
            .unwrap_err(),
        Person::update_many(odm, Filter::all())
            .set(Person::fields().age, 1)
            .await
            .unwrap_err(),
        Person::delete(odm, id(11)).await.unwrap_err(),
        Person::purge(odm, id(11)).await.unwrap_err(),
        Person::restore(odm, id(11)).await.unwrap_err(),
    ];
    for error in errors {
        let text = error.to_string();
        assert!(
            text.contains("`odm.for_tenant(..)`") && text.contains("Person"),
            "{text}"
        );
    }
    assert_eq!(Person::count(&one).await.unwrap(), 2);
    assert!(Org::count(odm).await.is_ok());
}

#[tokio::test]
async fn writes_change_the_documents_of_one_tenant() {
    let (t, one, two) = two("tenant_writes").await;
    let age = Person::fields().age;
    let updated = Person::update_many(&one, Filter::all())
        .set(age, 5)
        .await
        .unwrap();
    assert_eq!(updated.matched, 2);
    assert_eq!(
        Person::update(&one, id(21))
            .set(age, 5)
            .await
            .unwrap()
            .matched,
        0
    );
    let found = Person::find_one_and_update(&two, age.eq(5))
        .set(age, 6)
        .await
        .unwrap();
    assert!(found.is_none());
    assert_eq!(Person::delete(&two, id(11)).await.unwrap().deleted, 0);
    assert_eq!(Person::purge(&two, id(11)).await.unwrap().deleted, 0);
    assert_eq!(
        Person::delete_many(&two, Filter::all())
            .everything()
            .await
            .unwrap()
            .deleted,
        1
    );
    assert_eq!(Person::restore(&one, id(21)).await.unwrap().restored, 0);
    assert_eq!(Person::restore(&two, id(21)).await.unwrap().restored, 1);
    let upsert = Person::upsert(&two, Person::fields().id.eq(id::<Person>(22)));
    upsert
        .set(Person::fields().team, id(2))
        .set(age, 1)
        .await
        .unwrap();
    let teams = Team::fields();
    let upsert = Team::upsert(&two, teams.id.eq(id::<Team>(7)));
    upsert.set_on_insert(teams.slug, "new").await.unwrap();
    let team: Team = Team::get(&two, id(7)).await.unwrap();
    assert_eq!((team.org, team.org_name.as_deref()), (id(2), Some("org 2")));
    let stored = stored(&t.odm, "life_people", 22).await.unwrap();
    assert_eq!(stored.get("org"), Some(&Bson::Int64(2)));
    assert_eq!(stored.get_str("team_slug").unwrap(), "core");
    let report = t.odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

#[tokio::test]
async fn a_document_of_another_tenant_is_rejected() {
    let (t, one, _) = two("tenant_other").await;
    let refused = team(3, 2).insert(&one).await.unwrap_err();
    assert!(refused.to_string().contains("`Team.org`"), "{refused}");
    let refused = team(1, 2).save(&one).await.unwrap_err();
    assert!(refused.to_string().contains("`Team.org`"), "{refused}");
    let mut new = person(31, 1);
    new.insert(&one).await.unwrap();
    let kept = stored(&t.odm, "life_people", 31).await.unwrap();
    assert_eq!(kept.get("org"), Some(&Bson::Int64(1)));
    new.id = id(32);
    let refused = new.insert(&one.all_tenants()).await.unwrap_err();
    assert!(refused.to_string().contains("for all tenants"), "{refused}");
    new.org = Some(1);
    new.insert(&one.all_tenants()).await.unwrap();
    let wrong = team(5, 1).insert(&one.for_tenant("one")).await.unwrap_err();
    assert!(wrong.to_string().contains("for_tenant"), "{wrong}");
    let stages = vec![doc! { "$set": { "org": 2 } }];
    let moved = Person::update(&one, id(11))
        .modifications(stages)
        .await
        .unwrap_err();
    assert!(moved.to_string().contains("org"), "{moved}");
}

/// A save replaces a document only if it has the same tenant as the struct.
#[tokio::test]
async fn a_save_for_all_tenants_keeps_the_tenant() {
    let (t, one, _) = two("tenant_kept").await;
    let all = &one.all_tenants();
    let before = stored(&t.odm, "life_teams", 1).await.unwrap();
    let saved = team(1, 2).save(all).await.unwrap_err();
    assert!(saved.is_duplicate_key(), "{saved}");
    let replaced = team(1, 2).replace(all).await.unwrap();
    assert_eq!(replaced.matched, 0);
    let mut loaded = Person::get(all, id(11)).await.unwrap();
    loaded.org = Some(2);
    assert!(loaded.save(all).await.unwrap_err().is_duplicate_key());
    let after = stored(&t.odm, "life_teams", 1).await.unwrap();
    assert_eq!(before, after);
    loaded.org = Some(1);
    loaded.age = 77;
    loaded.save(all).await.unwrap();
    let person = stored(&t.odm, "life_people", 11).await.unwrap();
    assert_eq!(person.get("age"), Some(&Bson::Int64(77)));
}

#[tokio::test]
async fn a_reference_into_another_tenant_is_rejected() {
    let (t, one, _) = two("tenant_reference").await;
    let refused = person(31, 2).insert(&one).await.unwrap_err();
    assert!(matches!(refused, Error::NoTarget { .. }), "{refused}");
    let why = "no document of `life_teams` has such a `_id` in the same tenant";
    assert!(refused.to_string().contains(why), "{refused}");
    let moved = Person::update(&one, id(11))
        .set(Person::fields().team, id(2))
        .await;
    assert!(matches!(moved, Err(Error::NoTarget { .. })));
    let all = &one.all_tenants();
    let team: Team = Team::get(all, id(2)).await.unwrap();
    assert_eq!(team.people, 1);
    let report = t.odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

#[tokio::test]
async fn a_handle_for_all_tenants_rejects_references_into_another_tenant() {
    let (_t, one, _) = two("tenant_reference_of_all").await;
    let all = &one.all_tenants();
    let of_org = |number, team, org| Person {
        org: Some(org),
        ..person(number, team)
    };
    let refused = of_org(31, 2, 1).insert(all).await.unwrap_err();
    assert!(matches!(refused, Error::NoTarget { .. }), "{refused}");
    let mixed = [of_org(31, 1, 1), of_org(32, 1, 2)];
    let refused = Person::insert_many(all, &mixed).await;
    assert!(refused.is_err());
    let changed = [of_org(11, 2, 1).save(all).await, {
        let f = Person::fields();
        let every = Person::update_many(all, f.age.gte(0));
        every.set(f.team, id(1)).await
    }];
    for changed in changed {
        assert!(matches!(changed, Err(Error::NoTarget { .. })));
    }
    let mixed = [of_org(31, 1, 1), of_org(32, 2, 2)];
    Person::insert_many(all, &mixed).await.unwrap();
}

#[tokio::test]
async fn an_upsert_for_all_tenants_needs_a_tenant_in_its_filter() {
    let (_t, one, _) = two("tenant_upsert_of_all").await;
    let (all, f) = (&one.all_tenants(), Team::fields());
    let filter = f.id.eq(id::<Team>(7));
    let refused = Team::upsert(all, filter.clone()).set(f.slug, "new").await;
    let refused = refused.unwrap_err();
    assert!(matches!(refused, Error::Invalid { .. }), "{refused}");
    assert!(refused.to_string().contains("add `org` to the filter"));
    let upsert = Team::upsert(all, filter & f.org.eq(id::<Org>(2)));
    upsert.set(f.slug, "new").await.unwrap();
    let stored: Team = Team::get(all, id(7)).await.unwrap();
    assert_eq!(stored.org, id(2));
}

#[tokio::test]
async fn derived_data_and_delete_rules_need_no_tenant() {
    let (t, one, two) = two("tenant_derived").await;
    let slug = Team::fields().slug;
    Team::update(&one, id(1))
        .set(slug, "new")
        .deferred()
        .await
        .unwrap();
    Org::update(&t.odm, id(1))
        .set(Org::fields().name, "renamed")
        .await
        .unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let person: Person = Person::get(&one, id(11)).await.unwrap();
    assert_eq!(person.team_slug.as_deref(), Some("new"));
    let team: Team = Team::get(&one, id(1)).await.unwrap();
    assert_eq!(
        (team.org_name.as_deref(), team.people),
        (Some("renamed"), 2)
    );
    let other: Team = Team::get(&two, id(2)).await.unwrap();
    assert_eq!(
        (other.org_name.as_deref(), other.people),
        (Some("org 2"), 1)
    );
    Team::delete(&one, id(1)).await.unwrap();
    assert_eq!(Person::count(&one).await.unwrap(), 0);
    assert_eq!(Person::count(&two).await.unwrap(), 1);
    Team::restore(&one, id(1)).await.unwrap();
    assert_eq!(Person::count(&one).await.unwrap(), 2);
    let report = t.odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

#[tokio::test]
async fn declared_indexes_begin_with_the_tenant() {
    let (t, one, two) = two("tenant_indexes").await;
    let indexes = t.odm.database().collection::<Document>("life_teams");
    let indexes: Vec<_> = indexes
        .list_indexes()
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    let slug = indexes
        .iter()
        .find(|it| it.keys.contains_key("slug"))
        .unwrap();
    assert_eq!(slug.keys, doc! { "org": 1, "slug": 1 });
    // Both tenants have a team with the slug "core".
    let twice = team(3, 1).insert(&one).await.unwrap_err();
    assert!(matches!(twice, Error::DuplicateKey { .. }), "{twice}");
    let found = Team::get_or_create(&two, Team::fields().slug.eq("core"), &team(9, 2)).await;
    assert!(!found.unwrap().is_created);
    let report = t.odm.sync_indexes().only::<Team>().await.unwrap();
    assert!(report.created.is_empty(), "{report:?}");
}

#[tokio::test]
async fn a_stream_reports_the_changes_of_one_tenant() {
    let (_t, one, two) = two("tenant_events").await;
    let mut events = pin!(Person::watch(&two).await.unwrap());
    let age = Person::fields().age;
    Person::update(&one, id(11)).set(age, 50).await.unwrap();
    Person::update(&two, id(21)).set(age, 51).await.unwrap();
    let event = events.try_next().await.unwrap().unwrap();
    let DocumentChange::Updated { id: changed, .. } = event.change else {
        panic!("{event:?}");
    };
    assert_eq!(changed, id(21));
}

/// A model without a tenant that refers to one with a tenant.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_badges")]
struct Badge {
    #[serde(rename = "_id")]
    id: Id<Badge, i64>,
    #[refs(one)]
    person: Id<Person, i64>,
}

#[tokio::test]
async fn a_global_model_cannot_refer_to_a_tenant() {
    let problems = mongo_odm::check_models().unwrap_err().to_string();
    assert!(problems.contains("`Badge.person`"), "{problems}");
    let (t, ..) = two("tenant_global").await;
    let badge = Badge {
        id: id(1),
        person: id(11),
    };
    let refused = badge.insert(&t.odm).await.unwrap_err();
    assert!(matches!(refused, Error::Declaration(_)), "{refused}");
}

#[tokio::test]
async fn a_handle_to_another_database_has_its_own_documents_and_jobs() {
    let (t, one, _) = two("tenant_databases").await;
    let name = format!("{}_other", t.odm.database().name());
    let other = one.in_database(&name);
    assert_eq!(other.database().name(), name);
    other
        .sync_indexes()
        .only::<Team>()
        .only::<Person>()
        .await
        .unwrap();
    let org = Org {
        id: id(1),
        name: "other".to_owned(),
    };
    org.insert(&other).await.unwrap();
    team(1, 1).insert(&other).await.unwrap();
    person(40, 1).insert(&other).await.unwrap();
    assert_eq!(
        (
            Person::count(&other).await.unwrap(),
            Person::count(&one).await.unwrap()
        ),
        (1, 2)
    );
    Org::update(&other, id(1))
        .set(Org::fields().name, "new")
        .deferred()
        .await
        .unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let team: Team = Team::get(&other, id(1)).await.unwrap();
    assert_eq!(team.org_name.as_deref(), Some("other"));
    other.run_pending_jobs().await.unwrap();
    let team: Team = Team::get(&other, id(1)).await.unwrap();
    assert_eq!(team.org_name.as_deref(), Some("new"));
    let same: Team = Team::get(&one, id(1)).await.unwrap();
    assert_eq!(same.org_name.as_deref(), Some("org 1"));
    other.database().drop().await.unwrap();
}
