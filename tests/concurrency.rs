//! Sixteen clients write and read at once: nothing is refused for being busy, nothing acknowledged is lost.
//!
//! UM_CONCURRENCY_SECONDS says for how long (5 where nothing is said).

mod support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use support::{Place, check_doctor, runtime, umem};
use um_model::capture::{MemoryGet, MemoryRemember};
use um_model::recall::MemoryRecall;
use um_model::spaces::SpacesList;
use um_model::{ApiError, ErrorCode, MemoryId};
use um_server::client::Connection;

const CLIENTS: usize = 16;
/// A bound on what one client keeps, so that a fast machine does not write for ever.
const MOST: usize = 4_000;

/// What one client did.
#[derive(Default)]
struct Done {
    kept: Vec<(MemoryId, String)>,
    recalls: usize,
    slowest: Duration,
}

async fn work(mut service: Connection, client: usize, until: Instant) -> Result<Done, ApiError> {
    let mut done = Done::default();
    while Instant::now() < until && done.kept.len() < MOST {
        let at = done.kept.len();
        let text = format!("Client {client} notes item{client}x{at} about the harbour, the tide and the weather.");
        let request = MemoryRemember { text: text.clone(), space: "default".into(), ..MemoryRemember::default() };
        let begun = Instant::now();
        let kept = service.run(request).await?;
        done.slowest = done.slowest.max(begun.elapsed());
        assert!(kept.created);
        done.kept.push((kept.memory.id.clone(), text.clone()));
        if at.is_multiple_of(4) {
            // What was just acknowledged is found by its words.
            let query = format!("item{client}x{at}");
            let request = MemoryRecall { query, space: Some("default".into()), limit: Some(3), ..Default::default() };
            let found = service.run(request).await?;
            assert!(found.hits.iter().any(|hit| hit.ids.memory == kept.memory.id), "{text} is not found at once");
            done.recalls += 1;
        }
        if at % 16 == client {
            service.run(SpacesList {}).await?;
        }
    }
    Ok(done)
}

#[test]
fn sixteen_clients_at_once() {
    let Some(umem) = umem() else { return };
    let seconds = std::env::var("UM_CONCURRENCY_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let place = Place::new(umem);
    let runtime = runtime();
    let mut service = place.connect(&runtime);
    let begun = Instant::now();
    let until = begun + Duration::from_secs(seconds);
    let done: Vec<Done> = runtime.block_on(async {
        let mut clients = Vec::new();
        for client in 0..CLIENTS {
            let service = Connection::open(&place.data()).await.expect("the service takes another client");
            clients.push(tokio::spawn(work(service, client, until)));
        }
        let mut done = Vec::new();
        for client in clients {
            done.push(client.await.expect("no client fails a check").expect("no call is refused"));
        }
        done
    });
    let took = begun.elapsed().as_secs_f64();
    let kept: usize = done.iter().map(|d| d.kept.len()).sum();
    let recalls: usize = done.iter().map(|d| d.recalls).sum();
    let slowest = done.iter().map(|d| d.slowest).max().unwrap_or_default();
    println!(
        "{CLIENTS} clients, {took:.1} s: {kept} memories ({:.0}/s) and {recalls} recalls ({:.0}/s); slowest write {slowest:.0?}",
        kept as f64 / took,
        recalls as f64 / took,
    );
    assert!(kept > CLIENTS && recalls >= CLIENTS);
    check_kept(&place, &runtime, &mut service, &done);
}

fn check_kept(place: &Place, runtime: &tokio::runtime::Runtime, service: &mut Connection, done: &[Done]) {
    let db = place.db();
    let mut statement = db.prepare("SELECT id, content FROM memories WHERE status = 'active'").expect("it is SQL");
    let there: BTreeMap<String, String> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .expect("the memories are read");
    let kept: BTreeMap<String, String> =
        done.iter().flat_map(|d| &d.kept).map(|(id, text)| (id.to_string(), text.clone())).collect();
    assert_eq!(there.len(), kept.len());
    assert!(there == kept, "every acknowledged memory is there, word for word");
    let missing = runtime.block_on(service.run(MemoryGet { id: um_model::OWNER_AGENT.into() })).unwrap_err();
    assert_eq!(missing.code, ErrorCode::NotFound, "the service still answers");
    check_doctor(place);
}
