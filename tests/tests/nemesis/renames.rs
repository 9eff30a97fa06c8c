//! Changes to sources by the newer program.

use mongo_odm::{Result, bson::Bson, prelude::*};

use crate::{
    models::{Host, Part, Product},
    program::{ALL_PARTS, BLOGGERS, HOSTS, NUMBERS, any, blogger_id, host_id, part_id},
    random::Random,
    tree::Blogger,
    vandal::odd_value,
};

#[derive(Clone, Copy)]
pub(crate) enum Act {
    Rename(Source),
    /// Changes a field that the older version of the program does not copy.
    Renumber,
    ToAnOddValue,
}

#[derive(Clone, Copy)]
pub(crate) enum Source {
    Host,
    Part,
    Products,
    Blogger,
}

const SOURCES: [Source; 4] = [
    Source::Host,
    Source::Part,
    Source::Products,
    Source::Blogger,
];

pub(crate) const ACTS: [(u64, &str, Act); 5] = [
    (30, "renamed", Act::Rename(Source::Host)),
    (30, "renamed", Act::Rename(Source::Part)),
    (30, "renamed", Act::Rename(Source::Products)),
    (40, "renumbered", Act::Renumber),
    (10, "renamed to an odd value", Act::ToAnOddValue),
];

pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let deferred = random.percent(15);
    match act {
        Act::Rename(source) => rename(source, name.into(), odm, random, deferred).await,
        Act::Renumber => renumber(odm, random, deferred).await,
        Act::ToAnOddValue => {
            let source = SOURCES[usize::try_from(random.below(4)).unwrap()];
            let value = odd_value(random).unwrap_or(Bson::Null);
            rename(source, value, odm, random, deferred).await
        }
    }
}

async fn rename(
    source: Source,
    value: Bson,
    odm: &Odm,
    random: &mut Random,
    deferred: bool,
) -> Result<u64> {
    match source {
        Source::Host => {
            let host = Host::update(odm, host_id(random.below(HOSTS)));
            let renamed = host.with(doc! { "$set": { "ipaddr": value } });
            with(renamed, deferred).await?;
        }
        Source::Part => {
            let part = Part::update(odm, part_id(random.below(ALL_PARTS)));
            let renamed = part.with(doc! { "$set": { "name": value } });
            with(renamed, deferred).await?;
        }
        Source::Products => {
            let number = random.below(NUMBERS).cast_signed();
            let all = Product::fields().catalog_number.eq(number);
            let products = Product::update_many(odm, all);
            let renamed = products.with(doc! { "$set": { "name": value } });
            with(renamed, deferred).await?;
        }
        Source::Blogger => {
            let blogger = Blogger::update(odm, blogger_id(random.below(BLOGGERS)));
            let renamed = blogger.with(doc! { "$set": { "name": value } });
            with(renamed, deferred).await?;
        }
    }
    Ok(1)
}

async fn renumber(odm: &Odm, random: &mut Random, deferred: bool) -> Result<u64> {
    let Some(product) = any::<Product>(odm, doc! {}).await? else {
        return Ok(0);
    };
    let number = random.below(NUMBERS).cast_signed();
    let product = Product::update(odm, product).set(Product::fields().catalog_number, number);
    with(product, deferred).await.map(|_| 1)
}

fn with<B: CopyOptions>(builder: B, deferred: bool) -> B {
    if deferred {
        builder.deferred()
    } else {
        builder
    }
}
