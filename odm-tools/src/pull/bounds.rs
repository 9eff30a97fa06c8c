//! The maximum lengths that are proposed for arrays.

use mongo_odm::__tools::mongosh_value;

use super::tree::Node;

/// The largest length of an array for which a `max` is proposed.
const BOUNDED: u64 = 1_000;

/// Returns the proposed `max` for an array, and adds a comment that states the reason.
pub(super) fn bound(comments: &mut Vec<String>, node: &Node<'_>) -> Option<u64> {
    let lengths = node.survey.lengths.as_ref()?;
    if lengths.min == lengths.max {
        return None;
    }
    let (longest, id) = (lengths.max, mongosh_value(&lengths.longest));
    let longest = format!("The longest seen has {longest} (`_id` {id})");
    if lengths.max > BOUNDED {
        comments.push(format!(
            "{longest}: better a reference at the other side, if it grows."
        ));
        return None;
    }
    comments.push(format!(
        "{longest}; `max` leaves room, and writes refuse more."
    ));
    Some(roomy(lengths.max))
}

/// Returns a round number that is at least four times the given length.
fn roomy(longest: u64) -> u64 {
    let mut power = 10;
    loop {
        for step in [1, 2, 5] {
            if power * step >= longest * 4 {
                return power * step;
            }
        }
        power *= 10;
    }
}
