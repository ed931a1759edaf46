"""The document of versioned entries, over the socket: levels, sessions, entries of each type in versions, conflicts, tags, locks.

usage: versioned_entries.py UMEM DATA_FOLDER
"""

import asyncio
import json

from talk import agent, call, person, refused

CATEGORIES = {
    "tool": ["mcp", "cli", "function", "api"],
    "guideline": ["code_style", "behavior", "security", "performance", "error_handling", "logging"],
    "knowledge": ["decision", "fact", "context", "reference"],
}
BODIES = {
    "tool": {
        "description": "Runs the tests.",
        "parameters": {"required": ["path"], "optional": ["filter"], "schema": {"type": "object"}},
        "examples": [{"description": "all of them", "input": "test .", "output": "ok"}],
        "constraints": "Takes a minute.",
    },
    "guideline": {
        "content": "Use tabs.",
        "rationale": "So we agreed.",
        "examples": {"good": ["\tx"], "bad": ["    x"]},
    },
    "knowledge": {
        "content": "The harbour opens in May.",
        "source": "the minutes of March",
        "confidence": 0.8,
        "valid_until": 1900000000000,
    },
}
PREDEFINED = (
    "python typescript javascript rust go java sql bash markdown "
    "web cli api database ml devops security testing documentation "
    "deprecated experimental stable required optional"
).split()


async def entries(client):
    """Each type with all fields of its body and each of its categories; versions with reasons, and what changed."""
    for of, body in BODIES.items():
        for category in CATEGORIES[of]:
            place = {"space": "project:Apollo", "entry_type": of, "name": f"{of} {category}"}
            saved = await call(client, "entry_save", **place, body=body, category=category, priority=70)
            entry = saved["entry"]
            assert saved["created"] and entry["version"]["number"] == 1 and entry["is_active"], saved
            assert entry["version"]["body"] == body and entry["category"] == category and entry["priority"] == 70, entry
            assert entry["version"]["author"] == "mcp" and entry["version"]["conflict_flag"] is False, entry
        for other in CATEGORIES:
            if other != of:
                wrong = {"space": "Apollo", "entry_type": of, "name": "x", "body": body, "category": CATEGORIES[other][0]}
                await refused(client, "invalid_request", "entry_save", **wrong)
    default = await call(client, "entry_save", space="Apollo", entry_type="tool", name="plain", body={"description": "x"})
    assert default["entry"]["priority"] == 50, default
    for priority, fits in [(0, True), (100, True), (101, False)]:
        asked = {"space": "Apollo", "entry_type": "guideline", "name": f"p{priority}", "body": {"content": "x"}}
        if fits:
            await call(client, "entry_save", **asked, priority=priority)
        else:
            await refused(client, "invalid_request", "entry_save", **asked, priority=priority)
    await refused(client, "invalid_request", "entry_save", entry_type="guideline", name="x", body={"rationale": "y"})
    await refused(
        client, "invalid_request", "entry_save", entry_type="knowledge", name="x", body={"content": "y", "confidence": 2}
    )


async def versions(client):
    """Append-only versions with a current one, told as conflicts where they were written at once, and decided between."""
    place = {"space": "Apollo", "entry_type": "guideline", "name": "Indentation"}
    first = (await call(client, "entry_save", **place, body={"content": "Tabs."}))["entry"]
    seen = await call(
        client, "entry_save", **place, body={"content": "Spaces."}, change_reason="The team voted.", base_version=1
    )
    assert seen["entry"]["id"] == first["id"] and seen["entry"]["version"]["number"] == 2, seen
    assert "conflict" not in seen, "whoever saw the last version writes on purpose"
    again = await call(
        client, "entry_save", **place, body={"content": "Spaces."}, change_reason="The team voted.", base_version=2
    )
    assert again["created"] is False, "one of a type and name, and a repeated call is no version"
    blind = await call(client, "entry_save", **place, body={"content": "Both."})
    assert blind["conflict"] and blind["entry"]["version"]["conflict_flag"], "within five seconds"
    listed = await call(client, "clashes_list", space="Apollo")
    clash = listed["clashes"][0]
    assert (clash["a"]["number"], clash["b"]["number"], clash.get("outcome")) == (2, 3, None), clash
    await refused(client, "forbidden", "clash_resolve", clash=clash["id"], outcome="keep_a")
    note = "Ana: spaces."
    decided = await call(client, "clash_resolve", clash=clash["id"], outcome="keep_a", note=note)
    assert decided["outcome"] == "keep_a" and decided["note"] == note and decided["resolved_by"], decided
    current = await call(client, "entry_get", **place)
    assert current["entry"]["version"]["body"] == {"content": "Spaces."}, current
    history = await call(client, "versions_list", item_type="entry", id=first["id"])
    assert [one["number"] for one in history["versions"]] == [4, 3, 2, 1] and history["total"] == 4, history
    assert history["versions"][2]["change_reason"] == "The team voted.", history
    changed = await call(client, "versions_diff", item_type="entry", id=first["id"], **{"from": 1, "to": 2})
    assert [(line["side"], line["text"]) for line in changed["fields"][0]["lines"]] == [
        ("from", "Tabs."),
        ("to", "Spaces."),
    ], changed
    old = await call(client, "entry_get", id=first["id"], version=1)
    assert old["entry"]["version"]["body"] == {"content": "Tabs."}, "nothing rewrites it"
    # Out of use, and in use again.
    assert (await call(client, "entry_disable", id=first["id"]))["is_active"] is False
    await refused(client, "not_found", "entry_get", **place)
    assert (await call(client, "entry_get", **place, inactive=True))["entry"]["id"] == first["id"]
    assert (await call(client, "entry_enable", id=first["id"]))["is_active"] is True


