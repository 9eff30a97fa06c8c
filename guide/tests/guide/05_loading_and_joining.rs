//! Chapter 5: loads and joins of references.

use mongo_odm::{Filter, JoinKey, prelude::*, relation, relation::Joined, relation::Slot};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "net_services")]
struct Service {
    #[serde(rename = "_id")]
    id: Id<Service, String>,
    #[refs(many)]
    hosts: Vec<Id<Host, String>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "net_hosts",
    has_many(messages = "Message.host"),
    has_many(unread = "Message.host", sort(time = -1), filter = "Message::is_unread")
)]
struct Host {
    #[serde(rename = "_id")]
    id: Id<Host, String>,
    ip: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "net_messages", index(keys(host = 1, time = -1)))]
struct Message {
    #[serde(rename = "_id")]
    id: Id<Message, i32>,
    #[parent_ref]
    host: Id<Host, String>,
    time: i64,
    read: bool,
}

impl Message {
    fn is_unread() -> Filter<Self> {
        Self::fields().read.eq(false)
    }
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id")]
#[embedded(loaded = "SubjectDocument")]
enum Subject {
    Service(Id<Service, String>),
    Host(Id<Host, String>),
}

#[derive(Debug)]
enum SubjectDocument {
    Service(Service),
    Host(Host),
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "net_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, i32>,
    #[refs(many, polymorphic)]
    about: Vec<Subject>,
}

#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Host")]
struct HostIp {
    ip: String,
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let host = |name: &str, ip: &str| Host {
        id: Id::from_key(name.into()),
        ip: ip.into(),
    };
    let service = |name: &str, hosts: &[&str]| Service {
        id: Id::from_key(name.into()),
        hosts: hosts.iter().map(|it| Id::from_key((*it).into())).collect(),
    };
    let message = |(id, host, time, read): (i32, &str, i64, bool)| Message {
        id: Id::from_key(id),
        host: Id::from_key(host.into()),
        time,
        read,
    };
    let hosts = [host("ash", "10.0.0.1"), host("elm", "10.0.0.2")];
    Host::insert_many(odm, &hosts).await?;
    let services = [
        service("mail", &["elm", "ash", "elm"]),
        service("shop", &["ash", "oak"]),
    ];
    Service::insert_many(odm, &services).await?;
    let messages = [
        (1, "ash", 100, true),
        (2, "ash", 200, false),
        (3, "elm", 300, false),
    ];
    Message::insert_many(odm, &messages.map(message)).await?;
    let note = Note {
        id: Id::from_key(1),
        about: vec![
            Subject::Host(Id::from_key("elm".into())),
            Subject::Service(Id::from_key("shop".into())),
        ],
    };
    note.insert(odm).await?;
    Ok(())
}

async fn load(odm: &Odm, service: &Service) -> mongo_odm::Result<Vec<String>> {
    let hosts = service.load_hosts(odm).await?;
    Ok(hosts.into_iter().map(|host| host.ip).collect())
}

async fn report(odm: &Odm) -> mongo_odm::Result<Vec<String>> {
    let services = Service::find(odm).await?;
    let hosts = Service::join_hosts(&services, odm).await?;
    let messages = Host::join_messages(hosts.documents(), odm).await?;
    let mut lines = Vec::new();
    for service in &services {
        lines.push(service.id.to_string());
        for host in hosts.of(service) {
            let count = messages.of(host).len();
            lines.push(format!("  {}: {count} messages", host.ip));
        }
    }
    Ok(lines)
}

async fn newest(odm: &Odm, hosts: &[Host]) -> mongo_odm::Result<()> {
    let messages = Host::join_messages(hosts, odm)
        .sort(Message::fields().time.desc())
        .limit_each(10)
        .await?;
    for host in hosts {
        println!("{}: {:?}", host.ip, messages.of(host).next());
    }
    Ok(())
}

async fn dangling(odm: &Odm, shop: &Service) -> mongo_odm::Result<Vec<JoinKey>> {
    for slot in shop.load_hosts(odm).slots().await? {
        match slot {
            Slot::Found(host) => println!("{}", host.ip),
            Slot::Missing(key) => println!("{key:?} does not exist"),
            other => println!("{other:?}"),
        }
    }
    shop.load_hosts(odm).missing().await
}

type Hosts = Joined<Service, Host, relation!(Service.hosts)>;

fn first_ip<'a>(service: &Service, hosts: &'a Hosts) -> Option<&'a str> {
    hosts.of(service).next().map(|host| host.ip.as_str())
}

async fn about(odm: &Odm, note: &Note) -> mongo_odm::Result<Vec<String>> {
    let loaded = Subject::load_all(&note.about, odm).await?;
    let text = |slot| match slot {
        Slot::Found(SubjectDocument::Service(it)) => format!("service {}", it.id),
        Slot::Found(SubjectDocument::Host(it)) => format!("host {}", it.ip),
        other => format!("no document: {other:?}"),
    };
    Ok(loaded.into_iter().map(text).collect())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes()
        .only::<Message>()
        .only::<Service>()
        .await?;
    store(&odm).await?;
    chapter.stores(&odm, "net_services").await?;
    chapter.stores(&odm, "net_hosts").await?;
    chapter.stores(&odm, "net_messages").await?;

    let services = Service::find(&odm).await?;
    let [mail, shop] = &services[..] else {
        panic!("{services:?}")
    };
    let ips = chapter.sends(&odm, load(&odm, mail)).await?;
    chapter.shows(ips.join(", "));
    let lines = chapter.sends(&odm, report(&odm)).await?;
    chapter.shows(lines.join("\n"));

    let hosts = Host::find(&odm).await?;
    chapter.sends(&odm, newest(&odm, &hosts)).await?;
    chapter
        .sends(&odm, async {
            let counts = Host::join_messages(&hosts, &odm).count_each().await?;
            assert_eq!(counts.of(&hosts[0]), 2);
            Ok(())
        })
        .await?;
    chapter
        .sends(&odm, async {
            let ips = Service::join_hosts(&services, &odm)
                .filter(Host::fields().ip.starts_with("10."))
                .select::<HostIp>()
                .await?;
            assert_eq!(ips.documents()[0].ip, "10.0.0.1");
            Ok(())
        })
        .await?;
    chapter
        .sends(&odm, async {
            let unread = hosts[0].load_unread(&odm).limit(10).await?;
            let count = hosts[0].count_unread(&odm).await?;
            assert_eq!((unread.len(), count), (1, 1));
            Ok(())
        })
        .await?;

    assert_eq!(dangling(&odm, shop).await?.len(), 1);
    let refused = shop.load_hosts(&odm).require_all().await;
    chapter.shows(refused.unwrap_err());
    let joined = Service::join_hosts(&services, &odm).await?;
    assert_eq!(first_ip(mail, &joined), Some("10.0.0.2"));

    chapter.stores(&odm, "net_notes").await?;
    let note = &Note::find(&odm).await?[0];
    let lines = chapter.sends(&odm, about(&odm, note)).await?;
    chapter.shows(lines.join("\n"));
    assert_eq!(note.load_about::<Host>(&odm).await?.len(), 1);

    let found = odm
        .transaction(async |tx| {
            let services = Service::find(&tx).await?;
            let hosts = Service::join_hosts(&services, &tx).await?;
            Ok(hosts.len())
        })
        .await?;
    assert_eq!(found, 2);
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("05-loading-and-joining", program).await;
}
