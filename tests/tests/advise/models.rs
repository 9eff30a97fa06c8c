//! Models that are each used by one test. In this test, the collections of the other models do not
//! exist.

use mongo_odm::prelude::*;

macro_rules! models {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field:meta])* $ident:ident: $type:ty),* $(,)? })*) => {
        $(
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
            $(#[$meta])*
            pub struct $name { $($(#[$field])* pub $ident: $type),* }
        )*
    };
}

models! {
    #[model(collection = "baskets")]
    Basket {
        #[serde(rename = "_id")]
        id: i32,
        #[embed(max = 50)]
        items: Vec<i32>,
    }

    #[model(collection = "pages")]
    Page {
        #[serde(rename = "_id")]
        id: i32,
        words: Vec<i32>,
    }

    #[model(collection = "receipts", on_delete = "archive")]
    Receipt {
        #[serde(rename = "_id")]
        id: i32,
        #[embed(max = 20_000)]
        lines: Vec<i32>,
    }

    #[model(collection = "racks")]
    Rack {
        #[serde(rename = "_id")]
        id: Id<Rack, i32>,
        #[refs(many)]
        disks: Vec<Id<Disk, i32>>,
    }

    #[model(collection = "disks")]
    Disk {
        #[serde(rename = "_id")]
        id: Id<Disk, i32>,
        name: String,
    }

    #[model(collection = "articles")]
    Article {
        #[serde(rename = "_id")]
        id: i32,
        #[embed(max = 5000)]
        #[index]
        words: Vec<i32>,
    }

    #[model(collection = "users")]
    User {
        #[serde(rename = "_id")]
        id: i32,
        followers: Vec<i32>,
    }

    #[model(collection = "scans")]
    Scan {
        #[serde(rename = "_id")]
        id: i32,
        picture: String,
        name: String,
    }

    #[model(collection = "sensors")]
    Sensor {
        #[serde(rename = "_id")]
        id: i32,
        #[refs(one, to = "Station")]
        station: i32,
    }

    #[model(collection = "stations")]
    Station {
        #[serde(rename = "_id")]
        id: i32,
    }

    #[model(collection = "teams")]
    Team {
        #[serde(rename = "_id")]
        id: Id<Team, i32>,
        #[refs(many, inverse = "team")]
        players: Vec<Id<Player, i32>>,
    }

    #[model(collection = "players")]
    Player {
        #[serde(rename = "_id")]
        id: Id<Player, i32>,
        #[parent_ref(inverse = "players")]
        team: Id<Team, i32>,
    }

    #[model(collection = "brands")]
    Brand {
        #[serde(rename = "_id")]
        id: Id<Brand, i32>,
        title: String,
        founded: i32,
    }

    #[model(collection = "shoes", index(keys(brand_title = 1)))]
    Shoe {
        #[serde(rename = "_id")]
        id: Id<Shoe, i32>,
        #[refs(one)]
        brand: Id<Brand, i32>,
        #[denorm(from = "Brand.title")]
        brand_title: String,
    }

    #[model(collection = "bags")]
    Bag {
        #[serde(rename = "_id")]
        id: Id<Bag, i32>,
        #[refs(one)]
        brand: Id<Brand, i32>,
        #[denorm(from = "Brand.title")]
        brand_title: String,
    }

    #[model(collection = "hats")]
    Hat {
        #[serde(rename = "_id")]
        id: Id<Hat, i32>,
        #[refs(one)]
        brand: Id<Brand, i32>,
        size: i32,
    }

    #[model(collection = "letters", index(keys(sender = 1)), index(keys(sender = 1, sent = -1)))]
    Letter {
        #[serde(rename = "_id")]
        id: i32,
        sender: String,
        sent: i32,
        place: String,
    }

    #[model(collection = "streets")]
    Street {
        #[serde(rename = "_id")]
        id: i32,
        #[refs(one, to = "Town.code")]
        town: String,
    }

    #[model(collection = "towns")]
    Town {
        #[serde(rename = "_id")]
        id: i32,
        #[index(unique)]
        code: String,
    }

    #[model(collection = "albums", has_many(tracks = "Track.album"))]
    Album {
        #[serde(rename = "_id")]
        id: Id<Album, i32>,
        name: String,
    }

    #[model(collection = "tracks")]
    Track {
        #[serde(rename = "_id")]
        id: Id<Track, i32>,
        name: String,
        #[parent_ref]
        album: Id<Album, i32>,
    }

    #[model(collection = "clubs")]
    Club {
        #[serde(rename = "_id")]
        id: Id<Club, i32>,
        name: String,
        #[refs(many, inverse = "club", max = 500)]
        members: Vec<Id<Member, i32>>,
    }

    #[model(collection = "members")]
    Member {
        #[serde(rename = "_id")]
        id: Id<Member, i32>,
        #[parent_ref(inverse = "members")]
        club: Id<Club, i32>,
    }

    #[model(collection = "tickets")]
    Ticket {
        #[serde(rename = "_id")]
        id: i32,
        #[index]
        code: String,
        #[index]
        number: i32,
    }

    #[model(collection = "citizens", has_one(passport = "Passport.citizen"))]
    Citizen {
        #[serde(rename = "_id")]
        id: Id<Citizen, i32>,
    }

    #[model(collection = "passports")]
    Passport {
        #[serde(rename = "_id")]
        id: Id<Passport, i32>,
        #[parent_ref]
        #[index(unique)]
        citizen: Id<Citizen, i32>,
    }

    #[model(collection = "shelves")]
    Shelf {
        #[serde(rename = "_id")]
        id: Id<Shelf, i32>,
        #[rollup(count, of = "Book", via = "shelf")]
        books: i64,
    }

    #[model(collection = "books")]
    Book {
        #[serde(rename = "_id")]
        id: Id<Book, i32>,
        #[parent_ref]
        shelf: Id<Shelf, i32>,
    }

    #[model(collection = "films")]
    Film {
        #[serde(rename = "_id")]
        id: Id<Film, i32>,
        title: String,
        plot: String,
        #[serde(default)]
        studio: String,
        #[deleted_at]
        deleted_at: Option<DateTime>,
    }

    #[model(collection = "posters")]
    Poster {
        #[serde(rename = "_id")]
        id: Id<Poster, i32>,
        #[parent_ref]
        film: Id<Film, i32>,
        #[denorm(from = "Film.studio")]
        #[serde(default)]
        studio: String,
    }

    #[model(collection = "animals", kind(sort = "cat"))]
    Cat {
        #[serde(rename = "_id")]
        id: i32,
        colour: String,
    }

    #[model(collection = "animals", kind(sort = "dog"))]
    Dog {
        #[serde(rename = "_id")]
        id: i32,
        weight: i32,
    }

    #[model(collection = "boats", kind(rig = "barge"))]
    Barge {
        #[serde(rename = "_id")]
        id: i32,
        load: i32,
    }

    #[model(collection = "boats", kind(rig = "yacht", default))]
    Yacht {
        #[serde(rename = "_id")]
        id: i32,
        length: i32,
    }

    #[model(collection = "houses")]
    House {
        #[serde(rename = "_id")]
        id: Id<House, i32>,
        name: String,
        #[embed(max = 20)]
        rooms: Vec<Room>,
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Room {
    pub colour: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Brand")]
pub struct BrandTitle {
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Film")]
pub struct FilmTitle {
    pub title: String,
}
