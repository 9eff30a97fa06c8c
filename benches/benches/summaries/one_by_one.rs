//! S2 and S3: callers that insert single messages, for one host and for many.

use odm_benches::{
    Result,
    measure::{Watch, median},
    place::Place,
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    callers::{self, Sample},
    form::Form,
    models::LIST,
    options::Options,
    target::Target,
};

const MANY: usize = 200;

/// Largest time until a host must show a message, in milliseconds.
const STALE: f64 = 250.0;

/// The measurements of all rounds.
struct Rounds {
    title: String,
    rounds: Vec<Vec<(Form, Sample)>>,
}

pub(crate) async fn one_host(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let forms = [
        Form::Library,
        Form::Alone,
        Form::ThenUpdate,
        Form::Transaction,
        Form::Deltas,
    ];
    let title = format!("S2 {} callers, one host", options.callers);
    let rounds = Rounds::measure(title, &forms, 1, place, options, table).await?;
    rounds.rate(Form::ThenUpdate, Limit::AtLeast(4.0), table);
    rounds.rate(Form::Alone, Limit::AtLeast(0.45), table);
    rounds.rate(Form::Transaction, Limit::None, table);
    rounds.rate(Form::Deltas, Limit::None, table);
    rounds.p99(Form::Alone, Limit::AtMost(4.0), table);
    rounds.staleness(Form::Deltas, table);
    Ok(())
}

pub(crate) async fn many_hosts(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let forms = [Form::Library, Form::Transaction];
    let title = format!("S3 {} callers, {MANY} hosts", options.callers);
    let rounds = Rounds::measure(title, &forms, MANY, place, options, table).await?;
    rounds.rate(Form::Transaction, Limit::AtLeast(0.85), table);
    Ok(())
}

impl Rounds {
    async fn measure(
        title: String,
        forms: &[Form],
        hosts: usize,
        place: &Place,
        options: &Options,
        table: &mut Table,
    ) -> Result<Self> {
        let watch = Watch::begin(place.process);
        let mut rounds = Vec::new();
        for round in 0..options.rounds {
            let mut samples = Vec::new();
            // Each round begins with a different form.
            for &form in forms.iter().cycle().skip(round).take(forms.len()) {
                // The lists are full from the beginning.
                let target = Target::fill(place, "one_by_one", &vec![LIST; hosts]).await?;
                let sample = callers::run(form, &target, options.callers, options.time()).await?;
                samples.push((form, sample));
            }
            rounds.push(samples);
        }
        table.notes.push(format!(
            "{title}: {} rounds of {} s in each form, other processes took {:.2} cores; with the maximum of the time; all \
             writes wait for a majority",
            rounds.len(),
            options.seconds,
            watch.disturbance()
        ));
        Ok(Self { title, rounds })
    }

    fn of(&self, form: Form, value: fn(&Sample) -> f64) -> impl Iterator<Item = f64> + Clone {
        let of_form = move |samples: &Vec<(Form, Sample)>| {
            let sample = samples.iter().find(|(it, _)| *it == form);
            sample.map(|(_, sample)| value(sample))
        };
        self.rounds.iter().filter_map(of_form)
    }

    fn ratio(&self, to: Form, value: fn(&Sample) -> f64) -> Ratio {
        Ratio::of(self.of(Form::Library, value).zip(self.of(to, value)))
    }

    fn rate(&self, to: Form, limit: Limit, table: &mut Table) {
        let text = |form| {
            let middle = |of: fn(&Sample) -> f64| median(self.of(form, of));
            let (rate, p50, p99) = (
                middle(|it| it.rate),
                middle(|it| it.p50),
                middle(|it| it.p99),
            );
            format!("{rate:.0} messages/s (p50 {p50:.1}, p99 {p99:.1} ms)")
        };
        table.row(
            &format!("{}, to {}", self.title, to.name()),
            &text(Form::Library),
            &text(to),
            &self.ratio(to, |it| it.rate),
            limit,
        );
    }

    fn p99(&self, to: Form, limit: Limit, table: &mut Table) {
        let text = |form| format!("{:.1} ms", median(self.of(form, |it| it.p99)));
        table.row(
            &format!("{}, p99 to that of {}", self.title, to.name()),
            &text(Form::Library),
            &text(to),
            &self.ratio(to, |it| it.p99),
            limit,
        );
    }

    fn staleness(&self, beside: Form, table: &mut Table) {
        let stale = |form| median(self.of(form, |it| it.stale_p99));
        let library = stale(Form::Library);
        table.line(
            [
                &format!(
                    "{}, p99 of how long the host does not show a message",
                    self.title
                ),
                &format!("{library:.0} ms"),
                &format!("{} {:.0} ms", beside.name(), stale(beside)),
                "",
                &format!("< {STALE} ms"),
            ],
            Some(library < STALE),
        );
    }
}
