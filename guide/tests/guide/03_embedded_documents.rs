//! Chapter 3: structs and arrays inside a document.

use mongo_odm::{Error, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Address {
    street: String,
    city: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Contact {
    name: String,
    phone: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<Address>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "clinic_patients", index(keys(contacts.phone = 1)))]
struct Patient {
    #[serde(rename = "_id")]
    id: Id<Patient, i32>,
    name: String,
    address: Address,
    #[embed(max = 3)]
    contacts: Vec<Contact>,
    #[embed(max = 20)]
    allergies: Vec<String>,
}

fn contact(name: &str, phone: &str, city: Option<&str>) -> Contact {
    Contact {
        name: name.into(),
        phone: phone.into(),
        address: city.map(address),
    }
}

fn address(city: &str) -> Address {
    Address {
        street: "Lake Road 4".into(),
        city: city.into(),
    }
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let patient = Patient {
        id: Id::from_key(1),
        name: "Ida".into(),
        address: address("Bern"),
        contacts: vec![
            contact("Max", "555-1", Some("Bern")),
            contact("Eva", "555-2", None),
        ],
        allergies: vec!["pollen".into()],
    };
    patient.insert(odm).await?;
    Ok(())
}

async fn find(odm: &Odm) -> mongo_odm::Result<()> {
    let fields = Patient::fields();
    let in_bern = Patient::find(odm)
        .filter(fields.address.city.eq("Bern"))
        .await?;
    let with_contact = Patient::find(odm)
        .filter(fields.contacts.address.city.eq("Bern"))
        .await?;
    let called_max = fields
        .contacts
        .elem_match(|contact| contact.name.eq("Max") & contact.phone.starts_with("555"));
    let max = Patient::find(odm).filter(called_max).await?;
    assert_eq!((in_bern.len(), with_contact.len(), max.len()), (1, 1, 1));
    Ok(())
}

async fn update(odm: &Odm, id: Id<Patient, i32>) -> mongo_odm::Result<()> {
    let fields = Patient::fields();
    // A field of the embedded struct.
    Patient::update(odm, id)
        .set(fields.address.street, "Hill Road 1")
        .await?;
    // The first element.
    Patient::update(odm, id)
        .set(fields.contacts.at::<0>().phone, "555-3")
        .await?;
    // The elements that match a condition.
    let eva = fields.contacts.named::<'c'>();
    Patient::update(odm, id)
        .set(eva.phone, "555-4")
        .array_filter(eva.when(|contact| contact.name.eq("Eva")))
        .await?;
    // Remove the elements that match a condition.
    Patient::update(odm, id)
        .pull_where(fields.contacts, Contact::fields().name.eq("Max"))
        .await?;
    Ok(())
}

async fn add(odm: &Odm, id: Id<Patient, i32>, contact: &Contact) -> mongo_odm::Result<bool> {
    let push = Patient::update(odm, id).push(Patient::fields().contacts, contact);
    match push.await {
        Ok(_) => Ok(true),
        Err(Error::BoundExceeded { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Patient")]
struct PatientName {
    name: String,
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Patient>().await?;
    store(&odm).await?;
    let id = Id::from_key(1);
    chapter.stores(&odm, "clinic_patients").await?;
    chapter.sends(&odm, find(&odm)).await?;
    chapter.sends(&odm, update(&odm, id)).await?;

    let lea = contact("Lea", "555-5", None);
    chapter.sends(&odm, add(&odm, id, &lea)).await?;
    assert!(add(&odm, id, &lea).await?);
    assert!(!add(&odm, id, &lea).await?);
    let refused = Patient::update(&odm, id)
        .push(Patient::fields().contacts, &lea)
        .await;
    chapter.shows(refused.unwrap_err());
    chapter
        .sends(&odm, async {
            let names = Patient::find(&odm).select::<PatientName>().await?;
            assert_eq!(names[0].name, "Ida");
            Ok(())
        })
        .await?;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("03-embedded-documents", program).await;
}
