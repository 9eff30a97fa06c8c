//! The effects of a delete on references to the deleted document, and on its copies.

use mongo_odm::{Error, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "authors")]
pub struct Author {
    #[serde(rename = "_id")]
    pub id: Id<Author>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "author_contracts")]
pub struct Contract {
    #[serde(rename = "_id")]
    pub id: Id<Contract>,
    #[parent_ref(on_delete = "restrict")]
    pub author: Id<Author>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "author_novels")]
pub struct Novel {
    #[serde(rename = "_id")]
    pub id: Id<Novel>,
    pub title: String,
    #[parent_ref(on_delete = "cascade")]
    pub author: Id<Author>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "author_chapters")]
pub struct Chapter {
    #[serde(rename = "_id")]
    pub id: Id<Chapter>,
    #[parent_ref(on_delete = "cascade")]
    pub novel: Id<Novel>,
    #[denorm(from = Novel.title)]
    pub novel_title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "author_translations")]
pub struct Translation {
    #[serde(rename = "_id")]
    pub id: Id<Translation>,
    #[parent_ref(on_delete = "restrict")]
    pub novel: Id<Novel>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "author_portraits")]
pub struct Portrait {
    #[serde(rename = "_id")]
    pub id: Id<Portrait>,
    #[refs(one, on_delete = "nullify")]
    pub author: Option<Id<Author>>,
    #[denorm(from = Author.name)]
    pub name: Option<String>,
    #[denorm(from = Author.name, on_delete = "nullify")]
    pub signed: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Reader {
    #[refs(one, on_delete = "pull")]
    pub author: Id<Author>,
    #[denorm(from = Author.name)]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Day {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<Reader>,
    #[refs(many, on_delete = "pull")]
    pub guests: Vec<Id<Author>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "author_festivals")]
pub struct Festival {
    #[serde(rename = "_id")]
    pub id: Id<Festival>,
    #[refs(many, on_delete = "pull")]
    pub invited: Vec<Id<Author>>,
    pub jury: Vec<Reader>,
    pub days: Vec<Day>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "author_letters")]
pub struct Letter {
    #[serde(rename = "_id")]
    pub id: Id<Letter>,
    #[parent_ref(on_delete = "keep")]
    pub author: Id<Author>,
    #[denorm(from = Author.name)]
    pub name: String,
    #[denorm(from = Author.name, on_delete = "nullify")]
    pub known_as: Option<String>,
}

fn author(name: &str) -> Author {
    Author {
        id: Id::new(),
        name: name.to_owned(),
    }
}

fn reader(author: &Author) -> Reader {
    Reader {
        author: author.id,
        name: author.name.clone(),
    }
}

fn letter(author: &Author) -> Letter {
    let name = author.name.clone();
    Letter {
        id: Id::new(),
        author: author.id,
        name: name.clone(),
        known_as: Some(name),
    }
}

fn novels(author: &Author, count: i32) -> Vec<Novel> {
    let novel = |number| Novel {
        id: Id::new(),
        title: format!("Novel {number}"),
        author: author.id,
    };
    (0..count).map(novel).collect()
}

fn chapters(novels: &[Novel], each: i32) -> Vec<Chapter> {
    let of = |novel: &Novel| Chapter {
        id: Id::new(),
        novel: novel.id,
        novel_title: novel.title.clone(),
    };
    novels
        .iter()
        .flat_map(|novel| (0..each).map(move |_| of(novel)))
        .collect()
}

/// Two authors, the first of whom is to be deleted.
pub async fn library(test: &str) -> (Harness, Author, Author) {
    let t = empty(test).await;
    index_library(&t.odm).await;
    let (one, other) = (author("Stanislaw"), author("Ursula"));
    t.given(&[one.clone(), other.clone()]).await;
    (t, one, other)
}

