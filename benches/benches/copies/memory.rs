//! C4: the memory that a fan-out over 1,000,000 copies needs. The memory is measured in a separate process, in which no
//! earlier work has left memory that could be reused.

use std::fs;

use mongo_odm::{mongodb::Client, prelude::*};
use odm_benches::{
    Result,
    place::{Place, fill, odm},
    table::Table,
};

use crate::{
    fan_out::Many,
    models::{Host, address, host, message},
    options::Options,
};

const LIMIT_MIB: f64 = 32.0;

/// Number of copies in a first fan-out, which opens connections and loads code before the measurement.
const WARM: usize = 2_000;

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let many = Many::fill(place, "c4", options.most_copies).await?;
    let warm = host(2);
    fill([warm.clone()].into_iter(), &many.odm).await?;
    fill((0..WARM).map(|at| message(at, &warm)), &many.odm).await?;
    place.flush().await?;
    let argument = format!("{},{},{}", place.uri(), many.host, warm.id);
    let child = tokio::task::spawn_blocking(move || {
        let program = std::env::current_exe()?;
        std::process::Command::new(program)
            .args(["--child", &argument])
            .output()
    });
    let output = child.await??;
    let printed = String::from_utf8(output.stdout)?;
    let numbers: Vec<f64> = printed
        .split_whitespace()
        .map_while(|it| it.parse().ok())
        .collect();
    let &[before, most, seconds] = numbers.as_slice() else {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the fan-out failed: {error}").into());
    };
    many.check(&address(1)).await?;
    let grown = most - before;
    table.line(
        [
            &format!("C4 {} copies, memory of the client", options.most_copies),
            &format!("+{grown:.1} MiB (in {seconds:.1} s)"),
            &format!("{before:.1} MiB before"),
            "",
            &format!("< {LIMIT_MIB} MiB"),
        ],
        Some(grown < LIMIT_MIB),
    );
    Ok(())
}

/// The main function of the measured process. The process prints the memory before the fan-out and the maximum in MiB,
/// and the duration in seconds.
pub(crate) async fn child(argument: &str) -> Result<()> {
    let mut parts = argument.rsplitn(3, ',');
    let mut next = || parts.next().ok_or("an argument is missing");
    let (warm, many, uri) = (next()?, next()?, next()?);
    let odm = odm(&Client::with_uri_str(uri).await?, "c4");
    let rename = async |id: &str, number: usize| {
        let id: Id<Host> = Id::from_key(ObjectId::parse_str(id)?);
        let update = Host::update(&odm, id).set(Host::fields().ipaddr, address(number));
        update.await?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
    };
    for number in 0..3 {
        rename(warm, number).await?;
    }
    // Resets the maximum of the memory.
    fs::write("/proc/self/clear_refs", "5")?;
    let (before, began) = (mebibytes("VmRSS:")?, std::time::Instant::now());
    rename(many, 1).await?;
    let seconds = began.elapsed().as_secs_f64();
    println!("{before} {} {seconds}", mebibytes("VmHWM:")?);
    Ok(())
}

fn mebibytes(name: &str) -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kibibytes = line.and_then(|line| line.split_whitespace().next());
    Ok(kibibytes.ok_or("no such figure")?.parse::<f64>()? / 1_024.0)
}
