//! The page in a real browser.

use mongo_odm::{Odm, prelude::*};
use odm_board::{Board, model::Task, sample, serve};
use tokio::net::TcpListener;

use crate::chromium::{self, Browser, Page};

/// Returns an expression for an element of the task that has the given title.
fn part(title: &str, selector: &str) -> String {
    format!(
        "[...document.querySelectorAll('.task')].find(it => it.querySelector('.title').value === '{title}')\
         ?.querySelector('{selector}')"
    )
}

/// Returns a condition that is true if the project has the given number of open tasks.
fn open_tasks(number: u32) -> String {
    format!("document.querySelector('#projects').innerText.includes('Garden ({number} open)')")
}

async fn shows(browser: &mut Browser, page: &Page, titles: &[&str]) {
    let titles = serde_json::to_string(titles).unwrap();
    let shown = "JSON.stringify([...document.querySelectorAll('.title')].map(it => it.value))";
    browser
        .wait_for(page, &format!("{shown} === '{titles}'"))
        .await;
}

/// Returns an expression for the button that restores a document in a list of the trash.
fn restore(list: &str, name: &str) -> String {
    format!(
        "[...document.querySelectorAll('#trashed-{list} li')].find(it => it.innerText.startsWith('{name}'))\
         ?.querySelector('button')"
    )
}

/// Deletes a task and the project in one page, and restores them in the other one.
async fn restores_from_the_trash(
    browser: &mut Browser,
    left: &Page,
    right: &Page,
    sample: &[&str],
) {
    browser
        .evaluate(right, "document.querySelector('#trash').click()")
        .await;
    let mowing = restore("tasks", "Mow the lawn");
    browser
        .wait_for(right, &format!("{mowing} !== undefined"))
        .await;

    let delete = format!("{}.click()", part(sample[1], ".delete"));
    browser.evaluate(left, &delete).await;
    for page in [left, right] {
        shows(browser, page, &sample[..1]).await;
        browser.wait_for(page, &open_tasks(1)).await;
    }
    let restored = restore("tasks", sample[1]);
    browser
        .wait_for(right, &format!("{restored} !== undefined"))
        .await;
    browser
        .evaluate(right, &format!("{restored}.click()"))
        .await;
    for page in [left, right] {
        browser.wait_for(page, &open_tasks(2)).await;
        let shown = format!("{} !== undefined", part(sample[1], ".title"));
        browser.wait_for(page, &shown).await;
    }

    let delete = "document.querySelector('#projects li :nth-child(2)').click()";
    browser.evaluate(left, delete).await;
    let none = "document.querySelectorAll('#projects li, .task').length === 0";
    for page in [left, right] {
        browser.wait_for(page, none).await;
    }
    let restored = restore("projects", "Garden");
    browser
        .wait_for(right, &format!("{restored} !== undefined"))
        .await;
    browser
        .evaluate(right, &format!("{restored}.click()"))
        .await;
    browser.wait_for(right, &open_tasks(2)).await;
    let tasks = "document.querySelectorAll('.task').length === 2";
    browser.wait_for(right, tasks).await;
}

/// Selects the other team, which has a different member, a different project and different tasks.
async fn shows_only_one_team(browser: &mut Browser, page: &Page) {
    let select = "(it => { it.selectedIndex = 1; it.dispatchEvent(new Event('change')); })(document.querySelector('#team'))";
    browser.evaluate(page, select).await;
    shows(browser, page, &["Cook a soup"]).await;
    let projects = "document.querySelector('#projects').innerText.includes('Kitchen (1 open)') \
                    && !document.querySelector('#projects').innerText.includes('Garden')";
    browser.wait_for(page, projects).await;
    let members = "document.querySelector('#member').innerText.trim() === 'Cleo'";
    browser.wait_for(page, members).await;
}

