//! Random writes of every kind to models with copies, summaries, lists, mirrors and delete rules. After each write, the
//! version and the actor of every document are compared with a simple model.

use std::collections::BTreeMap;

use mongo_odm::{Settle, bson::Document, mongodb::options::ValidationLevel, prelude::*};

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "random_teams")]
pub struct Team {
    #[serde(rename = "_id")]
    pub id: Id<Team, i64>,
    pub name: String,
    #[refs(many, inverse = "team")]
    pub members: Vec<Id<Member, i64>>,
    #[rollup(count, of = Member, via = team)]
    pub count: i64,
    #[rollup(sum, of = Member, via = team, field = points)]
    pub points: i64,
    #[recent(of = Member, via = team, sort = points, limit = 2, desc)]
    pub best: Vec<Points>,
    #[updated_by]
    pub editor: Option<i64>,
    #[version]
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = Member)]
pub struct Points {
    #[serde(rename = "_id")]
    pub id: Id<Member, i64>,
    pub points: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "random_members")]
pub struct Member {
    #[serde(rename = "_id")]
    pub id: Id<Member, i64>,
    pub points: i64,
    #[parent_ref(inverse = "members", on_delete = "nullify")]
    pub team: Option<Id<Team, i64>>,
    #[denorm(from = Team.name, via = team)]
    pub team_name: Option<String>,
    #[refs(many, on_delete = "pull")]
    pub badges: Vec<Id<Badge, i64>>,
    #[updated_by]
    pub editor: Option<i64>,
    #[version]
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "random_badges")]
pub struct Badge {
    #[serde(rename = "_id")]
    pub id: Id<Badge, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub owner: Id<Member, i64>,
    #[denorm(from = Member.points, via = owner)]
    pub owner_points: Option<i64>,
    #[updated_by]
    pub editor: Option<i64>,
    #[version]
    pub version: i64,
}

/// The expected content of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Expected {
    version: i64,
    editor: i64,
    /// The team of a member, or the owner of a badge.
    parent: Option<i64>,
    badges: Vec<i64>,
}

impl Expected {
    fn touch(&mut self, actor: i64) {
        self.version += 1;
        self.editor = actor;
    }
}

#[derive(Debug, Default)]
struct State {
    teams: BTreeMap<i64, Expected>,
    members: BTreeMap<i64, Expected>,
    badges: BTreeMap<i64, Expected>,
    next: i64,
}

fn team(number: i64) -> Team {
    Team {
        id: id(number),
        name: format!("team {number}"),
        members: Vec::new(),
        count: 0,
        points: 0,
        best: Vec::new(),
        editor: None,
        version: 0,
    }
}

/// Returns a random key of a map.
fn any(of: &BTreeMap<i64, Expected>, random: &mut fastrand::Rng) -> Option<i64> {
    random.choice(of.keys().copied().collect::<Vec<_>>())
}

/// One run of the test: its database, the expected state, and its source of random numbers.
struct Run {
    t: Harness,
    state: State,
    random: fastrand::Rng,
}

