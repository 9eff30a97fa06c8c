//! The order of a shutdown.

use std::time::Duration;

use mongo_odm::{Odm, prelude::*};
use odm_board::{
    Board,
    model::{Member, NewMember, NewProject, NewTask, NewTeam, Project, Task},
    serve,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

const LIMIT: Duration = Duration::from_secs(20);

#[mongo_odm_testkit::test(settle = "manual")]
async fn a_shutdown_ends_streams_and_runs_the_remaining_jobs(odm: Odm) {
    let new = NewMember {
        name: "Ada".to_owned(),
        email: "ada@example.org".to_owned(),
    };
    let name = "Gardeners".to_owned();
    let team = NewTeam { name }.insert(&odm).await.unwrap();
    let all = odm.clone();
    let odm = odm.for_tenant(team.id);
    let ada = new.insert(&odm).await.unwrap();
    let acting = odm.acting_as(ada.id);
    let name = "Garden".to_owned();
    let garden = NewProject { name }.insert(&acting);
    let garden = garden.set(Project::fields().members, [ada.id]);
    let garden = garden.await.unwrap();
    let task = NewTask {
        title: "water".to_owned(),
        details: String::new(),
        assignee: None,
        tags: Vec::new(),
    };
    let task = task.insert(&acting);
    let task = task.set(Task::fields().project, garden.id);
    let task = task.await.unwrap();

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let board = Board::new(all);
    let shutdown = board.shutdown.clone();
    let service = tokio::spawn(serve(listener, board));

    // An open stream of events.
    let mut stream = TcpStream::connect(address).await.unwrap();
    let path = format!("/teams/{}/projects/{}/events", team.id, garden.id);
    let request = format!("GET {path} HTTP/1.1\r\nhost: board\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut start = [0; 15];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200 OK");

    let rename = Member::update(&odm, ada.id).set(Member::fields().name, "Eva");
    rename.deferred().await.unwrap();
    shutdown.cancel();
    let report = timeout(LIMIT, service)
        .await
        .expect("the service should stop");
    report.unwrap().unwrap();
    let stored = Task::get(&odm, task.id).await.unwrap();
    assert_eq!(stored.creator_name, "Eva");

    // The stream has ended with its last chunk, and new connections are refused.
    let mut rest = Vec::new();
    let end = timeout(LIMIT, stream.read_to_end(&mut rest)).await;
    end.expect("the stream should end").unwrap();
    assert!(rest.ends_with(b"0\r\n\r\n"));
    assert!(TcpStream::connect(address).await.is_err());
}
