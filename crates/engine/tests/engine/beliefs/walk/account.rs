//! An account of all beliefs of a space, drawn from the rows by other ways than the engine's, and what must be so
//! of it.

use super::super::column;
use rusqlite::Connection;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A claim's row.
#[derive(Clone)]
struct Row {
    id: String,
    rid: i64,
    subject: String,
    predicate: String,
    target: Option<String>,
    value: Option<String>,
    positive: bool,
    state: String,
    confidence: f64,
    counts: [i64; 3],
    window: (i64, i64),
    names: String,
    /// Whether there may be one value only, where the walk says so.
    single: bool,
    /// The years in which it began and ended, as it is told.
    told: [Option<String>; 2],
    qualifiers: i64,
    /// The more exact claim that it stands behind.
    behind: Option<String>,
    /// When the last of its words came in, and when it was last stated.
    heard: [Option<i64>; 2],
}

/// A piece of evidence: its claim, its source, what it does, what it weighs, whether its source is in use.
struct Piece {
    claim: String,
    cluster: String,
    polarity: String,
    weight: f64,
    live: bool,
}

pub(super) struct Account {
    claims: Vec<Row>,
    pieces: Vec<Piece>,
    /// Claim, source, target, relation, confidence.
    edges: Vec<(String, String, String, String, f64)>,
    /// Both claims, whether it is open, and how it was decided.
    conflicts: Vec<(String, String, bool, String)>,
    /// Claim, from, to.
    history: Vec<(String, String, String)>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn all(db: &Connection, sql: &str) -> Vec<Value> {
    column(db, sql).iter().map(|row| serde_json::from_str(row).unwrap()).collect()
}

impl Account {
    pub(super) fn of(db: &Connection, space: &str) -> Self {
        let claims = all(
            db,
            &format!(
                "SELECT json_array(c.id, c.rid, c.entity_id, ifnull(r.name, c.attribute_key), c.target_entity_id,
                   c.attribute_value, c.polarity, c.state, c.confidence, c.evidence_count, c.supporting_count,
                   c.contradicting_count, ifnull(c.valid_from, c.told_from), ifnull(c.valid_to, c.told_to), s.name || '|' || ifnull(t.name, ''),
                   k.cardinality = 'one', k.value_kind = 'number',
                   strftime('%Y', ifnull(c.valid_from, c.told_from) / 1000, 'unixepoch'),
                   strftime('%Y', ifnull(c.valid_to, c.told_to) / 1000, 'unixepoch'),
                   (SELECT count(*) FROM json_each(c.qualifiers) WHERE key <> 'told'),
                   CASE WHEN c.state = 'superseded' AND (SELECT cause FROM claim_state_history h
                     WHERE h.claim_id = c.id ORDER BY h.rid DESC LIMIT 1) = 'refinement' THEN c.superseded_by_id END,
                   c.heard_at, c.stated_at)
                 FROM claims c LEFT JOIN relationship_types r ON r.id = c.relationship_type_id
                 LEFT JOIN attribute_keys k ON k.name = c.attribute_key AND k.space_id = c.space_id
                 JOIN entities s ON s.id = c.entity_id LEFT JOIN entities t ON t.id = c.target_entity_id
                 WHERE c.space_id = '{space}' AND c.is_redacted = 0 ORDER BY c.rid"
            ),
        );
        let pieces = all(
            db,
            &format!(
                "SELECT json_array(e.claim_id, e.cluster_id, e.polarity, e.confidence * coalesce(p.trust_weight, g.default_trust_weight)
                   * CASE m.source_type WHEN 'user_input' THEN 1.0 WHEN 'observation' THEN 0.9 WHEN 'inference' THEN 0.7 ELSE 0 END
                   * ifnull(v.quality, 1.0), m.status = 'active' AND ifnull(a.status, 'active') = 'active'
                     AND ifnull(v.status, 'active') = 'active' AND e.drift_status <> 'missing')
                 FROM claim_evidence e LEFT JOIN derived_text_views v ON v.id = e.derived_text_view_id
                 JOIN memories m ON m.id = e.memory_id OR (e.memory_id IS NULL AND m.primary_artifact_id = v.artifact_id)
                 LEFT JOIN artifacts a ON a.id = m.primary_artifact_id JOIN agents g ON g.id = e.actor_id
                 LEFT JOIN space_memberships p ON p.space_id = e.space_id AND p.agent_id = e.actor_id
                 WHERE e.space_id = '{space}' AND e.is_redacted = 0"
            ),
        );
        let edges = all(
            db,
            &format!(
                "SELECT json_array(e.claim_id, e.source_entity_id, e.target_entity_id, r.name, e.confidence)
                 FROM entity_relationships e JOIN relationship_types r ON r.id = e.relationship_type_id
                 WHERE e.is_active = 1 AND e.space_id = '{space}'"
            ),
        );
        let conflicts = all(
            db,
            &format!(
                "SELECT json_array(k.claim_a_id, k.claim_b_id, k.status, ifnull(d.resolution_type, ''))
                 FROM conflicts k LEFT JOIN conflict_resolutions d ON d.id = k.resolution_id WHERE k.space_id = '{space}'"
            ),
        );
        let history = all(
            db,
            &format!(
                "SELECT json_array(claim_id, from_state, to_state) FROM claim_state_history
                 WHERE space_id = '{space}' ORDER BY rid"
            ),
        );
        Self {
            claims: claims.iter().map(Row::of).collect(),
            pieces: pieces.iter().map(Piece::of).collect(),
            edges: edges
                .iter()
                .map(|e| (text(&e[0]), text(&e[1]), text(&e[2]), text(&e[3]), e[4].as_f64().unwrap()))
                .collect(),
            conflicts: conflicts.iter().map(|k| (text(&k[0]), text(&k[1]), k[2] == "open", text(&k[3]))).collect(),
            history: history.iter().map(|h| (text(&h[0]), text(&h[1]), text(&h[2]))).collect(),
        }
    }

    /// What is claimed and how sure it is, without what differs from one space to the next.
    pub(super) fn told(&self) -> BTreeMap<String, (String, i64)> {
        let words = |claim: &Row| {
            let mut names: Vec<&str> = claim.names.split('|').collect();
            if claim.predicate == "married_to" {
                names.sort_unstable();
            }
            let value = claim.value.as_deref().unwrap_or_default();
            format!("{} {} {value} {}", names.join(" "), claim.predicate, claim.positive)
        };
        let sure = |claim: &Row| (claim.confidence * 1e6).round() as i64;
        self.claims.iter().map(|claim| (words(claim), (claim.state.clone(), sure(claim)))).collect()
    }

    /// What is not as it must be.
    pub(super) fn check(&self) -> Result<(), String> {
        for claim in &self.claims {
            self.check_evidence(claim)
                .and(self.check_history(claim))
                .map_err(|wrong| format!("{}: {wrong}", claim.words()))?;
        }
        self.check_conflicts()?;
        self.check_edges()
    }

    fn check_evidence(&self, claim: &Row) -> Result<(), String> {
        let pieces: Vec<&Piece> = self.pieces.iter().filter(|piece| piece.claim == claim.id).collect();
        let all = |polarity: &str| pieces.iter().filter(|piece| piece.polarity == polarity).count() as i64;
        let counts = [pieces.len() as i64, all("supporting"), all("contradicting")];
        ensure(claim.counts == counts, || format!("counts {:?} of {counts:?}", claim.counts))?;
        let supported = pieces.iter().any(|piece| piece.polarity == "supporting" && piece.live);
        ensure(supported || !claim.believed(), || "believed without a source".to_owned())?;
        let mut strongest: [BTreeMap<String, f64>; 2] = Default::default();
        let mut note = |supports: bool, piece: &'_ Piece| {
            let weight = strongest[usize::from(supports)].entry(piece.cluster.clone()).or_default();
            *weight = weight.max(piece.weight);
        };
        // What was joined with another claim gave all its words to that one.
        let joined = pieces.is_empty() && claim.state == "superseded" && claim.behind.is_none();
        for other in self.claims.iter().filter(|_| !joined) {
            let fits = other.says_no_more(claim) || other.refines(claim);
            let behind = other.behind.as_ref() == Some(&claim.id) && claim.believed() && fits;
            let leads = self.counts(other) && claim.refines(other) && self.carries(claim, other);
            let own = other.id == claim.id || behind || leads;
            let denies = self.counts(other) && self.as_believed(other).denies(claim);
            for piece in self.pieces.iter().filter(|piece| piece.claim == other.id && piece.live) {
                match piece.polarity.as_str() {
                    "supporting" if own => note(true, piece),
                    "contradicting" if own => note(false, piece),
                    "supporting" if denies => note(false, piece),
                    _ => {}
                }
            }
        }
        let doubt: f64 = strongest[1].values().map(|weight| 1.0 - weight).product();
        let confidence = (1.0 - doubt - 0.5 * strongest[0].values().sum::<f64>()).max(0.0);
        ensure((claim.confidence - confidence).abs() < 1e-6, || {
            format!("is {} sure, not {confidence}", claim.confidence)
        })
    }

    /// How sure a claim is by its own words, and by what contradicts just it.
    fn by_words(&self, claim: &Row) -> f64 {
        let of = |polarity: &str| {
            let mut strongest: BTreeMap<&str, f64> = BTreeMap::new();
            let own = |piece: &&Piece| piece.claim == claim.id && piece.live && piece.polarity == polarity;
            for piece in self.pieces.iter().filter(own) {
                let weight = strongest.entry(&piece.cluster).or_default();
                *weight = weight.max(piece.weight);
            }
            strongest
        };
        let doubt: f64 = of("supporting").values().map(|weight| 1.0 - weight).product();
        (1.0 - doubt - 0.5 * of("contradicting").values().sum::<f64>()).max(0.0)
    }

    /// Whether a claim is sure enough by its own words to be told in the place of another one.
    fn carries(&self, more: &Row, less: &Row) -> bool {
        self.by_words(more) >= self.by_words(less).min(0.5)
    }

    /// A claim at the time at which it is believed: that of the claim that it stands behind.
    fn as_believed(&self, claim: &Row) -> Row {
        let front = self.claims.iter().find(|front| Some(&front.id) == claim.behind.as_ref());
        Row { window: front.map_or(claim.window, |front| front.window), ..claim.clone() }
    }

    /// Whether a claim's words count: it is believed, or stands behind one that is.
    fn counts(&self, claim: &Row) -> bool {
        let front = self.claims.iter().find(|front| Some(&front.id) == claim.behind.as_ref());
        claim.believed() || front.is_some_and(Row::believed)
    }

    fn check_history(&self, claim: &Row) -> Result<(), String> {
        let mut at = "draft";
        for (_, from, to) in self.history.iter().filter(|(id, ..)| *id == claim.id) {
            ensure(from == at, || format!("goes on from {from}, not {at}"))?;
            at = to;
        }
        ensure(at == claim.state, || format!("is {}, its history says {at}", claim.state))
    }

    /// A claim is disputed where another one is believed that it cannot stand beside, and only then; the pair has a
    /// conflict, open unless a person left it disputed; no other conflict is open.
    fn check_conflicts(&self) -> Result<(), String> {
        let mut disputed = BTreeSet::new();
        let mut clashing = BTreeSet::new();
        let believed: Vec<&Row> = self.claims.iter().filter(|claim| claim.believed()).collect();
        for (at, a) in believed.iter().enumerate() {
            for b in believed.iter().skip(at + 1).filter(|b| a.clashes(b)) {
                let (first, second) = if a.id < b.id { (a, b) } else { (b, a) };
                disputed.extend([a.id.clone(), b.id.clone()]);
                clashing.insert((first.id.clone(), second.id.clone()));
                let known = self.conflicts.iter().find(|(x, y, ..)| (x, y) == (&first.id, &second.id));
                let held = known.is_some_and(|(_, _, open, decided)| *open || decided == "both_disputed");
                ensure(held, || format!("{} and {} clash, and no conflict says so", a.words(), b.words()))?;
            }
        }
        for claim in believed {
            let wanted = if disputed.contains(&claim.id) { "disputed" } else { "asserted" };
            ensure(claim.state == wanted, || format!("{} should be {wanted}", claim.words()))?;
        }
        for (a, b, ..) in self.conflicts.iter().filter(|(_, _, open, _)| *open) {
            ensure(clashing.contains(&(a.clone(), b.clone())), || format!("an idle conflict of {a} and {b} is open"))?;
        }
        Ok(())
    }

    /// Each place in the graph has the surest of those that want it, else the newest, and nobody else has one.
    fn check_edges(&self) -> Result<(), String> {
        let mut wanted: BTreeMap<(String, String, String), &Row> = BTreeMap::new();
        for claim in self.claims.iter().filter(|c| c.state == "asserted" && c.positive && c.confidence >= 0.5) {
            let Some(target) = &claim.target else { continue };
            let place = (claim.subject.clone(), target.clone(), claim.predicate.clone());
            let first = wanted.entry(place).or_insert(claim);
            if (claim.confidence, claim.rid) > (first.confidence, first.rid) {
                *first = claim;
            }
        }
        for (claim, source, target, relation, confidence) in &self.edges {
            let place = (source.clone(), target.clone(), relation.clone());
            let holder = wanted.remove(&place).ok_or_else(|| format!("nobody wants the edge of {claim}"))?;
            ensure(holder.id == *claim, || format!("{} should have the edge of {claim}", holder.words()))?;
            ensure((holder.confidence - confidence).abs() < 1e-6, || {
                format!("the edge of {claim} is as sure as it was")
            })?;
        }
        ensure(wanted.is_empty(), || {
            format!("{:?} have no edge", wanted.values().map(|c| c.words()).collect::<Vec<_>>())
        })
    }
}

