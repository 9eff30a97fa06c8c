//! Reads plain documents, and compares every copy with its source and every child that a cascade would delete with its
//! parent.

use std::{collections::HashMap, fmt};

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Bson, Document, doc, oid::ObjectId},
    mongodb::{Database, options::ReadConcern},
};

use crate::{shelves, vandal::UNTOUCHED};

/// The copies with a reference in the same document to the `_id` of their source, of all versions: collection,
/// reference, copy, collection and field of the source.
const BESIDE: [(&str, &str, &str, &str, &str); 7] = [
    ("readings", "meter", "count", "meters", "count"),
    ("logmsg", "host", "ipaddr", "hosts", "ipaddr"),
    ("posts", "blogger", "by", "bloggers", "name"),
    ("comments", "post", "by", "posts", "by"),
    ("likes", "comment", "by", "comments", "by"),
    ("stickers", "blogger", "by", "bloggers", "name"),
    ("portraits", "twin", "name", "twins", "name"),
];

/// The counts of children: collection and field of the parent, collection and reference of the child.
const COUNTS: [(&str, &str, &str, &str); 3] = [
    ("bloggers", "posts", "posts", "blogger"),
    ("posts", "comments", "comments", "post"),
    ("comments", "likes", "likes", "comment"),
];

/// The collections with documents that a cascade deletes with their parents.
const CASCADES: [&str; 4] = ["posts", "comments", "likes", "stickers"];

/// The result of the comparison at the end.
#[derive(Debug, Default)]
pub(crate) struct Found {
    copies: u64,
    children: u64,
    pairs: u64,
    hostile: u64,
    computed: u64,
    shelved: u64,
    pub(crate) wrong: Vec<String>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            copies,
            children,
            pairs,
            hostile,
            computed,
            shelved,
            wrong,
        } = self;
        write!(
            f,
            "{} wrong among {copies} copies of sources that are there, {children} children of cascades, {pairs} \
             pairs, {hostile} documents with copies of nothing, {computed} lists, counts and sums, and {shelved} shelves, \
             crates and items",
            wrong.len(),
        )
    }
}

impl Found {
    fn copy(&mut self, title: &str, of: &Document, copy: Option<&Bson>, source: Option<&Bson>) {
        self.copies += 1;
        // Null and a missing field are equal here.
        let value = |it: Option<&Bson>| it.filter(|it| **it != Bson::Null).cloned();
        if value(copy) != value(source) {
            self.wrong.push(format!(
                "{title} of {of} is {copy:?}, and its source is {source:?}"
            ));
        }
    }

    fn computed(&mut self, title: &str, of: &Document, field: &str, expected: &Bson) {
        let held = of.get(field);
        // The document was stored without the library, and has no children.
        let is_root = title.starts_with("bloggers");
        if held.is_none() && *expected == Bson::Int64(0) && !is_root {
            return;
        }
        self.computed += 1;
        if held != Some(expected) {
            self.wrong.push(format!(
                "{title} of {of} is {held:?}, and its children say {expected}"
            ));
        }
    }

    /// Checks an array that contains the ids of a document's children in any order.
    fn array(&mut self, title: &str, of: &Document, field: &str, children: &[Document]) {
        let ids = |ids: Vec<&Bson>| {
            let mut ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            ids.sort();
            ids
        };
        let held = of.get_array(field).map(|it| ids(it.iter().collect())).ok();
        let expected = ids(children.iter().filter_map(|it| it.get("_id")).collect());
        self.computed += 1;
        if held.as_ref() != Some(&expected) {
            self.wrong.push(format!(
                "{title} of {of} is {held:?}, and its children are {expected:?}"
            ));
        }
    }

    /// Checks the copy for a reference that cannot be a key: without a source, the copy must be unchanged.
    fn hostile(&mut self, title: &str, of: &Document, copy: Option<&Bson>) {
        self.hostile += 1;
        if copy != Some(&UNTOUCHED.into()) {
            self.wrong
                .push(format!("{title} of {of} is {copy:?}, and it has no source"));
        }
    }
}

