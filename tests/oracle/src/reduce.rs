//! Shortens a program that has found an error as far as possible.

use std::time::{Duration, Instant};

use crate::{
    program::{Call, Change, Follow, Step, Write},
    run::{self, Bench, Wrong},
};

/// Maximum duration of the search for a shorter program.
const LIMIT: Duration = Duration::from_secs(60);

/// Returns the shortest program found that fails in the same way, and its failure.
///
/// A race might not occur again. Then the result is the program itself.
pub async fn reduce(bench: &Bench, program: &[Step], wrong: Wrong) -> (Vec<Step>, Wrong) {
    let began = Instant::now();
    let mut best = (program.to_vec(), wrong);
    let mut at = 0;
    while let Some(shorter) = candidate(&best.0, at).filter(|_| began.elapsed() < LIMIT) {
        at += 1;
        bench.clear().await;
        if let Err(wrong) = run::run(bench, &shorter).await
            && wrong.kind() == best.1.kind()
        {
            let end = wrong.step + 1;
            best = (shorter[..end].to_vec(), wrong);
            at = 0;
        }
    }
    best
}

/// Returns one of the shorter programs: first without a half, a quarter and so on to one step, then with simpler steps.
fn candidate(program: &[Step], mut at: usize) -> Option<Vec<Step>> {
    let mut size = program.len() / 2;
    while size > 0 {
        let chunks = program.len().div_ceil(size);
        if at < chunks {
            let (from, to) = (at * size, ((at + 1) * size).min(program.len()));
            return Some([&program[..from], &program[to..]].concat());
        }
        at -= chunks;
        size /= 2;
    }
    for (position, step) in program.iter().enumerate() {
        let simpler = simpler(step);
        if let Some(steps) = simpler.get(at) {
            return Some([&program[..position], steps, &program[position + 1..]].concat());
        }
        at -= simpler.len();
    }
    None
}

/// Lists the sequences of steps that may replace a step.
fn simpler(step: &Step) -> Vec<Vec<Step>> {
    let one = |calls: &[Call], make: &dyn Fn(Vec<Call>) -> Step| {
        let mut all: Vec<Vec<Step>> = vec![calls.iter().cloned().map(Step::Call).collect()];
        for at in 0..calls.len() {
            let others = [&calls[..at], &calls[at + 1..]].concat();
            all.extend((!others.is_empty()).then(|| vec![make(others)]));
            let changed = simpler_calls(&calls[at]).into_iter();
            all.extend(
                changed.map(|call| vec![make([&calls[..at], &[call], &calls[at + 1..]].concat())]),
            );
        }
        all
    };
    match step {
        Step::Call(call) => simpler_calls(call)
            .into_iter()
            .map(|it| vec![Step::Call(it)])
            .collect(),
        Step::Transaction(calls, commits) => {
            one(calls, &|calls| Step::Transaction(calls, *commits))
        }
        Step::AtOnce(calls) => one(calls, &Step::AtOnce),
        Step::Dropped(call, _) | Step::Failing(call, _) => vec![vec![Step::Call(call.clone())]],
        Step::DroppedTransaction(calls, micros) => {
            one(calls, &|calls| Step::DroppedTransaction(calls, *micros))
        }
        Step::Settle | Step::Hostile(..) | Step::Inject(_) | Step::Repair(_) => Vec::new(),
    }
}

fn simpler_calls(call: &Call) -> Vec<Call> {
    let mut calls = Vec::new();
    if call.follow != Follow::Inline {
        calls.push(Call {
            follow: Follow::Inline,
            ..call.clone()
        });
    }
    if call.handle != 0 {
        calls.push(Call {
            handle: 0,
            ..call.clone()
        });
    }
    if call.in_bulk {
        calls.push(Call {
            in_bulk: false,
            ..call.clone()
        });
    }
    calls.extend(simpler_writes(&call.write).into_iter().map(|write| Call {
        write,
        ..call.clone()
    }));
    calls
}

fn simpler_writes(write: &Write) -> Vec<Write> {
    let fewer = |changes: &[Change]| -> Vec<Vec<Change>> {
        let without = |at: usize| [&changes[..at], &changes[at + 1..]].concat();
        let mut all: Vec<Vec<Change>> = (0..changes.len())
            .map(without)
            .filter(|it| !it.is_empty())
            .collect();
        if changes.iter().any(|it| it.plain.is_some()) {
            all.push(
                changes
                    .iter()
                    .map(|it| Change {
                        plain: None,
                        ..it.clone()
                    })
                    .collect(),
            );
        }
        all
    };
    match write {
        Write::InsertMany(documents, is_ordered) => match documents.as_slice() {
            [one] => vec![Write::Insert(one.clone())],
            _ => (0..documents.len())
                .map(|at| {
                    Write::InsertMany(
                        [&documents[..at], &documents[at + 1..]].concat(),
                        *is_ordered,
                    )
                })
                .collect(),
        },
        Write::Update(id, changes) => fewer(changes)
            .into_iter()
            .map(|it| Write::Update(*id, it))
            .collect(),
        Write::Pipeline(id, changes) => fewer(changes)
            .into_iter()
            .map(|it| Write::Pipeline(*id, it))
            .collect(),
        Write::UpdateMany(filter, changes) => fewer(changes)
            .into_iter()
            .map(|it| Write::UpdateMany(filter.clone(), it))
            .collect(),
        Write::FindAndUpdate(filter, changes) => match filter.get_i64("_id") {
            Ok(id) => vec![Write::Update(id, changes.clone())],
            Err(_) => Vec::new(),
        },
        Write::Save(one) => vec![Write::Insert(one.clone())],
        _ => Vec::new(),
    }
}