fn ensure(so: bool, words: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(words()) }
}

impl Row {
    fn of(row: &Value) -> Self {
        let own = |value: &Value| value.as_str().map(str::to_owned);
        Self {
            id: text(&row[0]),
            rid: row[1].as_i64().unwrap(),
            subject: text(&row[2]),
            predicate: text(&row[3]),
            target: own(&row[4]),
            value: own(&row[5]).map(|value| if row[16] == 1 { value.replace(',', "") } else { value }),
            positive: row[6] == "positive",
            state: text(&row[7]),
            confidence: row[8].as_f64().unwrap(),
            counts: [9, 10, 11].map(|at| row[at].as_i64().unwrap()),
            window: (row[12].as_i64().unwrap_or(i64::MIN), row[13].as_i64().unwrap_or(i64::MAX)),
            names: text(&row[14]),
            single: row[15] == 1,
            told: [17, 18].map(|at| own(&row[at])),
            qualifiers: row[19].as_i64().unwrap(),
            behind: own(&row[20]),
            heard: [21, 22].map(|at| row[at].as_i64()),
        }
    }

    fn believed(&self) -> bool {
        matches!(self.state.as_str(), "asserted" | "disputed")
    }

    fn words(&self) -> String {
        let value = self.value.as_deref().unwrap_or_default();
        let not = if self.positive { "" } else { "not " };
        format!("{} claim {not}{} {} {value}", self.state, self.predicate, self.names)
    }