pub(crate) async fn compare(database: &Database) -> Found {
    let mut found = Found::default();
    for copied in BESIDE {
        beside(copied, database, &mut found).await;
    }
    products(database, &mut found).await;
    pairs(database, &mut found).await;
    for counted in COUNTS {
        counts(counted, database, &mut found).await;
    }
    blogs(database, &mut found).await;
    games(database, &mut found).await;
    let (shelved, wrong) = shelves::compare(database).await;
    found.shelved = shelved;
    found.wrong.extend(wrong);
    found
}

async fn counts(
    (parents, field, children, reference): (&str, &str, &str, &str),
    database: &Database,
    found: &mut Found,
) {
    let children = by_reference(all(database, children).await, reference);
    for parent in all(database, parents).await {
        let count = parent.get("_id").and_then(id);
        let count = count.and_then(|id| Some(children.get(&id)?.len()));
        let count = Bson::Int64(i64::try_from(count.unwrap_or(0)).unwrap());
        found.computed(&format!("{parents}.{field}"), &parent, field, &count);
    }
}

/// Checks the fields of a blogger that depend on posts, except their number.
async fn blogs(database: &Database, found: &mut Found) {
    let posts = by_reference(all(database, "posts").await, "blogger");
    for blogger in all(database, "bloggers").await {
        let own = blogger
            .get("_id")
            .and_then(id)
            .and_then(|id| posts.get(&id));
        let own = own.map_or(&[][..], Vec::as_slice);
        let comments = own.iter().filter_map(|post| post.get_i64("comments").ok());
        let comments = Bson::Int64(comments.sum());
        found.computed("bloggers.comments", &blogger, "comments", &comments);
        let latest = own[own.len().saturating_sub(3)..].iter();
        let latest: Vec<_> = latest
            .map(|post| doc! { "_id": post.get("_id").cloned() })
            .collect();
        found.computed("bloggers.latest", &blogger, "latest", &latest.into());
        found.array("bloggers.all_posts", &blogger, "all_posts", own);
    }
}

/// Checks all fields of a game that depend on its scores.
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
async fn games(database: &Database, found: &mut Found) {
    let scores = by_reference(all(database, "scores").await, "game");
    for game in all(database, "games").await {
        let own = game.get("_id").and_then(id).and_then(|id| scores.get(&id));
        let own = own.map_or(&[][..], Vec::as_slice);
        // A score that was stored without the library may have no points.
        let mut by_points: Vec<(Option<i64>, ObjectId)> = own
            .iter()
            .map(|it| (it.get_i64("points").ok(), it.get_object_id("_id").unwrap()))
            .collect();
        by_points.sort_unstable();
        let points: Vec<i64> = by_points.iter().filter_map(|(points, _)| *points).collect();
        let count = |all: usize| i64::try_from(all).unwrap();
        let top = by_points[own.len().saturating_sub(4)..].iter();
        let top = top.map(|(points, id)| {
            let mut line = doc! { "_id": *id };
            line.extend(points.map(|points| ("points".to_owned(), points.into())));
            line
        });
        let sum = points.iter().sum::<i64>();
        let expected = doc! {
            "top": top.collect::<Vec<_>>(),
            "scores": count(own.len()),
            "points": sum,
            "mean": { "sum": sum as f64, "count": count(points.len()) },
            "worst": points.first().copied(),
            "best": points.last().copied(),
        };
        for (field, expected) in &expected {
            found.computed(&format!("games.{field}"), &game, field, expected);
        }
        found.array("games.all", &game, "all", own);
    }
}

/// Groups documents by the value of a reference, in the order of their ids.
fn by_reference(documents: Vec<Document>, reference: &str) -> HashMap<String, Vec<Document>> {
    let mut groups: HashMap<String, Vec<Document>> = HashMap::new();
    for document in documents {
        if let Some(parent) = document.get(reference).and_then(id) {
            groups.entry(parent).or_default().push(document);
        }
    }
    groups
}

