//! Changes of sources by the newer program.

use mongo_odm::{Result, bson::Bson, prelude::*};

use crate::{
    models::{Host, Part, Product},
    program::{ALL_PARTS, BLOGGERS, HOSTS, NUMBERS, blogger_id, host_id, part_id},
    random::Random,
    tree::Blogger,
    vandal::odd_value,
};

#[derive(Clone, Copy)]
pub(crate) enum Act {
    Host,
    Part,
    Products,
    ToAnOddValue,
}

pub(crate) const ACTS: [(u64, &str, Act); 4] = [
    (30, "renamed", Act::Host),
    (30, "renamed", Act::Part),
    (30, "renamed", Act::Products),
    (10, "renamed to an odd value", Act::ToAnOddValue),
];

pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let value = if matches!(act, Act::ToAnOddValue) {
        odd_value(random).unwrap_or(Bson::Null)
    } else {
        name.into()
    };
    let which = match act {
        Act::Host => 0,
        Act::Part => 1,
        Act::Products => 2,
        Act::ToAnOddValue => random.below(4),
    };
    let deferred = random.percent(15);
    match which {
        0 => {
            let host = Host::update(odm, host_id(random.below(HOSTS)));
            let renamed = with(host.with(doc! { "$set": { "ipaddr": value } }), deferred);
            renamed.await.map(|_| 1)
        }
        1 => {
            let part = Part::update(odm, part_id(random.below(ALL_PARTS)));
            let renamed = with(part.with(doc! { "$set": { "name": value } }), deferred);
            renamed.await.map(|_| 1)
        }
        2 => {
            let number = random.below(NUMBERS).cast_signed();
            let all = Product::fields().catalog_number.eq(number);
            let products = Product::update_many(odm, all);
            let renamed = with(products.with(doc! { "$set": { "name": value } }), deferred);
            renamed.await.map(|_| 1)
        }
        _ => {
            let blogger = Blogger::update(odm, blogger_id(random.below(BLOGGERS)));
            let renamed = with(blogger.with(doc! { "$set": { "name": value } }), deferred);
            renamed.await.map(|_| 1)
        }
    }
}

fn with<B: CopyOptions>(builder: B, deferred: bool) -> B {
    if deferred {
        builder.deferred()
    } else {
        builder
    }
}
