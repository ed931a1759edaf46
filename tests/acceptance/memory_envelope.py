"""The document of the memory envelope, over the socket: what a memory carries about itself, what never changes of a raw one and how
it leaves, how sure a memory is, and how raw ones become distilled ones.

usage: memory_envelope.py UMEM DATA_FOLDER
"""

import asyncio
import json

from talk import agent, broken, call, person, refused, rows, told

# The document's examples of where something came from.
REFS = ["slack://team/channel/1700000000.1", "gh://owner/repo/pr/7", "file:///home/ana/minutes.md"]
OWNERS = ["user:ana", "agent:scribe"]
RECORD_KINDS = [
    "user_preference",
    "decision",
    "lesson_learned",
    "environment_fact",
    "project_convention",
    "active_project_state",
    "tool_note",
    "other",
]


# How the newest operations and verbs are called stands here alone.


async def remember(client, text, **more):
    """The memory that is kept of a text."""
    return (await call(client, "memory_remember", **{"text": text, "space": "Apollo", **more}))["memory"]


async def got(client, id):
    """A memory by its id."""
    return await call(client, "memory_get", id=id)


async def confirm(client, id, **more):
    """The memory, said to be so still."""
    return await call(client, "memory_confirm", id=id, **more)


async def distill(client, id, **more):
    """The distilled memory that is kept beside a raw one."""
    return (await call(client, "memory_distill", id=id, **more))["memory"]


async def promote(client, event, **more):
    """The memory that is made of an event."""
    return (await call(client, "event_promote", event=event, **more))["memory"]


async def recalled(client, query, **more):
    """The ids of the memories that a question finds by its words; what else is near its meaning depends on the model."""
    person("jobs", "--wait")
    found = await call(client, "memory_recall", **{"query": query, "space": "Apollo", **more})
    return [hit["ids"]["memory"] for hit in found["hits"] if "bm25_rank" in hit["score_parts"]]


async def believed(client, name):
    """The statements of facts on somebody, once all that was kept is read."""
    person("jobs", "--wait")
    return [fact["statement"] for fact in (await call(client, "facts_search", query=name, space="Apollo"))["facts"]]


def person_remembers(text, *flags):
    return person("remember", text, "--space", "Apollo", *flags)["memory"]


async def fields(client):
    """Fields: kind, scope, owner, artifact_ref, session_id, confidence, created; what is not said has its default."""
    plain = await remember(client, "The heron nests on the eastern pier.")
    assert (plain["kind"], plain["layer"], plain["confidence_label"]) == ("distilled", "distilled", "observed"), plain
    assert plain["created_at"] and plain["space_id"] and plain["importance"] == 0.5, plain
    for name in ("owner", "artifact_ref", "session_id", "record_kind", "metadata"):
        assert plain.get(name) is None, plain
    session = (await call(client, "session_begin", space="Apollo"))["session"]["id"]
    for number, (ref, owner) in enumerate(zip(REFS, [*OWNERS, OWNERS[0]])):
        said = {"owner": owner, "artifact_ref": ref, "session": session, "metadata": {"thread": number}}
        kept = await remember(client, f"The heron was seen at lamp {number}.", **said, importance=0.9)
        assert (kept["owner"], kept["artifact_ref"], kept["session_id"]) == (owner, ref, session), kept
        assert kept["metadata"] == {"thread": number} and kept["importance"] == 0.9, kept
        fetched = await got(client, kept["id"])
        assert {name: fetched[name] for name in kept} == kept, "it is what was kept"
    # The scope is a space, or a session in one: NULL is the default project's, the others its name's.
    at = await remember(client, "The heron sleeps at ten.", space=f"session:{session}")
    assert (at["session_id"], at["space_id"]) == (session, plain["space_id"]), at
    for scope in ("project:Apollo", "customer:Apollo", "workspace:Apollo"):
        one = await remember(client, f"The heron is known to {scope}.", space=scope)
        assert one["space_id"] == plain["space_id"], scope
    team = await remember(client, "The heron is everybody's.", space="team:Acme")
    assert team["space_id"] != plain["space_id"], team
    # What the space is filters: what is said of one is not found in the other.
    assert await recalled(client, "Whose is the heron, everybody's?", space="team:Acme") == [team["id"]]
    assert team["id"] not in await recalled(client, "Whose is the heron, everybody's?", space="project:Apollo")
    for wrong in ({"kind": "gossip"}, {"kind": "superseded"}, {"kind": "archived"}, {"importance": 1.5}):
        await refused(client, "invalid_request", "memory_remember", text="The heron is red.", space="Apollo", **wrong)
    await call(client, "session_end", session=session)