impl Run {
    async fn step(&mut self, actor: i64) -> &'static str {
        let settings = self.t.odm.settings().clone();
        let inline = self.random.choice([0, 1, 1_000]).unwrap();
        let settings = settings.inline_copies(inline).settle(Settle::Manual);
        let odm = self.t.odm.acting_as(actor).with_settings(settings);
        let kind = self.random.u8(0..19);
        let done = match kind {
            0..=2 => self.insert(&odm, actor).await,
            3..=8 => self.change_member(&odm, kind, actor).await,
            9..=11 => self.move_member(&odm, kind, actor).await,
            12..=14 => self.change_team(&odm, kind, actor).await,
            _ => self.delete(&odm, kind).await,
        };
        odm.run_pending_jobs().await.unwrap();
        done
    }

    async fn insert(&mut self, odm: &Odm, actor: i64) -> &'static str {
        self.state.next += 1;
        let number = self.state.next;
        let mut new = Expected::default();
        new.touch(actor);
        if self.state.teams.len() < 2 {
            team(number).insert(odm).await.unwrap();
            self.state.teams.insert(number, new);
            return "insert of a team";
        }
        let owner = any(&self.state.members, &mut self.random);
        if let Some(owner) = owner.filter(|_| self.random.bool()) {
            let badge = Badge {
                id: id(number),
                owner: id(owner),
                owner_points: None,
                editor: None,
                version: 7,
            };
            Badge::insert_many(odm, &[badge]).await.unwrap();
            new.parent = Some(owner);
            self.state.badges.insert(number, new);
            return "insert of a badge";
        }
        new.parent = any(&self.state.teams, &mut self.random).filter(|_| self.random.u8(0..4) > 0);
        new.badges.extend(any(&self.state.badges, &mut self.random));
        let member = Member {
            id: id(number),
            points: number,
            team: new.parent.map(id),
            team_name: None,
            badges: new.badges.iter().copied().map(id).collect(),
            editor: None,
            version: 0,
        };
        member.save(odm).await.unwrap();
        self.state.members.insert(number, new);
        "save of a new member"
    }

    async fn change_member(&mut self, odm: &Odm, kind: u8, actor: i64) -> &'static str {
        let Some(number) = any(&self.state.members, &mut self.random) else {
            return "no member";
        };
        let (fields, by_id) = (Member::fields(), Member::fields().id.eq(id(number)));
        let expected = self.state.members.get_mut(&number).unwrap();
        match kind {
            3 => {
                Member::update(odm, id(number))
                    .inc(fields.points, 1)
                    .await
                    .unwrap();
                expected.touch(actor);
                "update"
            }
            4 => {
                let many = Member::update_many(odm, fields.id.gte(id(number)));
                many.set(fields.points, actor).await.unwrap();
                let changed = self.state.members.range_mut(number..);
                changed.for_each(|(_, member)| member.touch(actor));
                "update_many"
            }
            5 => {
                let found = Member::find_one_and_update(odm, by_id).inc(fields.points, 2);
                let found = found.return_new().await.unwrap().unwrap();
                expected.touch(actor);
                assert_eq!(found.version, expected.version);
                "find_one_and_update"
            }
            6 => {
                let mut loaded = Member::get(odm, id(number)).await.unwrap();
                loaded.points += 3;
                let saved = loaded.save(odm).returning().await.unwrap();
                expected.touch(actor);
                assert_eq!(saved.version, expected.version);
                let stale = loaded.save(odm).await.unwrap_err();
                assert_eq!(stale.code(), "odm.conflict");
                "save"
            }
            7 => {
                let upsert = Member::upsert(odm, by_id).set(fields.points, 1);
                upsert.set_on_insert(fields.badges, vec![]).await.unwrap();
                expected.touch(actor);
                "upsert"
            }
            _ => {
                let before = Member::get(odm, id(number)).await.unwrap();
                let mut after = before.clone();
                after.points -= 1;
                after.team_name = Some("ignored".into());
                if let Some(badge) = any(&self.state.badges, &mut self.random) {
                    after.badges.push(id(badge));
                    expected.badges.push(badge);
                }
                after.save_changes(odm, &before).await.unwrap();
                expected.touch(actor);
                "save_changes"
            }
        }
    }

    async fn move_member(&mut self, odm: &Odm, kind: u8, actor: i64) -> &'static str {
        let member = any(&self.state.members, &mut self.random);
        let team = any(&self.state.teams, &mut self.random);
        let (Some(number), Some(team)) = (member, team) else {
            return "no member to move";
        };
        let expected = self.state.members.get_mut(&number).unwrap();
        if expected.parent == Some(team) {
            return "a member that is in the team";
        }
        match kind {
            9 => {
                let loaded = Member::get(odm, id(number)).await.unwrap();
                loaded.reassign_team(odm, id(team)).await.unwrap();
            }
            10 => {
                let loaded = Team::get(odm, id(team)).await.unwrap();
                loaded.take_members(odm, [id(number)]).await.unwrap();
            }
            _ => {
                let update = Member::update(odm, id(number));
                let to = Some(id::<Team>(team));
                update.set(Member::fields().team, to).await.unwrap();
            }
        }
        expected.parent = Some(team);
        expected.touch(actor);
        "move of a member"
    }

    async fn change_team(&mut self, odm: &Odm, kind: u8, actor: i64) -> &'static str {
        let Some(number) = any(&self.state.teams, &mut self.random) else {
            return "no team";
        };
        let name = format!("team of {actor}");
        let expected = self.state.teams.get_mut(&number).unwrap();
        match kind {
            12 => {
                let update = Team::update(odm, id(number));
                update.set(Team::fields().name, name).await.unwrap();
            }
            13 => {
                let mut loaded = Team::get(odm, id(number)).await.unwrap();
                loaded.name = name;
                loaded.save(odm).await.unwrap();
            }
            _ => {
                let renamed = odm.transaction(async |tx| {
                    let loaded = Team::get(&tx, id(number)).await?;
                    let update = Team::update(&tx, id(number));
                    update
                        .set(Team::fields().name, name.clone())
                        .if_unchanged(&loaded)
                        .await?;
                    Team::update(&tx, id(number))
                        .set(Team::fields().name, "again")
                        .await
                });
                renamed.await.unwrap();
                expected.touch(actor);
            }
        }
        expected.touch(actor);
        "change of a team"
    }

    async fn delete(&mut self, odm: &Odm, kind: u8) -> &'static str {
        match kind {
            15 => {
                let Some(number) = any(&self.state.teams, &mut self.random) else {
                    return "no team";
                };
                Team::delete(odm, id(number)).await.unwrap();
                self.state.teams.remove(&number);
                for member in self.state.members.values_mut() {
                    if member.parent == Some(number) {
                        (member.parent, member.version) = (None, member.version + 1);
                    }
                }
                "delete of a team"
            }
            16 => {
                let Some(number) = any(&self.state.badges, &mut self.random) else {
                    return "no badge";
                };
                Badge::delete(odm, id(number)).await.unwrap();
                self.state.badges.remove(&number);
                self.pull(&[number]);
                "delete of a badge"
            }
            17 => {
                let Some(number) = any(&self.state.members, &mut self.random) else {
                    return "no member";
                };
                Member::delete(odm, id(number)).await.unwrap();
                self.state.members.remove(&number);
                let badges = self.state.badges.iter();
                let gone = badges.filter(|(_, badge)| badge.parent == Some(number));
                let gone: Vec<i64> = gone.map(|(number, _)| *number).collect();
                self.state.badges.retain(|number, _| !gone.contains(number));
                self.pull(&gone);
                "delete of a member"
            }
            _ => {
                odm.verify().repair().await.unwrap();
                "repair"
            }
        }
    }

    /// Removes deleted badges from the expected members. One delete increments the version of a member at most once.
    fn pull(&mut self, gone: &[i64]) {
        for member in self.state.members.values_mut() {
            let before = member.badges.len();
            member.badges.retain(|badge| !gone.contains(badge));
            if member.badges.len() < before {
                member.version += 1;
            }
        }
    }

    async fn compare(&self, done: &str) {
        for (collection, expected) in [
            ("random_teams", &self.state.teams),
            ("random_members", &self.state.members),
            ("random_badges", &self.state.badges),
        ] {
            let stored = self.t.odm.database().collection::<Document>(collection);
            let count = stored.count_documents(doc! {}).await.unwrap();
            assert_eq!(count, expected.len() as u64, "{done}: {collection}");
            for (number, expected) in expected {
                let stored = raw(&self.t.odm, collection, *number).await;
                let of = |name: &str| stored.get_i64(name).ok();
                let found = (of("version"), of("editor"));
                let wanted = (Some(expected.version), Some(expected.editor));
                assert_eq!(found, wanted, "{done}: {stored}");
            }
        }
    }
}

#[tokio::test]
async fn random_writes_increment_the_version_once_for_each_change_of_own_fields() {
    for seed in 0..3 {
        let t = empty("maintained_random").await;
        let sync = t.odm.sync_indexes().only::<Team>().only::<Member>();
        sync.only::<Badge>().await.unwrap();
        // The server rejects each document that does not match the models.
        let strict = t.odm.sync_validators().level(ValidationLevel::Strict);
        let strict = strict.only::<Team>().only::<Member>().only::<Badge>();
        assert_eq!(strict.await.unwrap().written.len(), 3);
        let mut run = Run {
            t,
            state: State::default(),
            random: fastrand::Rng::with_seed(seed),
        };
        for actor in 1..=50 {
            let done = run.step(actor).await;
            run.compare(&format!("seed {seed}, step {actor}, {done}"))
                .await;
        }
        let drift = run.t.odm.verify().only::<Team>().await.unwrap();
        assert!(drift.items.is_empty(), "{drift}");
    }
}