async def levels(client):
    """Session before project before organization before GLOBAL."""
    begun = await call(client, "session_begin", space="Apollo", name="Pier", purpose="Mend the pier", metadata={"run": 7})
    session = begun["session"]["id"]
    assert begun["session"]["status"] == "active" and begun["session"]["agent"] == "mcp", begun
    rule = {"entry_type": "guideline", "name": "Commits"}
    for space, says in [("global", "GLOBAL"), ("organization:Acme", "organization"), ("project:Apollo", "project")]:
        person("entry", "save", "guideline", "Commits", says, "--space", space)
    await call(client, "entry_save", **rule, session=session, body={"content": "session"})
    alone = await call(client, "entry_get", **rule, session=session)
    assert alone["entry"]["version"]["body"]["content"] == "session" and "overrides" not in alone, alone
    every = await call(client, "entry_get", **rule, session=session, all_levels=True)
    told = [one["version"]["body"]["content"] for one in [every["entry"], *every["overrides"]]]
    assert told == ["session", "project", "organization", "GLOBAL"], told
    listed = await call(client, "entries_list", session=session, entry_type="guideline", limit=200)
    assert [one["version"]["body"]["content"] for one in listed["entries"] if one["name"] == "Commits"] == ["session"]
    await refused(client, "forbidden", "entry_save", space="global", **rule, body={"content": "mine"})
    for status in ("paused", "active"):
        assert (await call(client, "session_set", session=session, status=status))["status"] == status
    ended = await call(client, "session_end", session=session)
    assert ended["session"]["status"] == "completed" and ended["session"]["ended_at"], ended
    await refused(client, "conflict", "session_set", session=session, status="active")
    given_up = (await call(client, "session_begin", space="Apollo"))["session"]["id"]
    assert (await call(client, "session_discard", session=given_up))["status"] == "discarded"
    statuses = {one["status"] for one in (await call(client, "sessions_list", space="Apollo"))["sessions"]}
    assert statuses == {"completed", "discarded"}, statuses


async def tags_and_locks(client):
    """Predefined and custom tags on entries and spaces; a file that is held, let go, and taken away."""
    listed = (await call(client, "tags_list", space="Apollo"))["tags"]
    known = {tag["name"]: tag for tag in listed}
    assert all(known[name]["is_predefined"] for name in PREDEFINED), sorted(known)
    assert {known[name]["category"] for name in PREDEFINED} == {"language", "domain", "meta"}
    made = await call(client, "tag_create", space="Apollo", name="Harbour", description="What is about the harbour")
    assert (made["name"], made["category"], made["is_predefined"]) == ("harbour", "custom", False), made
    entry = await call(client, "entry_get", space="Apollo", entry_type="tool", name="plain")
    space = entry["entry"]["space_id"]
    for item_type, item in [("entry", entry["entry"]["id"]), ("space", space)]:
        tagged = await call(client, "tag_attach", item_type=item_type, id=item, tags=["harbour", "rust"])
        assert tagged["tags"] == ["harbour", "rust"], tagged
        again = await call(client, "tag_attach", item_type=item_type, id=item, tags=["rust"])
        assert again["tags"] == ["harbour", "rust"], "once"
        left = await call(client, "tag_detach", item_type=item_type, id=item, tags=["rust"])
        assert left["tags"] == ["harbour"], left
    held = await call(client, "lock_checkout", space="Apollo", path="src/pier.rs", note="planks", ttl_ms=60_000)
    assert held["expires_at"] - held["checked_out_at"] == 60_000 and held["agent"] == "mcp", held
    await call(client, "lock_checkin", lock=held["id"])
    held = await call(client, "lock_checkout", space="Apollo", path="src/pier.rs")
    forced = person("lock", "force", held["id"])
    assert forced["was_forced"] is True and forced["released_at"], forced
    assert (await call(client, "locks_list", space="Apollo"))["locks"] == []


async def main():
    person("space", "create", "Acme", "--type", "organization")
    person("space", "create", "Apollo", "--parent", "Acme")
    person("agents", "pair", "mcp", "--space", "default", "--space", "Acme", "--space", "Acme/Apollo")
    async with agent("all") as client:
        await entries(client)
        await versions(client)
        await levels(client)
        await tags_and_locks(client)
    print(json.dumps({"ok": True}))


asyncio.run(main())
