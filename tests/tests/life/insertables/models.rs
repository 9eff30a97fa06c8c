//! The models of the tests, and a database with a member.

use garde::Validate;
use mongo_odm::{
    Average, Odm,
    bson::{Document, Uuid, doc},
    prelude::*,
};
use odm_tests::Harness;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    Low,
    High,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_members", tenant = "org")]
pub struct Member {
    #[serde(rename = "_id")]
    pub id: Id<Member>,
    pub org: i64,
    pub name: String,
    pub rank: Rank,
    #[rollup(count, of = Ticket, via = owner)]
    pub tickets: i64,
    #[rollup(max, of = Ticket, via = owner, field = hours)]
    pub longest: Option<i64>,
    #[rollup(average, of = Ticket, via = owner, field = hours)]
    pub mean: Average,
    #[recent(of = Ticket, via = owner, sort = created, limit = 2)]
    pub latest: Vec<TicketLine>,
    #[version]
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = Ticket)]
pub struct TicketLine {
    #[serde(rename = "t")]
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model, Validate)]
#[model(collection = "ins_tickets", tenant = "org", validate)]
#[garde(allow_unvalidated)]
pub struct Ticket {
    #[serde(rename = "_id")]
    pub id: Id<Ticket>,
    pub org: i64,
    #[refs(one, exists)]
    pub owner: Id<Member>,
    #[denorm(from = Member.name, via = owner)]
    pub owner_name: String,
    #[denorm(from = Member.rank, via = owner)]
    pub owner_rank: Rank,
    #[refs(one)]
    pub helper: Option<Id<Member>>,
    #[denorm(from = Member.name, via = helper)]
    pub helper_name: Option<String>,
    #[serde(rename = "t")]
    #[garde(length(min = 1))]
    pub title: String,
    #[serde(default = "open")]
    pub state: String,
    pub hours: i64,
    pub note: Option<String>,
    #[embed(max = 3)]
    pub lines: Vec<Line>,
    #[serde(flatten)]
    pub place: Place,
    #[created_at]
    pub created: DateTime,
    #[updated_at]
    pub updated: DateTime,
    #[created_by]
    pub created_by: Id<Member>,
    #[updated_by]
    pub updated_by: Id<Member>,
    #[deleted_at]
    pub deleted: Option<DateTime>,
    #[version]
    pub version: i64,
}

fn open() -> String {
    "open".into()
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Line {
    #[refs(one)]
    pub member: Id<Member>,
    #[denorm(from = Member.name)]
    pub member_name: String,
    pub count: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Place {
    pub city: String,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Ticket")]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewTicket {
    pub owner: Id<Member>,
    pub title: String,
    pub hours: i64,
    #[embed]
    pub lines: Vec<NewLine>,
    pub place: Place,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Line")]
pub struct NewLine {
    pub member: Id<Member>,
    pub count: i32,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Member")]
pub struct NewMember {
    pub name: String,
    pub rank: Rank,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Member")]
pub struct MemberWithId {
    pub id: Id<Member>,
    pub name: String,
    pub rank: Rank,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Member")]
pub struct MemberOfOrg {
    pub org: i64,
    pub name: String,
    pub rank: Rank,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_notes", hooks)]
pub struct Note {
    #[serde(rename = "_id")]
    pub id: Id<Note>,
    pub text: String,
    #[serde(default)]
    pub words: i64,
    #[version]
    pub version: i64,
}

impl Hooks for Note {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        self.text.push('!');
        self.words = 6 + self.version;
        Ok(())
    }
}

#[derive(Debug, Insertable)]
#[insertable(of = "Note")]
pub struct NewNote {
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_pages")]
pub struct Page {
    #[serde(rename = "_id")]
    pub id: Id<Page, Uuid>,
    pub book: String,
    pub text: String,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Page", set(book))]
pub struct NewPage {
    pub text: String,
}

pub fn new_ticket(owner: Id<Member>) -> NewTicket {
    let line = NewLine {
        member: owner,
        count: 2,
    };
    NewTicket {
        owner,
        title: "leak".into(),
        hours: 3,
        lines: vec![line],
        place: Place {
            city: "Oslo".into(),
        },
    }
}

pub fn titled(owner: Id<Member>, number: i64) -> NewTicket {
    NewTicket {
        title: number.to_string(),
        ..new_ticket(owner)
    }
}

/// Returns a database, a handle for a tenant and its member Ann, and this member.
pub async fn opened(test: &str) -> (Harness, Odm, Member) {
    let t = Harness::long_declared(test).await;
    let sync = t.odm.sync_indexes().only::<Member>();
    sync.only::<Ticket>().await.unwrap();
    let odm = t.odm.for_tenant(1_i64);
    let ann = NewMember {
        name: "Ann".into(),
        rank: Rank::High,
    };
    let ann = ann.insert(&odm).await.unwrap();
    let odm = odm.acting_as(ann.id);
    t.forget();
    (t, odm, ann)
}

/// Reads the only document of a collection without the library.
pub async fn stored(t: &Harness, collection: &str) -> Document {
    let documents = t.odm.database().collection::<Document>(collection);
    documents.find_one(doc! {}).await.unwrap().unwrap()
}
