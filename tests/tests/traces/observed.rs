//! `observe` reports the driver's events, for calls that send several statements.

use std::{future::IntoFuture, panic::AssertUnwindSafe, time::Duration};

use futures_util::{FutureExt, TryStreamExt};
use mongo_odm::{Observed, SentStatement, Settings, Settle, assert_round_trips, prelude::*};
use mongo_odm_testkit::Sent;
use odm_tests::Harness;
use tokio::sync::oneshot;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "owners", has_many(pets = Pet.owner))]
struct Owner {
    #[serde(rename = "_id")]
    id: Id<Owner>,
    name: String,
    #[rollup(count, of = "Pet", via = "owner")]
    pets: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "pets")]
struct Pet {
    #[serde(rename = "_id")]
    id: Id<Pet>,
    #[parent_ref(on_delete = "cascade")]
    owner: Id<Owner>,
    #[denorm(from = "Owner.name")]
    owner_name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit>,
    #[refs(one, on_delete = "nullify", name = "visitor")]
    pet: Option<Id<Pet>>,
}

fn owner(name: &str) -> Owner {
    Owner {
        id: Id::new(),
        name: name.to_owned(),
        pets: 0,
    }
}

fn pet(owner: &Owner) -> Pet {
    Pet {
        id: Id::new(),
        owner: owner.id,
        owner_name: owner.name.clone(),
    }
}

/// Stores two owners with two pets each, and one visit per pet. Only the test runs jobs.
async fn owners(test: &str) -> (Harness, Vec<Owner>, Vec<Pet>) {
    let mut t = Harness::long_declared(test).await;
    let settings = Settings::default().settle(Settle::Manual);
    let settings = settings.grace(Duration::ZERO);
    t.odm = t.odm.with_settings(settings);
    let sync = t.odm.sync_indexes().only::<Owner>().only::<Pet>();
    sync.only::<Visit>().await.unwrap();
    let owners = ["Ann", "Bob"].map(owner);
    t.given(&owners).await;
    let pets: Vec<_> = owners.iter().flat_map(|it| [pet(it), pet(it)]).collect();
    t.given(&pets).await;
    let visit = |pet: &Pet| Visit {
        id: Id::new(),
        pet: Some(pet.id),
    };
    t.given(&pets.iter().map(visit).collect::<Vec<_>>()).await;
    t.odm.run_pending_jobs().await.unwrap();
    (t, owners.to_vec(), pets)
}

/// Checks that the handle observes the same statements as the driver, and returns the observation.
pub(super) async fn compared<T>(t: &Harness, block: impl IntoFuture<Output = T>) -> Observed<T> {
    t.forget();
    let observed = t.odm.observe(block.into_future()).await;
    let (mut sent, mut seen) = (t.all_names(), observed.names());
    // The keys of a cluster are read from another database.
    for read in t.recorder().commands() {
        let is_it = |name: &String| read.database == "config" && *name == read.name;
        if let Some(at) = sent.iter().position(is_it) {
            sent.swap_remove(at);
        }
    }
    sent.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, sent, "\n{observed}\n{}", t.recorder());
    observed
}

pub(super) async fn succeeds<T>(
    t: &Harness,
    block: impl IntoFuture<Output = mongo_odm::Result<T>>,
) -> T {
    compared(t, block).await.value.unwrap()
}

#[tokio::test]
async fn all_that_follows_a_write_is_seen() {
    let (t, owners, pets) = owners("observed_writes").await;
    let (odm, [ann, bob]) = (&t.odm, [&owners[0], &owners[1]]);
    let name = Owner::fields().name;
    let rename = compared(&t, Owner::update(odm, ann.id).set(name, "Anna")).await;
    assert!(rename.names().len() > 2, "{rename}");
    assert!(rename.names().contains(&"commitTransaction"), "{rename}");
    succeeds(&t, Owner::update_many(odm, doc! {}).set(name, "Carl")).await;
    let found = Owner::find_one_and_update(odm, name.eq("Carl")).set(name, "Dora");
    succeeds(&t, found).await;
    succeeds(&t, pet(ann).insert(odm)).await;
    succeeds(&t, Pet::insert_many(odm, &[pet(ann), pet(bob)])).await;
    let mut moved = pets[0].clone();
    moved.owner = bob.id;
    succeeds(&t, moved.save(odm)).await;
    let upsert = Owner::upsert(odm, name.eq("Eve")).set_on_insert(Owner::fields().id, Id::new());
    succeeds(&t, upsert).await;
    let dry = Owner::update(odm, bob.id).set(name, "Bobby").dry_run();
    succeeds(&t, dry).await;
    // A cascade, and the updates of the visits that refer to the deleted pets.
    let deleted = compared(&t, Owner::delete(odm, ann.id)).await;
    assert!(deleted.names().len() > 4, "{deleted}");
    succeeds(&t, Pet::delete_many(odm, Pet::fields().owner.eq(bob.id))).await;
    let in_tx = odm.transaction(async |tx| {
        Owner::update(&tx, bob.id).set(name, "Bo").await?;
        pet(bob).insert(&tx).await
    });
    Box::pin(succeeds(&t, in_tx)).await;
}

