use crate::support::{MODEL, Rig};
#[test]
fn probe() {
    for round in 0..6 {
        let mut rig = Rig::resting();
        for number in 0..100 {
            rig.remember(&format!("Record {number} of the sandpiper."));
            if number % 10 == 9 || number < 3 {
                let q: String = rig.db().query_row("PRAGMA quick_check(3)", [], |r| r.get(0)).unwrap();
                let h: Vec<_> = rig.health().checks.into_iter().filter(|c| !c.ok).map(|c| c.detail).collect();
                eprintln!("{round} {number} fresh {q:?} engine {h:?}");
            }
        }
        rig.reopen(MODEL);
        let h: Vec<_> = rig.health().checks.into_iter().filter(|c| !c.ok).map(|c| c.detail).collect();
        eprintln!("{round} reopened {h:?} {}", rusqlite::version());
        rig.script.embeds_left.store(0, std::sync::atomic::Ordering::Relaxed);
        let to = rig.folder().join("x");
        rig.move_to(to);
    }
}
