//! Runs many programs concurrently, up to a number of programs or for a time.

use std::{
    collections::VecDeque,
    fmt::{self, Display, Formatter},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use crate::{
    compose, draw,
    generated::Adapters,
    print,
    program::Step,
    reduce::reduce,
    run::{self, Bench, Setting, Wrong},
    versions::Versions,
};

/// Settings for a run of many programs.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The declarations that this binary contains.
    pub declared: &'static [(&'static str, Adapters)],
    /// The name of the only declaration to run; `None` for all.
    pub only: Option<&'static str>,
    /// The seed of the first program of each declaration.
    pub first: u64,
    /// Maximum number of programs per declaration.
    pub programs: u64,
    /// Maximum duration of the campaign.
    pub limit: Duration,
    /// Number of declarations that run concurrently.
    pub lanes: usize,
    /// The grace period of all handles; `None` for the default.
    pub grace: Option<Duration>,
    /// The executable of the other program, and the number of declarations, from the first, that have a version for it.
    pub other: Option<(&'static str, usize)>,
}

/// The result of a campaign.
#[derive(Debug, Default)]
pub struct Tally {
    /// Number of programs.
    pub programs: u64,
    /// Number of their steps.
    pub steps: usize,
    /// The programs that failed.
    pub failed: Vec<Failed>,
}

/// A program that has found a difference.
#[derive(Debug)]
pub struct Failed {
    /// The name of the declaration, and the seed of the program.
    pub case: (String, u64),
    /// The steps up to the difference.
    pub program: Vec<Step>,
    /// The difference.
    pub wrong: Wrong,
}

/// Runs a campaign.
pub async fn run(campaign: Campaign) -> Tally {
    let is_wanted = |(name, _): &(&str, Adapters)| campaign.only.is_none_or(|only| only == *name);
    let waiting: VecDeque<_> = campaign
        .declared
        .iter()
        .copied()
        .filter(is_wanted)
        .collect();
    let turns = waiting.len().div_ceil(campaign.lanes.max(1)).max(1);
    let slice = campaign.limit / u32::try_from(turns).unwrap_or(u32::MAX);
    let waiting = Arc::new(Mutex::new(waiting));
    let mut lanes = JoinSet::new();
    for _ in 0..campaign.lanes {
        lanes.spawn(lane(campaign, Arc::clone(&waiting), slice));
    }
    let mut tally = Tally::default();
    while let Some(done) = lanes.join_next().await {
        let done = done.unwrap_or_else(|error| panic!("{error}"));
        tally.programs += done.programs;
        tally.steps += done.steps;
        tally.failed.extend(done.failed);
    }
    tally.failed.sort_by(|a, b| a.case.cmp(&b.case));
    tally
}

type Waiting = Arc<Mutex<VecDeque<(&'static str, Adapters)>>>;

async fn lane(campaign: Campaign, waiting: Waiting, slice: Duration) -> Tally {
    let mut tally = Tally::default();
    loop {
        let next = waiting
            .lock()
            .unwrap_or_else(|error| panic!("{error}"))
            .pop_front();
        let Some((name, models)) = next else {
            return tally;
        };
        of_declaration(campaign, name, models, slice, &mut tally).await;
    }
}

/// Runs the programs of one declaration.
async fn of_declaration(
    campaign: Campaign,
    name: &str,
    models: Adapters,
    slice: Duration,
    tally: &mut Tally,
) {
    let began = Instant::now();
    let mut declared = campaign.declared.iter();
    let at = declared.position(|(it, _)| *it == name);
    let other = campaign
        .other
        .filter(|(_, count)| at.is_some_and(|at| at < *count));
    let other = other.map(|(program, _)| program);
    let versions = match other {
        Some(_) => Versions::two(name),
        None => Versions::one(draw::named(name)),
    };
    let setting = Setting {
        models,
        other,
        grace: campaign.grace,
        validates: validates(name),
    };
    let open = || Bench::new(versions.clone(), setting);
    let mut bench = open().await;
    for seed in campaign.first..campaign.first + campaign.programs {
        if began.elapsed() >= slice {
            break;
        }
        let program = compose::program(&versions.programs, seed);
        tally.programs += 1;
        tally.steps += program.len();
        if let Err(wrong) = run::run(&bench, &program).await {
            bench.close().await;
            bench = open().await;
            bench.patience = Duration::from_secs(4);
            let (program, wrong) = reduce(&bench, &program[..=wrong.step], wrong).await;
            bench.close().await;
            bench = open().await;
            let failed = Failed {
                case: (name.to_owned(), seed),
                program,
                wrong,
            };
            println!("{failed}");
            tally.failed.push(failed);
        }
        bench.clear().await;
    }
    bench.close().await;
}

/// Displays the difference, and a test that reproduces it.
impl Display for Failed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (declaration, program) = &self.case;
        writeln!(f, "// {declaration}/{program}")?;
        for line in &self.wrong.found {
            writeln!(f, "// {line}")?;
        }
        let name = format!("{declaration}_{program}");
        f.write_str(&print::test(
            &draw::named(declaration),
            &name,
            &self.program,
        ))
    }
}

/// Displays the numbers of programs and steps, and the failed cases.
impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (programs, steps) = (self.programs, self.steps);
        write!(
            f,
            "{programs} programs, {steps} steps, {} failed:",
            self.failed.len()
        )?;
        for Failed { case, .. } in &self.failed {
            write!(f, " {}/{}", case.0, case.1)?;
        }
        Ok(())
    }
}

/// Whether the programs of a declaration run with validators.
fn validates(name: &str) -> bool {
    let seed = draw::seed(name);
    seed >= draw::LIFE_FROM && seed % 2 == 1
}
