"""The document of continuity, over the socket: what was said and done is kept as it was, what is in hand is written down, the next
session is told, and what was marked to be remembered waits for the person.

usage: continuity.py UMEM DATA_FOLDER
"""

import asyncio
import json

from talk import agent, call, person, refused

KINDS = [
    "assistant_message",
    "explicit_memory",
    "file_edit",
    "system_event",
    "tool_call",
    "tool_result",
    "user_message",
]


async def first(client):
    """A session that works, and ends."""
    person("rule", "set", "pier", "Never work on the pier alone.", "--authority", "90")
    await call(client, "entry_save", entry_type="guideline", name="Planks", body={"content": "Planks are oak."})
    begun = await call(client, "session_begin", purpose="Mend the pier", client_ref="run-1")
    session, briefing = begun["session"]["id"], begun["briefing"]
    assert begun["resumed"] is False and "state" not in begun, begun
    for words in ("Never work on the pier alone.", "Planks are oak."):
        assert words in briefing["full_text"], briefing["full_text"]
    assert briefing["estimated_tokens"] <= briefing["budget_tokens"] == 1200, briefing
    events = [{"kind": kind, "content": f"A {kind} about the jetty.", "metadata": {"n": 1}} for kind in KINDS]
    ids = (await call(client, "events_append", session=session, events=events))["events"]
    assert len(set(ids)) == len(KINDS), ids
    for kind in KINDS:
        found = await call(client, "events_list", session=session, kinds=[kind], text="jetty")
        assert [one["content"] for one in found["events"]] == [f"A {kind} about the jetty."], found
    await refused(client, "empty", "events_append", session=session, events=[])
    goal = {"current_goal": "Find the crack", "summary": "Half of it is looked at.", "working_set": ["pier/plank.rs"]}
    state = await call(client, "state_set", session=session, source_event_ids=ids[:2], **goal)
    assert {name: state[name] for name in goal} == goal and state["status"] == "active", state
    for status in ("blocked", "active"):
        assert (await call(client, "state_set", session=session, status=status))["status"] == status
    told = await call(client, "events_list", session=session, kinds=["system_event"])
    snapshots = [one for one in told["events"] if one["metadata"].get("about") == state["id"]]
    assert len(snapshots) == 3, "each writing leaves an event"
    again = await call(client, "session_begin", client_ref="run-1")
    assert again["resumed"] and again["session"]["id"] == session, again
    assert again["state"]["current_goal"] == "Find the crack", again
    assert "Find the crack" in again["briefing"]["full_text"], again["briefing"]["full_text"]
    said = "Done.\n- Remember: the ferry leaves at noon.\n- Decision: planks stay oak.\n- Lesson learned: measure twice."
    ended = await call(
        client,
        "session_end",
        session=session,
        summary="The third plank is cracked.",
        transcript=[{"kind": "assistant_message", "content": said}],
    )
    assert len(ended["held"]) == 3, ended
    return session, ids


async def second(client, session):
    """What the person decides, and what the next session is told."""
    assert (await call(client, "memory_recall", query="When does the ferry leave?"))["hits"] == []
    held = person("held", "list")["held"]
    assert [one["says"] for one in held] == ["the ferry leaves at noon.", "planks stay oak.", "measure twice."], held
    kept = person("held", "accept", held[0]["id"])
    person("held", "dismiss", held[1]["id"])
    found = await call(client, "memory_recall", query="When does the ferry leave?")
    assert found["hits"][0]["ids"]["memory"] == kept["item_id"], found
    begun = await call(client, "session_begin", client_ref="run-2")
    assert "The third plank is cracked." in begun["briefing"]["full_text"], begun["briefing"]["full_text"]
    detail = await call(client, "session_get", session=session)
    assert detail["state"]["status"] == "complete" and detail["session"]["status"] == "completed", detail
    gone = begun["session"]["id"]
    await call(client, "state_set", session=gone, current_goal="Paint it green")
    await call(client, "session_discard", session=gone)
    detail = await call(client, "session_get", session=gone)
    assert "state" not in detail and detail["session"]["status"] == "discarded", detail


async def main():
    person("agents", "pair", "mcp")
    async with agent("all") as client:
        session, _ = await first(client)
        await second(client, session)
    print(json.dumps({"ok": True}))


asyncio.run(main())