async def records(client):
    """What a memory records, beside the envelope: eight kinds, and how much it matters."""
    for number, kind in enumerate(RECORD_KINDS):
        kept = await remember(client, f"Note {number} of the harbour office.", record_kind=kind, importance=number / 10)
        assert (kept["record_kind"], kept["importance"]) == (kind, number / 10), kept
    wrong = {"text": "Note nine of the harbour office.", "space": "Apollo", "record_kind": "gossip"}
    await refused(client, "invalid_request", "memory_remember", **wrong)


async def kinds(client):
    """kind: raw, distilled, superseded, archived; the first two are said, the others become so."""
    raw = await remember(client, "They said the lantern is broken.", kind="raw", artifact_ref=REFS[0], owner=OWNERS[0])
    assert (raw["kind"], raw["layer"]) == ("raw", "raw"), raw
    assert await recalled(client, "What did they say of the lantern?") == [raw["id"]]
    # A raw memory says what was said: no other text takes its place.
    await refused(client, "invalid_request", "memory_remember", text="The bell is new.", space="Apollo", kind="raw", key="bell")
    first = await remember(client, "The bell rings at six.", key="bell")
    second = await remember(client, "The bell rings at seven.", key="bell")
    old = await got(client, first["id"])
    assert (old["kind"], old["status"], old["superseded_by_id"]) == ("superseded", "superseded", second["id"]), old
    assert (second["kind"], second["supersedes_id"]) == ("distilled", first["id"]), second
    assert await recalled(client, "When does the bell ring?") == [second["id"]]
    return raw


async def confidence(client):
    """confidence: verified, observed, inferred, stale; that something is verified only the person says."""
    seen = await remember(client, "The crane lifts nine tons.", confidence_label="observed")
    guessed = await remember(client, "The crane is the largest of the coast.", derived_from=[seen["id"]])
    assert (seen["confidence_label"], guessed["confidence_label"]) == ("observed", "inferred"), (seen, guessed)
    said = await remember(client, "The crane may be sold.", confidence_label="inferred")
    assert said["confidence_label"] == "inferred", said
    claimed = {"text": "The crane is blue.", "space": "Apollo", "confidence_label": "verified"}
    await refused(client, "forbidden", "memory_remember", **claimed)
    await refused(client, "forbidden", "memory_confirm", id=said["id"], label="verified")
    again = await confirm(client, said["id"])
    assert again["confidence_label"] == "observed" and again["last_confirmed_at"], again
    verified = person("confirm", said["id"], "--verified")
    assert verified["confidence_label"] == "verified", verified
    # What the person verified no agent makes less sure.
    assert (await confirm(client, said["id"], label="observed"))["confidence_label"] == "verified"
    await refused(client, "invalid_request", "memory_confirm", id=said["id"], label="gossip")
    # What is stale is so no longer once it is confirmed. After how long it becomes so, a space says; the time passes in Rust.
    old = await remember(client, "The crane was rented.", confidence_label="stale")
    assert old["confidence_label"] == "stale", old
    assert (await confirm(client, old["id"]))["confidence_label"] == "observed"
    person("space", "describe", "Apollo", "--stale-after", "30")


async def raw_only_leaves_by_the_archive(raw):
    """Append-only on raw: the one way out is the archive, which keeps the envelope and the reason, and destroys what was said."""
    removed = ("call", "memory_remove", json.dumps({"id": raw["id"]}))
    assert "conflict" in failed(*removed), "the other ways out are shut"
    person("archive", raw["id"], "--reason", "The retention period is over.")
    assert "invalid_request" in failed("archive", raw["id"], "--reason", "Again.")
    return raw["id"]


