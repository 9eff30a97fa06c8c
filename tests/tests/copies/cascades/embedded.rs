//! Delete rules in a struct that is embedded in two fields. Each field has its own rules.

use mongo_odm::Error;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_people")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: Id<Person, i64>,
    pub name: String,
}

/// Neither the key nor the copy is an `Option`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[embedded(from = Person)]
pub struct PersonRef {
    #[refs(one, on_delete = "restrict")]
    pub id: Id<Person, i64>,
    #[denorm(from = Person.name)]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Remark {
    pub text: String,
    #[embed(on_delete = "nullify")]
    pub by: Option<PersonRef>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_tickets")]
pub struct Ticket {
    #[serde(rename = "_id")]
    pub id: Id<Ticket, i64>,
    pub owner: PersonRef,
    #[embed(on_delete = "nullify")]
    pub reviewer: Option<PersonRef>,
    #[embed(on_delete = "pull")]
    pub watchers: Vec<PersonRef>,
    pub remarks: Vec<Remark>,
    #[refs(one, on_delete = "nullify")]
    pub tester: Option<PersonRef>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_badges")]
pub struct Badge {
    #[serde(rename = "_id")]
    pub id: Id<Badge, i64>,
    #[embed(on_delete = "cascade")]
    pub of: PersonRef,
}

fn person(number: i64) -> Person {
    Person {
        id: id(number),
        name: format!("person {number}"),
    }
}

/// A ticket of one person, on which others have worked.
fn ticket(owner: &Person, others: &[&Person], remarks: &[Option<&Person>]) -> Ticket {
    let remark = |by: Option<&Person>| Remark {
        text: "a remark".to_owned(),
        by: by.map(PersonRef::from),
    };
    let one = others.first().copied();
    Ticket {
        id: id(1),
        owner: owner.into(),
        reviewer: one.map(PersonRef::from),
        watchers: others.iter().copied().map(PersonRef::from).collect(),
        remarks: remarks.iter().copied().map(remark).collect(),
        tester: one.map(PersonRef::from),
    }
}

async fn tickets(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Ticket>();
    sync.only::<Badge>().await.unwrap();
    t
}

#[tokio::test]
async fn two_places_that_embed_the_same_struct_have_rules_of_their_own() {
    let t = tickets("cascade_embedded_rules").await;
    let (one, other, third) = (person(1), person(2), person(3));
    for (way, odm) in both_ways(&t.odm) {
        t.given(&[one.clone(), other.clone(), third.clone()]).await;
        let worked = ticket(&one, &[&other, &third], &[Some(&other), None, Some(&third)]);
        worked.insert(&odm).await.unwrap();
        let badge = |number, of: &Person| Badge {
            id: id(number),
            of: of.into(),
        };
        t.given(&[badge(1, &other), badge(2, &third)]).await;

        // The rule in the struct applies if the field declares no other rule.
        let refused = Person::delete(&odm, one.id).await.unwrap_err();
        assert!(matches!(refused, Error::Restricted { .. }), "{refused:?}");
        assert!(
            refused.to_string().contains("`Ticket.owner.id`"),
            "{refused}"
        );

        Person::delete(&odm, other.id).await.unwrap();
        let stored = Ticket::get(&odm, id(1)).await.unwrap();
        let expected = Ticket {
            reviewer: None,
            tester: None,
            ..ticket(&one, &[&third], &[None, None, Some(&third)])
        };
        assert_eq!(stored, expected, "{way}");
        let null = doc! { "reviewer": Bson::Null, "tester": { "$type": "null" } };
        assert_eq!(count(&odm, "cascade_tickets", null).await, 1, "{way}");
        assert_eq!(
            Badge::find(&odm).await.unwrap(),
            [badge(2, &third)],
            "{way}"
        );
        settle(&odm).await;

        // The remaining copies are still updated with their source.
        let rename = Person::update(&odm, third.id).set(Person::fields().name, "renamed");
        rename.await.unwrap();
        let stored = Ticket::get(&odm, id(1)).await.unwrap();
        assert_eq!(stored.watchers[0].name, "renamed", "{way}");
        Badge::delete(&odm, id(2)).await.unwrap();
        Ticket::delete(&odm, id(1)).await.unwrap();
        Person::delete_many(&odm, Person::fields().id.exists())
            .await
            .unwrap();
        settle(&odm).await;
    }
}