#[mongo_odm_testkit::test]
async fn two_pages_show_the_changes_of_each_other(odm: Odm) {
    let Some(program) = chromium::find() else {
        eprintln!("skipped: no Chromium or Chrome in PATH, and CHROME is not set");
        return;
    };
    sample::insert_if_empty(&odm).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let board = Board::new(odm.clone());
    let shutdown = board.shutdown.clone();
    let service = tokio::spawn(serve(listener, board));

    let mut browser = Browser::start(program);
    let (left, right) = (browser.open(&url).await, browser.open(&url).await);
    let sample = ["Build a compost heap", "Water the beans"];
    for page in [&left, &right] {
        shows(&mut browser, page, &sample).await;
        browser.wait_for(page, &open_tasks(2)).await;
        let comment = format!(
            "{}.innerText.includes('Ada: Twice')",
            part(sample[1], ".comments")
        );
        browser.wait_for(page, &comment).await;
    }

    // A new task appears in both pages.
    let input = "document.querySelector('#new-task input')";
    browser.enter(&left, input, "Mow").await;
    for page in [&left, &right] {
        shows(&mut browser, page, &["Mow", sample[0], sample[1]]).await;
        let count = "document.querySelector('#count').innerText === '3 of 3 tasks'";
        browser.wait_for(page, count).await;
        browser.wait_for(page, &open_tasks(3)).await;
    }

    // A new title and a comment reach the other page.
    browser
        .enter(&right, &part("Mow", ".title"), "Mow the lawn")
        .await;
    shows(&mut browser, &left, &["Mow the lawn", sample[0], sample[1]]).await;
    let input = part("Mow the lawn", ".comment input");
    browser.enter(&left, &input, "Not today").await;
    let comment = format!(
        "{}.innerText === 'Ada: Not today'",
        part("Mow the lawn", ".comments")
    );
    browser.wait_for(&right, &comment).await;

    // A task shows its three newest comments, and all comments on request.
    for text in ["Two", "Three", "Four"] {
        browser.enter(&left, &input, text).await;
        let newest = format!(
            "{}.innerText.startsWith('Ada: {text}')",
            part("Mow the lawn", ".comments")
        );
        browser.wait_for(&left, &newest).await;
    }
    let number = format!("{}.children.length", part("Mow the lawn", ".comments"));
    browser.wait_for(&left, &format!("{number} === 3")).await;
    let all = format!("{}.click()", part("Mow the lawn", ".all"));
    browser.evaluate(&left, &all).await;
    browser.wait_for(&left, &format!("{number} === 4")).await;

    // The number of open tasks follows the state of a task.
    let done = format!(
        "(it => {{ it.value = 'done'; it.dispatchEvent(new Event('change')); }})({})",
        part("Mow the lawn", ".status")
    );
    browser.evaluate(&right, &done).await;
    browser.wait_for(&left, &open_tasks(2)).await;
    let is_done = format!("{}.value === 'done'", part("Mow the lawn", ".status"));
    browser.wait_for(&left, &is_done).await;

    // An outdated page does not overwrite the title. It shows the error and the stored title.
    let outdated = "tasks.forEach(it => it.task.version = 1)";
    browser.evaluate(&left, outdated).await;
    let input = part("Mow the lawn", ".title");
    browser.enter(&left, &input, "Sell the lawn").await;
    let message = "document.querySelector('#message').innerText.startsWith('409: ')";
    browser.wait_for(&left, message).await;
    shows(&mut browser, &left, &["Mow the lawn", sample[0], sample[1]]).await;

    // A task that another program deletes disappears.
    let all = odm.all_tenants();
    let mowing = Task::fields().title.eq("Mow the lawn");
    let mowing = Task::find_one(&all).filter(mowing).await.unwrap().unwrap();
    let acting = all.acting_as(mowing.created_by);
    Task::delete(&acting, mowing.id).await.unwrap();
    for page in [&left, &right] {
        shows(&mut browser, page, &sample).await;
    }

    restores_from_the_trash(&mut browser, &left, &right, &sample).await;
    shows_only_one_team(&mut browser, &left).await;

    // The other page lists the routes.
    let routes = browser.open(&format!("{url}routes")).await;
    let listed = "document.querySelectorAll('#routes details').length === 33";
    browser.wait_for(&routes, listed).await;
    browser.close().await;
    shutdown.cancel();
    service.await.unwrap().unwrap();
}