def failed(*words):
    """The words of a refusal to the person."""
    try:
        person(*words)
    except AssertionError as refusal:
        return str(refusal)
    raise AssertionError(f"{words} was done")


async def promotion(client):
    """Raw receipts are promoted to distilled ones beside them; only distilled memories reach the graph."""
    text = "Olga Vane works at Quartz Ltd."
    raw = await remember(client, text, kind="raw", owner=OWNERS[0], artifact_ref=REFS[1], record_kind="decision")
    assert await believed(client, "Olga Vane") == [], "what is raw is not believed"
    kept = await distill(client, raw["id"])
    assert kept["id"] != raw["id"] and (kept["kind"], kept["content"]) == ("distilled", text), kept
    for name in ("owner", "artifact_ref", "record_kind"):
        assert kept[name] == raw[name], (name, kept)
    assert kept["derived_from"] == [raw["id"]], kept
    assert any("Quartz" in fact for fact in await believed(client, "Olga Vane"))
    assert (await got(client, raw["id"]))["kind"] == "raw", "it stays as it was"
    assert (await distill(client, raw["id"]))["id"] == kept["id"], "once"
    other = await distill(client, raw["id"], text="Olga Vane is with Quartz Ltd.")
    assert other["id"] not in (raw["id"], kept["id"]) and other["derived_from"] == [raw["id"]], other
    await refused(client, "invalid_request", "memory_distill", id=kept["id"])
    # An event becomes a memory that says which event it is from.
    event = {"kind": "user_message", "content": "The herring comes on Thursdays."}
    id = (await call(client, "events_append", space="Apollo", events=[event]))["events"][0]
    as_said = await promote(client, id, layer="raw")
    assert (as_said["kind"], as_said["content"]) == ("raw", event["content"]), as_said
    assert as_said["source_event_ids"] == [id], as_said
    put = {"text": "Herring: Thursdays.", "title": "Herring", "record_kind": "environment_fact", "importance": 0.7}
    distilled = await promote(client, id, layer="distilled", **put)
    assert (distilled["kind"], distilled["content"], distilled["title"]) == ("distilled", put["text"], "Herring"), distilled
    assert (distilled["record_kind"], distilled["importance"]) == ("environment_fact", 0.7), distilled
    assert distilled["source_event_ids"] == [id], distilled
    await refused(client, "invalid_request", "event_promote", event=id, layer="raw", text="They said otherwise.")


async def surfacing(client):
    """Surfacing: remember takes the envelope, recall --why tells it under each result."""
    flags = ["--kind", "raw", "--owner", OWNERS[1], "--artifact-ref", REFS[2], "--session", "run-7"]
    kept = person_remembers("The ferry carries forty cars.", *flags)
    assert (kept["kind"], kept["owner"], kept["artifact_ref"]) == ("raw", OWNERS[1], REFS[2]), kept
    assert kept["session_id"] == "run-7", kept
    plain = person("remember", "The ferry has a red funnel.", "--scope", "project:Apollo")["memory"]
    assert (plain["kind"], plain["space_id"]) == ("distilled", kept["space_id"]), "where nothing is said"
    for kind in ("superseded", "archived"):
        assert "--kind" in failed("remember", "The ferry is old.", "--space", "Apollo", "--kind", kind), kind
    question = "How many cars does the ferry carry?"
    quiet = person("recall", question, "--space", "Apollo")["hits"][0]
    assert "envelope" not in quiet, quiet
    hit = person("recall", question, "--space", "Apollo", "--why")["hits"][0]
    assert hit["ids"]["memory"] == kept["id"], hit
    said = {"layer": "raw", "owner": OWNERS[1], "artifact_ref": REFS[2], "session_id": "run-7", "confidence_label": "observed"}
    assert {name: hit["envelope"][name] for name in said} == said, hit
    words = told("recall", question, "--space", "Apollo", "--why")
    for word in (OWNERS[1], REFS[2], "run-7", "observed", "raw"):
        assert word in words, words
    found = await call(client, "memory_recall", query=question, space="Apollo", why=True)
    assert found["hits"][0]["envelope"] == hit["envelope"], found