    /// Whether they say the opposite of each other, of one time.
    fn denies(&self, other: &Self) -> bool {
        self.positive != other.positive && self.clashes(other)
    }

    /// Whether both are known to be so at once. Of what was so until some day, that day alone is known, and of what has no
    /// time, that it is so since it was told: after all the ends that the walk knows.
    fn meets(&self, other: &Self) -> bool {
        let known = |row: &Self| match row.window {
            (i64::MIN, i64::MAX) => (i64::MAX - 1, i64::MAX),
            (i64::MIN, until) => (until - 1, until),
            window => window,
        };
        let (a, b) = (known(self), known(other));
        a.0.max(b.0) < a.1.min(b.1)
    }

    fn same_fact(&self, other: &Self) -> bool {
        (&self.predicate, &self.subject, &self.target, &self.value)
            == (&other.predicate, &other.subject, &other.target, &other.value)
    }

    /// Whether two that tell one fact tell it of times that cannot both be. All that the walk says it says after the last
    /// of its years.
    fn of_other_times(&self, other: &Self) -> bool {
        let meet = self.window.0.max(other.window.0) < self.window.1.min(other.window.1);
        let apart = |at: usize| self.told[at].is_some() && other.told[at].is_some() && self.told[at] != other.told[at];
        let settled = |open: &Self, ended: &Self| {
            ended.adds_to(open) || (open.told[0].is_some() && ended.told[0].is_none() && open.adds_to(ended))
        };
        let goes_on =
            |open: &Self, ended: &Self| open.told[1].is_none() && ended.window.1 < i64::MAX && !settled(open, ended);
        meet && (apart(0) || apart(1) || goes_on(self, other) || goes_on(other, self))
    }

