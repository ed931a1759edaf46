"""What the scenarios share: an agent by the `mcp` package of PyPI, and the person at the command line."""

import json
import sqlite3
import subprocess
import sys
from contextlib import asynccontextmanager, closing

import mcp

UMEM, DATA = sys.argv[1:3]


def person(*words):
    """What the person does: the answer of a verb of `umem`."""
    done = subprocess.run([UMEM, "--data", DATA, "--json", *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return json.loads(done.stdout)


def told(*words):
    """The same as a person reads it."""
    done = subprocess.run([UMEM, "--data", DATA, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def field(thing, name):
    """An attribute by its name in Python, or by its name in JSON, as older versions have it."""
    if hasattr(thing, name):
        return getattr(thing, name)
    first, *rest = name.split("_")
    return getattr(thing, first + "".join(word.capitalize() for word in rest))


@asynccontextmanager
async def agent(profile="default"):
    """The agent, shown that profile of tools."""
    server = mcp.StdioServerParameters(command=UMEM, args=["--data", DATA, "mcp", "--profile", profile])
    if hasattr(mcp, "Client"):
        async with mcp.Client(server) as client:
            yield client
    else:
        async with mcp.stdio_client(server) as (read, write):
            async with mcp.ClientSession(read, write) as session:
                await session.initialize()
                yield session


async def call(client, name, /, **arguments):
    result = await client.call_tool(name, arguments)
    assert not field(result, "is_error"), (name, result.content[0].text)
    return field(result, "structured_content")


async def refused(client, code, name, /, **arguments):
    """That a call is refused with that code."""
    result = await client.call_tool(name, arguments)
    assert field(result, "is_error") is True, (name, result)
    words = result.content[0].text
    assert code in words, (name, words)
    return words


def rows(sql, *values):
    """What the database of a service that is stopped holds, as whoever gets at the disk reads it."""
    with closing(sqlite3.connect(f"file:{DATA}/memory.db?mode=rw", uri=True)) as database:
        return database.execute(sql, values).fetchall()


def broken(sql, *values):
    """That the database itself refuses a statement, whoever makes it. Gives its words."""
    with closing(sqlite3.connect(f"file:{DATA}/memory.db?mode=rw", uri=True)) as database:
        try:
            touched = database.execute(sql, values).rowcount
        except sqlite3.IntegrityError as error:
            return str(error)
    raise AssertionError(f"{sql} was carried out on {touched} rows")
