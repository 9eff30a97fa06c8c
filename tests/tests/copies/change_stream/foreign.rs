//! Writes of other programs.

use super::*;

#[tokio::test]
async fn a_foreign_rename_reaches_the_copies() {
    let t = shop("watch_rename").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, &parts);
    product.insert(&t.odm).await.unwrap();
    run_all(&t.odm).await;
    let watcher = watching(&t.odm).await;

    let rename = doc! { "$set": { "name": "renamed by hand" } };
    foreign(&t.odm, "parts", id(parts[1].id), rename).await;
    run_until(&t.odm, async || {
        let stored = Product::get(&t.odm, product.id).await.unwrap();
        stored.parts[1].name == "renamed by hand"
    })
    .await;
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn only_what_is_copied_is_marked() {
    let t = shop("watch_paths").await;
    let parts = [part(1), part(2), part(3)];
    t.given(&parts).await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    run_all(&t.odm).await;
    let watcher = watching(&t.odm).await;

    foreign(
        &t.odm,
        "parts",
        id(parts[0].id),
        doc! { "$inc": { "qty": 1 } },
    )
    .await;
    foreign(
        &t.odm,
        "parts",
        id(parts[1].id),
        doc! { "$unset": { "name": 1 } },
    )
    .await;
    let by_pipeline = t.odm.database().collection::<Document>("parts");
    by_pipeline
        .update_one(
            doc! { "_id": id(parts[2].id) },
            vec![doc! { "$set": { "name": { "$concat": ["$name", "!"] } } }],
        )
        .await
        .unwrap();
    fence(&t.odm, &host).await;
    assert_eq!(job(&t.odm, id(parts[0].id)).await, None);
    for changed in &parts[1..] {
        let job = job(&t.odm, id(changed.id)).await.unwrap();
        assert_eq!(job.get_str("phase").unwrap(), "run");
        let id = job.get_document("_id").unwrap();
        assert_eq!(
            id.get_str("relation").unwrap(),
            "products.parts.id <- parts._id"
        );
    }
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn a_foreign_change_inside_an_array_of_keys_is_seen() {
    let t = shop("watch_keys").await;
    let parts = [part(1), part(2), part(3)];
    t.given(&parts).await;
    let product = product(1, &parts[..2]);
    product.insert(&t.odm).await.unwrap();
    run_all(&t.odm).await;
    let pre_images =
        doc! { "collMod": "products", "changeStreamPreAndPostImages": { "enabled": true } };
    t.odm.database().run_command(pre_images).await.unwrap();
    let watcher = watching(&t.odm).await;

    let name = async |part: &Part| Part::get(&t.odm, part.id).await.unwrap().product_name;
    let relink = doc! { "$set": { "parts.1.id": id(parts[2].id) } };
    foreign(&t.odm, "products", id(product.id), relink).await;
    run_until(&t.odm, async || name(&parts[2]).await.is_some()).await;
    assert_eq!(
        name(&parts[1]).await,
        None,
        "the pre-image tells the lost key"
    );

    // A pipeline truncates the array, so the event contains no written field.
    let first = doc! { "$slice": ["$parts", 1] };
    let products = t.odm.database().collection::<Document>("products");
    products
        .update_many(doc! {}, vec![doc! { "$set": { "parts": first } }])
        .await
        .unwrap();
    run_until(&t.odm, async || name(&parts[2]).await.is_none()).await;
    assert!(name(&parts[0]).await.is_some());
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn a_foreign_delete_is_carried_out() {
    let t = shop("watch_delete").await;
    t.odm.sync_indexes().only::<Task>().await.unwrap();
    let people = ["Ann", "Bob"].map(|name| Person {
        id: Id::new(),
        name: name.to_owned(),
    });
    t.given(&people).await;
    let task = |owner: &Person| Task {
        id: Id::new(),
        owner: Some(owner.id),
        owner_name: Some(owner.name.clone()),
    };
    let tasks = [task(&people[0]), task(&people[1])];
    t.given(&tasks).await;
    let watcher = watching(&t.odm).await;

    let stored = t.odm.collection::<Person>();
    let deleted = stored.delete_one(doc! { "_id": id(people[0].id) }).await;
    assert_eq!(deleted.unwrap().deleted_count, 1);
    run_until(&t.odm, async || {
        let task = Task::get(&t.odm, tasks[0].id).await.unwrap();
        task.owner.is_none() && task.owner_name.is_none()
    })
    .await;
    assert_eq!(Task::get(&t.odm, tasks[1].id).await.unwrap(), tasks[1]);
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn a_source_that_is_made_again_is_copied_and_a_new_one_is_not_marked() {
    let t = shop("watch_insert").await;
    let (mut again, _) = host_with_messages(&t.odm, 1).await;
    let (other, _) = host_with_messages(&t.odm, 2).await;
    let stored = t.odm.collection::<Host>();
    stored
        .delete_one(doc! { "_id": id(again.id) })
        .await
        .unwrap();
    let watcher = watching(&t.odm).await;

    let nobody_waits = host(9);
    stored.insert_one(&nobody_waits).await.unwrap();
    fence(&t.odm, &other).await;
    assert_eq!(job(&t.odm, id(nobody_waits.id)).await, None);
    again.ipaddr = "10.0.0.1".to_owned();
    stored.insert_one(&again).await.unwrap();
    run_until(&t.odm, async || {
        have_address(&t.odm, &again, "10.0.0.1").await
    })
    .await;
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn a_collection_that_is_put_in_place_of_a_source_is_seen() {
    let t = shop("watch_out").await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    let watcher = watching(&t.odm).await;
    // `$out` writes a temporary collection and renames it.
    let moved = vec![
        doc! { "$set": { "ipaddr": "10.0.0.7" } },
        doc! { "$out": "hosts" },
    ];
    t.odm.collection::<Host>().aggregate(moved).await.unwrap();
    run_until(&t.odm, async || {
        have_address(&t.odm, &host, "10.0.0.7").await
    })
    .await;
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn a_watcher_of_some_models_sees_only_them() {
    let t = shop("watch_only").await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let watcher = tokio::spawn(t.odm.watch_sources().only::<Host>().run());
    eventually(async || !streams(&t.odm).await.is_empty()).await;
    foreign(
        &t.odm,
        "parts",
        id(part.id),
        doc! { "$set": { "name": "x" } },
    )
    .await;
    fence(&t.odm, &host).await;
    assert_eq!(job(&t.odm, id(part.id)).await, None);
    kill(watcher).await;

    let error = t
        .odm
        .watch_sources()
        .only::<LogMsg>()
        .run()
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no field of `logmsg` is copied to other documents; remove it from the watched models"
    );
}
