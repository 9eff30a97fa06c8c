//! Links that contain copies of the linked documents.

use super::*;

/// A link with the name of the linked document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct NamedLink {
    #[refs(one)]
    target: Id<Member, String>,
    kind: String,
    #[denorm(from = "Member.name")]
    #[serde(default)]
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_members", kind(kind = "person"))]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person, String>,
    name: String,
    #[links]
    #[serde(default)]
    links: Vec<NamedLink>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_members", kind(kind = "team"))]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, String>,
    name: String,
    #[links]
    #[serde(default)]
    links: Vec<NamedLink>,
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[single_collection(shared(name: String))]
enum Member {
    Person(Person),
    Team(Team),
}

fn person(id: &str, name: &str) -> Person {
    Person {
        id: Id::from_key(id.to_owned()),
        name: name.to_owned(),
        links: Vec::new(),
    }
}

fn team(id: &str, name: &str) -> Team {
    Team {
        id: Id::from_key(id.to_owned()),
        name: name.to_owned(),
        links: Vec::new(),
    }
}

/// Returns the names in the links of a stored document.
async fn names(odm: &Odm, id: &str) -> Vec<String> {
    let stored = raw(odm, "linked_members", id).await;
    let links = stored.get_array("links").unwrap().iter();
    let links = links.map(|it| it.as_document().unwrap());
    let names = links.map(|it| it.get_str("name").unwrap_or("none").to_owned());
    names.collect()
}

#[tokio::test]
async fn both_ends_of_a_link_contain_the_copies() {
    let t = empty("links_copies").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Person>().only::<Team>();
    sync.await.unwrap();
    let (ann, red) = (person("a", "Ann"), team("r", "Red"));
    ann.insert(odm).await.unwrap();
    red.insert(odm).await.unwrap();
    ann.link(odm, &red).await.unwrap();
    assert_eq!(names(odm, "a").await, ["Ann", "Red"]);
    assert_eq!(names(odm, "r").await, ["Red", "Ann"]);
    let mut blue = team("b", "Blue");
    blue.links.push(NamedLink {
        target: Member::id_of::<Person>(&ann.id),
        kind: "person".to_owned(),
        name: String::new(),
    });
    blue.insert(odm).await.unwrap();
    assert_eq!(names(odm, "a").await, ["Ann", "Red", "Blue"]);
    assert_eq!(names(odm, "b").await, ["Blue", "Ann"]);
    let name = Team::fields().name;
    Team::update(odm, &red.id).set(name, "Ruby").await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(names(odm, "a").await, ["Ann", "Ruby", "Blue"]);
    assert_eq!(names(odm, "r").await, ["Ruby", "Ann"]);
    let drift = odm.verify().only::<Person>().only::<Team>();
    let drift = drift.await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}

/// A link with a copy that only documents of one kind have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct ShopLink {
    #[refs(one)]
    target: Id<Shop, String>,
    kind: String,
    #[denorm(from = "Shop.city")]
    #[serde(default)]
    city: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_shops", kind(kind = "shop"))]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, String>,
    city: String,
    #[links]
    #[serde(default)]
    links: Vec<ShopLink>,
}

#[tokio::test]
async fn a_copy_in_a_link_has_documents_of_all_kinds_as_its_sources() {
    let t = empty("links_copies_of_one_kind").await;
    let shop = Shop {
        id: Id::from_key("s".to_owned()),
        city: "Bern".to_owned(),
        links: Vec::new(),
    };
    let error = shop.insert(&t.odm).await.unwrap_err().to_string();
    let expected = "`Shop.links.city` copies `Shop.city`, but a link can refer to documents of every kind; copy the field \
                    from an enum over the kinds";
    assert!(error.contains(expected), "{error}");
}