pub async fn index_library(odm: &Odm) {
    let sync = odm.sync_indexes().only::<Contract>().only::<Novel>();
    let sync = sync.only::<Chapter>().only::<Portrait>();
    let sync = sync.only::<Festival>().only::<Letter>();
    sync.only::<Translation>().await.unwrap();
}

async fn delete(odm: &Odm, author: &Author) {
    let report = Author::delete(odm, author.id).await.unwrap();
    assert_eq!(report.deleted, 1);
}

/// A document to which others refer with `restrict` is not deleted, and nothing else is written.
#[tokio::test]
async fn restrict_refuses_the_delete_and_nothing_is_written() {
    let (t, one, other) = library("deletes_restrict").await;
    let contract = Contract {
        id: Id::new(),
        author: one.id,
    };
    t.given(&[contract.clone()]).await;
    t.given(&novels(&one, 1)).await;
    let error = Author::delete(&t.odm, one.id).await.unwrap_err();
    assert!(matches!(error, Error::Restricted { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .contains("`Contract.author` still refers to"),
        "{error}"
    );
    let both = Author::delete_many(&t.odm, Author::fields().name.exists()).await;
    assert!(matches!(both.unwrap_err(), Error::Restricted { .. }));
    assert_eq!(Author::count(&t.odm).await.unwrap(), 2);
    assert_eq!(Novel::count(&t.odm).await.unwrap(), 1);
    assert!(jobs(&t.odm).await.is_empty());
    delete(&t.odm, &other).await;
    Contract::delete(&t.odm, contract.id).await.unwrap();
    delete(&t.odm, &one).await;
    settle(&t.odm).await;
}

/// A delete looks for references in its own snapshot. So `restrict` does not see a reference that is written at the
/// same moment, as documented.
#[tokio::test]
async fn restrict_does_not_see_what_is_written_at_the_same_moment() {
    let (t, one, _) = library("deletes_restrict_race").await;
    let deleted = t.odm.transaction(async |tx| {
        Author::delete(&tx, one.id).await?;
        let contract = Contract {
            id: Id::new(),
            author: one.id,
        };
        contract.insert(&t.odm).await
    });
    deleted.await.unwrap();
    assert!(
        !Author::exists(&t.odm)
            .filter(Author::fields().id.eq(one.id))
            .await
            .unwrap()
    );
    let contracts = Contract::find(&t.odm).await.unwrap();
    let authors = Contract::join_author(&contracts, &t.odm).await.unwrap();
    assert_eq!((contracts.len(), authors.missing().len()), (1, 1));
}

/// A transaction does not commit if its closure ignores an error of `restrict`.
#[tokio::test]
async fn restrict_stops_a_transaction_whose_closure_swallows_it() {
    let (t, one, other) = library("deletes_restrict_swallowed").await;
    t.given(&[Contract {
        id: Id::new(),
        author: one.id,
    }])
    .await;
    let committed = t.odm.transaction(async |tx| {
        Author::delete(&tx, other.id).await?;
        let _ = Author::delete(&tx, one.id).await;
        Ok(())
    });
    committed.await.unwrap_err();
    assert_eq!(Author::count(&t.odm).await.unwrap(), 2);
}

/// Children are deleted with their parent, and so are the children of these children.
#[tokio::test]
async fn cascade_goes_down_in_one_transaction() {
    let (t, one, other) = library("deletes_cascade").await;
    let gone = novels(&one, 3);
    let stays = novels(&other, 1);
    for novels in [&gone, &stays] {
        t.given(novels).await;
        t.given(&chapters(novels, 5)).await;
    }
    t.forget();
    delete(&t.odm, &one).await;
    assert_eq!(t.recorder().count("commitTransaction"), 1);
    assert_eq!(Novel::find(&t.odm).await.unwrap(), stays);
    assert_eq!(Chapter::count(&t.odm).await.unwrap(), 5);
    settle(&t.odm).await;
}

/// Documents that do not fit into a transaction are deleted by jobs, and all of them are gone when the delete returns.
/// Here, either the second step or already the first is too large.
#[tokio::test]
async fn a_large_cascade_goes_down_by_jobs() {
    for (inline, number, each) in [(1_000, 3, 400), (20, 30, 2)] {
        let (t, one, other) = library("deletes_cascade_large").await;
        let odm = t.odm.with_settings(settings().inline_copies(inline));
        let gone = novels(&one, number);
        let stays = novels(&other, 1);
        for novels in [&gone, &stays] {
            t.given(novels).await;
            t.given(&chapters(novels, each)).await;
        }
        delete(&odm, &one).await;
        assert_eq!(Novel::find(&odm).await.unwrap(), stays);
        let left = u64::try_from(each).unwrap();
        assert_eq!(Chapter::count(&odm).await.unwrap(), left);
        settle(&odm).await;
        assert_eq!(Chapter::count(&odm).await.unwrap(), left);
    }
}

/// A document that cannot be deleted keeps only its own children. The job stores its key and tries again.
#[tokio::test]
async fn a_large_cascade_leaves_behind_what_others_restrict() {
    let (t, author, _) = library("deletes_restricted_below").await;
    let odm = by_jobs(&t.odm);
    let novels = novels(&author, 9);
    t.given(&novels).await;
    let restricted = [novels[2].id, novels[6].id];
    let translations = restricted.map(|novel| Translation {
        id: Id::new(),
        novel,
    });
    t.given(&translations).await;
    delete(&odm, &author).await;
    odm.run_pending_jobs().await.unwrap();
    let left = Novel::find(&odm)
        .sort(Novel::fields().id.asc())
        .await
        .unwrap();
    assert_eq!(left.iter().map(|it| it.id).collect::<Vec<_>>(), restricted);
    let stored = jobs(&odm).await;
    assert_eq!(stored.len(), 1);
    // The shards of a cluster return the novels in any order.
    let mut failed = stored[0].get_array("failed").unwrap().clone();
    failed.sort_by_key(ToString::to_string);
    assert_eq!(failed, restricted.map(Into::into));

    for translation in &translations {
        Translation::delete(&odm, translation.id).await.unwrap();
    }
    later(&odm).await;
    settle(&odm).await;
    assert_eq!(Novel::find(&odm).await.unwrap(), []);
}

/// An optional reference becomes null together with its copies.
#[tokio::test]
async fn nullify_empties_the_reference_and_its_copies() {
    let (t, one, other) = library("deletes_nullify").await;
    let of = |author: &Author| Portrait {
        id: Id::new(),
        author: Some(author.id),
        name: Some(author.name.clone()),
        signed: Some(author.name.clone()),
    };
    let (gone, stays) = (of(&one), of(&other));
    t.given(&[gone.clone(), stays.clone()]).await;
    delete(&t.odm, &one).await;
    let stored = Portrait::get(&t.odm, gone.id).await.unwrap();
    assert_eq!((stored.author, stored.name), (None, None));
    assert_eq!(Portrait::get(&t.odm, stays.id).await.unwrap(), stays);
    settle(&t.odm).await;
}

/// Keys and elements are pulled out of arrays at any depth, even if some elements lack the inner array.
#[tokio::test]
async fn pull_removes_keys_and_elements_at_any_depth() {
    let (t, one, other) = library("deletes_pull").await;
    let festival = |present: &[&Author]| {
        let ids: Vec<_> = present.iter().map(|author| author.id).collect();
        let readers: Vec<_> = present.iter().map(|author| reader(author)).collect();
        let days = vec![
            Day {
                readers: readers.clone(),
                guests: vec![],
            },
            Day {
                readers: vec![],
                guests: ids.clone(),
            },
            Day {
                readers: readers.clone(),
                guests: ids.clone(),
            },
        ];
        Festival {
            id: Id::from_key(ObjectId::from_bytes([7; 12])),
            invited: ids,
            jury: readers,
            days,
        }
    };
    for (way, odm) in both_ways(&t.odm) {
        festival(&[&one, &other, &one]).save(&odm).await.unwrap();
        delete(&odm, &one).await;
        settle(&odm).await;
        let stored = Festival::find(&odm).await.unwrap();
        assert_eq!(stored, [festival(&[&other])], "{way}");
        one.insert(&odm).await.unwrap();
        settle(&odm).await;
    }
}

/// A reference with `keep` is unchanged. Its copies keep their value or become null, as they declare.
#[tokio::test]
async fn keep_leaves_the_reference_and_the_copy() {
    let (t, one, _) = library("deletes_keep").await;
    let letter = letter(&one);
    t.given(&[letter.clone()]).await;
    delete(&t.odm, &one).await;
    let stored = Letter::get(&t.odm, letter.id).await.unwrap();
    let expected = Letter {
        known_as: None,
        ..letter
    };
    assert_eq!(stored, expected);
    settle(&t.odm).await;
    assert_eq!(Letter::get(&t.odm, expected.id).await.unwrap(), expected);
}

/// Every rule has the same effect in a job: no document refers to the deleted document when the jobs are done.
#[tokio::test]
async fn all_rules_work_by_jobs() {
    let (t, one, _) = library("deletes_jobs").await;
    let odm = by_jobs(&t.odm);
    let portrait = Portrait {
        id: Id::new(),
        author: Some(one.id),
        name: Some(one.name.clone()),
        signed: Some(one.name.clone()),
    };
    let letter = letter(&one);
    let novels = novels(&one, 2);
    t.given(&[portrait.clone()]).await;
    t.given(&[letter.clone()]).await;
    t.given(&novels).await;
    t.given(&chapters(&novels, 2)).await;
    delete(&odm, &one).await;
    settle(&odm).await;
    let stored = Portrait::get(&odm, portrait.id).await.unwrap();
    assert_eq!((stored.author, stored.name), (None, None));
    let stored = Letter::get(&odm, letter.id).await.unwrap();
    assert_eq!((stored.name, stored.known_as), (letter.name, None));
    assert_eq!(
        Novel::count(&odm).await.unwrap() + Chapter::count(&odm).await.unwrap(),
        0
    );
}

/// If a source is inserted again with the same id, its copies are updated again, regardless of when this happens.
#[tokio::test]
async fn a_source_made_again_with_the_same_id_is_followed() {
    let (t, one, _) = library("deletes_again").await;
    let letter = letter(&one);
    t.given(&[letter.clone()]).await;
    for (way, odm) in both_ways(&t.odm) {
        for settled in [false, true] {
            delete(&odm, &one).await;
            if settled {
                settle(&odm).await;
            }
            let again = Author {
                name: format!("{way} {settled}"),
                ..one.clone()
            };
            again.insert(&odm).await.unwrap();
            settle(&odm).await;
            let stored = Letter::get(&odm, letter.id).await.unwrap();
            assert_eq!(stored.name, again.name);
            assert_eq!(stored.known_as.as_ref(), Some(&again.name));
        }
    }
}

/// A document that cannot be updated keeps its reference. Its copies become null nevertheless, if they declare it.
#[tokio::test]
async fn a_reference_that_must_stay_does_not_keep_its_copies() {
    let (t, one, _) = library("deletes_must_stay").await;
    let portrait = Portrait {
        id: Id::new(),
        author: Some(one.id),
        name: Some(one.name.clone()),
        signed: Some(one.name.clone()),
    };
    t.given(&[portrait.clone()]).await;
    let by_someone = doc! { "author": { "$type": "objectId" } };
    validate(&t.odm, "author_portraits", by_someone).await;
    let odm = by_jobs(&t.odm);
    delete(&odm, &one).await;
    odm.run_pending_jobs().await.unwrap();
    let stored = Portrait::get(&odm, portrait.id).await.unwrap();
    let expected = Portrait {
        signed: None,
        ..portrait
    };
    assert_eq!(stored, expected);
}