def owner_goes_everywhere():
    """What this enables: everything of an owner is forgotten, raw or not, and does not come in again."""
    count = "SELECT count(*) FROM memories WHERE owner = ? AND is_redacted = 0"
    done = person("forget", "--owner", OWNERS[1], "--everywhere", "--yes")
    assert done["status"] == "done" and done["proof"]["left"] == 0, done
    assert "forgotten" in failed("remember", "The ferry carries forty cars.", "--space", "Apollo")
    return count


def underneath(archived, count):
    """Invariants of the database itself, whoever writes into it. The service is stopped before anybody else opens its database."""
    assert person("stop")["stopped"] is True
    # The archive keeps what the envelope says and why, never what was said.
    kept = rows("SELECT envelope, reason FROM raw_archive WHERE memory_id = ?", archived)
    envelope, reason = json.loads(kept[0][0]), kept[0][1]
    assert reason == "The retention period is over." and envelope["owner"] == OWNERS[0], kept
    assert envelope["artifact_ref"] == REFS[0] and envelope["confidence"] == "observed", envelope
    assert "lantern" not in json.dumps(kept), kept
    left = rows("SELECT status, is_redacted, content FROM memories WHERE id = ?", archived)
    assert left == [("archived", 1, "[REDACTED]")], left
    assert rows(count, OWNERS[1]) == [(0,)] and rows(count, OWNERS[0])[0][0] > 0
    # Append-only on raw: no delete, no replace, no update, no other status.
    raw = "WHERE layer = 'raw' AND status = 'active'"
    assert rows(f"SELECT count(*) FROM memories {raw}")[0][0] >= 2
    for sql in (
        f"DELETE FROM memories {raw}",
        f"INSERT OR REPLACE INTO memories SELECT * FROM memories {raw}",
        f"UPDATE memories SET content = 'They said otherwise.' {raw}",
        f"UPDATE memories SET owner = 'user:bo' {raw}",
        f"UPDATE memories SET status = 'archived' {raw}",
        f"UPDATE memories SET status = 'deleted' {raw}",
    ):
        assert broken(sql), sql
    # Kind enforcement: none, and none that is not known, on the way in and later.
    columns = "id, content, content_hash, scope, valid_from, created_at, space_id, actor_id"
    values = "'n', 'x', 'n', 'fact', 1, 1, space_id, actor_id"
    for layer in ("NULL", "'gossip'"):
        assert broken(f"INSERT INTO memories ({columns}, layer) SELECT {values}, {layer} FROM memories LIMIT 1"), layer
        assert broken(f"UPDATE memories SET layer = {layer} WHERE layer = 'distilled'"), layer
    assert broken("UPDATE memories SET confidence_label = 'gossip' WHERE layer = 'distilled'")
    assert broken("UPDATE memories SET importance = 2 WHERE layer = 'distilled'")
    # Provenance discipline: whatever a memory is made into or checked by lies in a space, as the memory does.
    for table in ("memories", "raw_archive", "memory_derivations", "item_relations", "verification_records"):
        asked = f"SELECT count(*) FROM pragma_table_info('{table}') WHERE name = 'space_id' AND \"notnull\" = 1"
        assert rows(asked) == [(1,)], table


async def main():
    person("space", "create", "Acme", "--type", "organization")
    person("space", "create", "Apollo", "--parent", "Acme")
    person("agents", "pair", "mcp", "--space", "default", "--space", "Acme", "--space", "Acme/Apollo")
    async with agent("all") as client:
        await fields(client)
        await records(client)
        raw = await kinds(client)
        await confidence(client)
        archived = await raw_only_leaves_by_the_archive(raw)
        assert archived not in await recalled(client, "What did they say of the lantern?"), "it is found no more"
        await promotion(client)
        await surfacing(client)
    underneath(archived, owner_goes_everywhere())
    print(json.dumps({"ok": True}))


asyncio.run(main())
