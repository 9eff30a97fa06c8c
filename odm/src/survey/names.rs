//! Whether the name of a field fits the name of a collection.

/// Whether a path may be named after the documents of a collection and their key: `country_id`, `countryId`, `countries`
/// and `country` for the `_id` of `countries`; `account_id` and `accounts` for their `account_id`.
pub(super) fn fits(field: &str, target: &str, key: &str, own: &str) -> bool {
    let collection = singular(&plain(target));
    let name = plain(field);
    // A name of signs alone says nothing.
    if collection.is_empty() {
        return false;
    }
    if key != "_id" {
        let key = plain(key);
        let is_key = key.starts_with(&collection) || stem(&key) != key;
        let name = singular(&name);
        let is_same = name == singular(&key) && key.starts_with(&collection);
        return is_same
            || name == format!("{collection}{key}")
            || is_key && stem(&name) == collection;
    }
    let stem = singular(stem(&singular(&name)));
    let is_parent = own == target && stem.starts_with("parent");
    let ends_like_it = stem.len() > collection.len() && stem.ends_with(&collection);
    let ends_like_name = collection.len() > stem.len() && collection.ends_with(&stem);
    !stem.is_empty()
        && (stem == collection
            || is_parent
            // `home_country_id` of `countries`, `country_id` of `geo_countries`.
            || ends_like_it
            || ends_like_name && stem.len() >= 4)
}

/// Lower case, letters and digits alone.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Takes off what says that it is a key.
fn stem(name: &str) -> &str {
    let endings = ["oid", "id", "ref", "key", "uuid"];
    let ending = endings.iter().find_map(|ending| name.strip_suffix(ending));
    ending.unwrap_or(name)
}

/// Returns the singular of an English noun in lower case, by its ending.
pub(crate) fn singular(noun: &str) -> String {
    const AS_THEY_ARE: [&str; 6] = ["news", "series", "species", "status", "address", "bus"];
    // Plurals of which the ending says too little.
    const IRREGULAR: [(&str, &str); 12] = [
        ("people", "person"),
        ("children", "child"),
        ("movies", "movie"),
        ("cookies", "cookie"),
        ("calories", "calorie"),
        ("statuses", "status"),
        ("buses", "bus"),
        ("campuses", "campus"),
        ("bonuses", "bonus"),
        ("quizzes", "quiz"),
        ("indices", "index"),
        ("matrices", "matrix"),
    ];
    if AS_THEY_ARE.iter().any(|word| noun.ends_with(word)) {
        return noun.to_owned();
    }
    let replaced = |(plural, singular): &(&str, &str)| {
        let before = noun.strip_suffix(plural)?;
        Some(format!("{before}{singular}"))
    };
    if let Some(found) = IRREGULAR.iter().find_map(replaced) {
        return found;
    }
    if let Some(before) = noun.strip_suffix("ies").filter(|it| it.len() > 1) {
        return format!("{before}y");
    }
    let hisses = ["sses", "shes", "ches", "xes"];
    if hisses.iter().any(|ending| noun.ends_with(ending)) {
        return noun.strip_suffix("es").unwrap_or(noun).to_owned();
    }
    let is_plural = noun.len() > 2 && !["ss", "us", "is"].iter().any(|it| noun.ends_with(it));
    let before = noun.strip_suffix('s').filter(|_| is_plural);
    before.unwrap_or(noun).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_its_collection_and_no_other() {
        for (field, target, key) in [
            ("country_id", "countries", "_id"),
            ("countryId", "countries", "_id"),
            ("accounts", "accounts", "account_id"),
            ("account_ids", "accounts", "_id"),
            ("student_id", "students", "_id"),
            ("home_country_id", "countries", "_id"),
            ("userEmail", "users", "email"),
            ("person", "people", "_id"),
            ("class_id", "classes", "_id"),
            ("category", "shop_categories", "_id"),
            ("movie_id", "movies", "_id"),
            ("warehouse", "warehouses", "_id"),
            ("address_id", "addresses", "_id"),
        ] {
            assert!(fits(field, target, key, "others"), "{field} {target}.{key}");
        }
        for (field, target, key) in [
            ("class_id", "students", "_id"),
            ("state_id", "countries", "_id"),
            ("country_code", "countries", "iso2"),
            ("gmtOffset", "countries", "_id"),
            ("id", "countries", "_id"),
            ("population", "cities", "_id"),
            ("email", "events", "email"),
            ("rooms", "rooms", "seats"),
            ("status", "-", "_id"),
        ] {
            assert!(
                !fits(field, target, key, "others"),
                "{field} {target}.{key}"
            );
        }
        assert!(fits("parent_id", "nodes", "_id", "nodes"));
        assert!(!fits("parent_id", "others", "_id", "nodes"));
    }
}