    /// Whether the person stated it once all was known that the other one says.
    fn adds_to(&self, other: &Self) -> bool {
        self.heard[1].zip(other.heard[0]).is_some_and(|(stated, heard)| stated >= heard)
    }

    /// Whether it tells no end that another one does not.
    fn says_no_more(&self, other: &Self) -> bool {
        (0..2).all(|at| self.told[at].is_none() || self.told[at] == other.told[at])
    }

    /// Whether it tells the fact of another one more exactly.
    fn refines(&self, less: &Self) -> bool {
        let place = |row: &Self| {
            (std::cmp::Reverse(row.told.iter().flatten().count()), std::cmp::Reverse(row.qualifiers), row.id.clone())
        };
        self.same_fact(less)
            && self.positive
            && less.positive
            && place(self) < place(less)
            && less.says_no_more(self)
            && (self.meets(less) || self.adds_to(less))
            && !self.of_other_times(less)
    }

    /// Whether two claims of the walk's few predicates cannot both stand.
    fn clashes(&self, other: &Self) -> bool {
        let same_object = self.target == other.target && self.value == other.value;
        let same_subject = self.subject == other.subject;
        if self.same_fact(other) && self.positive == other.positive {
            return self.positive && self.of_other_times(other);
        }
        if self.predicate != other.predicate || !self.meets(other) {
            return false;
        }
        if self.positive != other.positive {
            return same_subject && same_object;
        }
        if !self.positive {
            return false;
        }
        match self.predicate.as_str() {
            "birthday" | "lives_in" => same_subject && !same_object,
            "badge" => self.single && same_subject && !same_object,
            "manages" => same_object && !same_subject,
            "married_to" => {
                let ends = |row: &Self| BTreeSet::from([Some(row.subject.clone()), row.target.clone()]);
                let (mine, theirs) = (ends(self), ends(other));
                mine != theirs && !mine.is_disjoint(&theirs)
            }
            _ => false,
        }
    }
}

impl Piece {
    fn of(row: &Value) -> Self {
        Self {
            claim: text(&row[0]),
            cluster: text(&row[1]),
            polarity: text(&row[2]),
            weight: row[3].as_f64().unwrap(),
            live: row[4] == 1,
        }
    }
}