async fn beside(
    (collection, key, to, sources, from): (&str, &str, &str, &str, &str),
    database: &Database,
    found: &mut Found,
) {
    let sources = by_id(all(database, sources).await);
    let title = format!("{collection}.{to}");
    for document in all(database, collection).await {
        let reference = document.get(key);
        let source = reference.and_then(id).and_then(|id| sources.get(&id));
        match (source, reference.and_then(id)) {
            (Some(source), _) => found.copy(&title, &document, document.get(to), source.get(from)),
            (None, None) => found.hostile(&title, &document, document.get(to)),
            (None, Some(_)) => {}
        }
        if CASCADES.contains(&collection) && reference.and_then(id).is_some() {
            found.children += 1;
            if source.is_none() {
                found
                    .wrong
                    .push(format!("{collection}: {document} has no parent"));
            }
        }
    }
}

async fn products(database: &Database, found: &mut Found) {
    let products = all(database, "products").await;
    let parts = by_id(all(database, "parts").await);
    // In the order of ids, because a part copies from the first product that contains it.
    let mut holders: HashMap<String, &Document> = HashMap::new();
    for product in &products {
        for line in lines(product) {
            let key = line.get("id").and_then(id);
            let part = key.as_ref().and_then(|key| parts.get(key));
            match (part, key) {
                (Some(part), _) => {
                    found.copy("parts.name", product, line.get("name"), part.get("name"));
                }
                (None, None) => found.hostile("parts.name", product, line.get("name")),
                // If the source does not exist, the copies stay unchanged.
                (None, Some(_)) => {}
            }
            if let Some(key) = line.get("id").and_then(id) {
                holders.entry(key).or_insert(product);
            }
        }
    }
    for (id, part) in &parts {
        let holder = holders.get(id);
        for (to, from) in [
            ("product_name", "name"),
            ("product_catalog_number", "catalog_number"),
        ] {
            found.copy(to, part, part.get(to), holder.and_then(|it| it.get(from)));
        }
    }
}

/// Lists the parts in a product, whether they are in an array or not. A value without a key and without a copy is not a
/// part.
fn lines(product: &Document) -> Vec<&Document> {
    match product.get("parts") {
        Some(Bson::Array(lines)) => lines.iter().filter_map(line).collect(),
        Some(whole) => line(whole).into_iter().collect(),
        None => Vec::new(),
    }
}

fn line(stored: &Bson) -> Option<&Document> {
    let document = stored.as_document()?;
    let is_line = document.contains_key("id") || document.contains_key("name");
    is_line.then_some(document)
}

/// Checks that both documents of a pair are equal, because each transaction writes both.
async fn pairs(database: &Database, found: &mut Found) {
    let twins = all(database, "twins").await;
    for pair in twins.chunks(2) {
        found.pairs += 1;
        if pair[0].get("name") != pair[1].get("name") {
            found
                .wrong
                .push(format!("a half of a transaction: {pair:?}"));
        }
    }
}

fn by_id(documents: Vec<Document>) -> HashMap<String, Document> {
    let pairs = documents.into_iter();
    pairs
        .filter_map(|it| Some((it.get("_id").and_then(id)?, it)))
        .collect()
}

/// Returns the text of a key, if a program with the library could have written it.
fn id(key: &Bson) -> Option<String> {
    match key {
        Bson::ObjectId(id) => Some(ObjectId::to_hex(*id)),
        Bson::Int64(number) => Some(number.to_string()),
        _ => None,
    }
}

async fn all(database: &Database, collection: &str) -> Vec<Document> {
    let collection = database.collection::<Document>(collection);
    let found = collection.find(doc! {}).sort(doc! { "_id": 1 });
    let found = found.read_concern(ReadConcern::majority()).await.unwrap();
    found.try_collect().await.unwrap()
}