#[tokio::test]
async fn jobs_that_the_block_waits_for_are_seen() {
    let (t, owners, pets) = owners("observed_jobs").await;
    let (odm, name) = (&t.odm, Owner::fields().name);
    let rename = |to: &str| Owner::update(odm, owners[0].id).set(name, to).deferred();
    rename("Anna").await.unwrap();
    let run = compared(&t, odm.run_pending_jobs()).await;
    assert!(run.names().len() > 3, "{run}");
    let renamed = rename("Anne").await.unwrap();
    let waited = compared(&t, odm.wait(renamed.token())).await;
    assert!(waited.names().len() > 3, "{waited}");
    rename("Anny").await.unwrap();
    succeeds(&t, Pet::get(odm, pets[0].id).fresh()).await;
    let _ = succeeds(&t, odm.verify()).await;
    succeeds(&t, odm.jobs().count()).await;
    succeeds(&t, odm.index_diff()).await;
    succeeds(&t, odm.sync_indexes().only::<Pet>()).await;
    succeeds(&t, odm.backfill::<Pet>()).await;
    compared(&t, odm.health()).await.value.unwrap();
}

#[tokio::test]
async fn what_the_library_does_in_the_background_is_not_seen() {
    let (t, owners, _) = owners("observed_background").await;
    let settings = t.odm.settings().clone().settle(Settle::Background);
    let odm = t.odm.with_settings(settings);
    t.forget();
    let observed = odm.observe(async {
        let rename = Owner::update(&odm, owners[0].id).set(Owner::fields().name, "Anna");
        rename.deferred().await.unwrap();
        // The library starts the task that runs the job.
        let stale = || Pet::count(&odm).filter(Pet::fields().owner_name.eq("Ann"));
        while stale().await.unwrap() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let observed = observed.await;
    let of_copies = |name: &str, collection: &str| name == "update" && collection == "pets";
    let mut sent = t.recorder().commands().into_iter();
    let of_sent = |it: Sent| of_copies(&it.name, it.command.get_str("update").unwrap_or_default());
    assert!(sent.any(of_sent), "{}", t.recorder());
    let mut seen = observed.sent.iter();
    let of_seen =
        |it: &SentStatement| of_copies(it.command, it.collection.as_deref().unwrap_or_default());
    assert!(!seen.any(of_seen), "{observed}");
}

#[tokio::test]
async fn two_blocks_at_once_each_see_their_own() {
    let (t, owners, _) = owners("observed_two").await;
    let renames = owners.iter().zip([1, 3]).map(|(owner, times)| {
        let (odm, id) = (t.odm.clone(), owner.id);
        tokio::spawn(async move {
            let inner = odm.clone();
            let block = async move {
                for time in 0..times {
                    let name = format!("name {time}");
                    let rename = Owner::update(&inner, id).set(Owner::fields().name, name);
                    rename.await.unwrap();
                }
            };
            odm.observe(block).await
        })
    });
    t.forget();
    let (mut seen, mut commits) = (Vec::new(), Vec::new());
    for block in renames.collect::<Vec<_>>() {
        let names = block.await.unwrap().names();
        let is_commit = |name: &&&str| **name == "commitTransaction";
        commits.push(names.iter().filter(is_commit).count());
        seen.extend(names);
    }
    let mut sent = t.recorder().names();
    sent.sort_unstable();
    seen.sort_unstable();
    assert_eq!(
        (commits, seen),
        (vec![1, 3], sent.iter().map(|it| &**it).collect())
    );
}

#[tokio::test]
async fn a_write_whose_caller_is_dropped_is_seen_as_far_as_the_block_goes() {
    let (t, owners, _) = owners("observed_dropped").await;
    let odm = &t.odm;
    t.forget();
    let observed = odm.observe(async {
        let rename = Owner::update(odm, owners[0].id).set(Owner::fields().name, "Anna");
        let rename = tokio::time::timeout(Duration::ZERO, rename.into_future());
        assert!(rename.await.is_err());
        odm.finish_writes().await;
    });
    let observed = observed.await;
    let (mut sent, mut seen) = (t.all_names(), observed.names());
    // The keys of a cluster are read from another database.
    for read in t.recorder().commands() {
        let is_it = |name: &String| read.database == "config" && *name == read.name;
        if let Some(at) = sent.iter().position(is_it) {
            sent.swap_remove(at);
        }
    }
    sent.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, sent, "{observed}");
    assert!(seen.contains(&"commitTransaction"), "{observed}");
}

#[tokio::test]
async fn a_change_stream_is_seen_and_the_driver_of_the_application_is_not() {
    let (t, owners, _) = owners("observed_watcher").await;
    let (odm, owner) = (&t.odm, owners[0].id);
    let (stop, stopped) = oneshot::channel::<()>();
    t.forget();
    let observed = odm.observe(async {
        let watcher = odm.watch_sources().only::<Owner>();
        let watch = watcher.run_until(async { stopped.await.unwrap() });
        let write = async {
            for name in 0.. {
                let update = doc! { "$set": { "name": format!("Zoe {name}") } };
                let past =
                    doc! { "findAndModify": "owners", "query": { "_id": owner }, "update": update };
                odm.database().run_command(past).await.unwrap();
                if odm.jobs().count().await.unwrap().due > 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            stop.send(()).unwrap();
        };
        tokio::join!(watch, write).0
    });
    let observed = observed.await;
    observed.value.as_ref().unwrap();
    assert!(observed.names().contains(&"getMore"), "{observed}");
    let (mut sent, mut seen) = (t.all_names(), observed.names());
    // The keys of a cluster are read from another database.
    for read in t.recorder().commands() {
        let is_it = |name: &String| read.database == "config" && *name == read.name;
        if let Some(at) = sent.iter().position(is_it) {
            sent.swap_remove(at);
        }
    }
    sent.retain(|name| name != "findAndModify");
    sent.sort_unstable();
    seen.sort_unstable();
    // The watcher may be dropped during a statement that the driver has not sent yet.
    let unanswered = observed.sent.iter().filter(|it| it.duration.is_none());
    let unanswered: Vec<_> = unanswered.map(|it| it.command).collect();
    assert!(unanswered.len() <= 1, "{observed}");
    if seen.len() > sent.len() {
        let unsent = unanswered.first().unwrap();
        let last = seen.iter().position(|name| name == unsent).unwrap();
        seen.remove(last);
    }
    assert_eq!(seen, sent, "{observed}");
}

#[tokio::test]
async fn streams_are_seen_batch_by_batch_and_end_where_they_are_dropped() {
    let (t, ..) = owners("observed_streams").await;
    let batches = || Pet::find(&t.odm).options(|it| it.batch_size = Some(1));
    let all = compared(&t, batches().stream().try_collect::<Vec<_>>()).await;
    assert_eq!(all.names()[..2], ["find", "getMore"], "{all}");
    let first = compared(&t, async {
        let mut stream = std::pin::pin!(batches().stream());
        stream.try_next().await.unwrap()
    });
    assert_eq!(first.await.names(), ["find"]);
    let joined = compared(&t, async {
        let odm = t.odm.clone();
        let batches =
            Owner::find(&t.odm).join_batches(1, move |owners| Owner::join_pets(owners, &odm));
        batches.try_collect::<Vec<_>>().await.unwrap()
    });
    assert_eq!(joined.await.names(), ["find", "find", "find"]);
}

#[tokio::test]
async fn a_wrong_number_of_round_trips_is_told_as_it_is_read() {
    let (t, owners, _) = owners("observed_told").await;
    let line = line!() + 4;
    let failing = async {
        assert_round_trips!(2, t.odm, async {
            for owner in owners.iter().cycle().take(50) {
                owner.load_pets(&t.odm).await.unwrap();
            }
        });
    };
    let failed = AssertUnwindSafe(failing).catch_unwind().await.unwrap_err();
    let message = failed.downcast::<String>().unwrap();
    let lines: Vec<_> = message.lines().collect();
    assert_eq!(
        (lines.len(), lines[41]),
        (42, "  … and 10 more"),
        "{message}"
    );
    assert_eq!(lines[0], "50 round trips instead of 2:");
    let (key, file) = (owners[0].id.to_string(), file!());
    let start =
        format!("  db.pets.find({{ owner: ObjectId(\"{key}\") }})  // Owner.pets, 2 documents, ");
    let end = format!(", at {file}:{line}");
    assert!(
        lines[1].starts_with(&start) && lines[1].ends_with(&end),
        "{message}"
    );
}
