"""The batch APIs of OpenAI and Anthropic: half the price, an answer within a day.

    tickets = await submit(judge, {"case-1": prompt, …})   # store them: plain JSON
    progress = await poll(judge, ticket)                   # in this process or, later, another
    results = await collect(judge, ticket)                 # {"case-1": Reply | ProviderError, …}

A ticket is all that is needed to go on after a restart.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import aiohttp

from oyer.errors import ProviderError, UsageError
from oyer.judges.http import Response
from oyer.judges.http_errors import clip, complaint, judged
from oyer.judges.limits import backoff
from oyer.judges.server import Account, ServerJudge, understood
from oyer.judges.wire import Call, Fault, Outcome, as_int, as_map, as_maps, as_text
from oyer.types import Judge, Prompt, Reply

MOST_REQUESTS = 5_000  # per batch; both services take more, but results are read in one piece
MOST_BYTES = 90 * 1024 * 1024  # OpenAI takes files up to 200 MB, Anthropic 256 MB
LARGEST_RESULTS = 1024 * 1024 * 1024
NEVER = ("failed", "expired", "cancelled", "cancelling")
PREFIX = "q"  # a request's own id is its position: a case's id may hold anything


@dataclass(frozen=True, slots=True)
class Ticket:
    """A batch that was handed in. `as_json` is a plain record for a store."""

    judge: str
    batch: str  # the provider's id
    ids: tuple[str, ...]  # the caller's, in the order of the requests
    structured: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"ids": list(self.ids)}

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Ticket:
        return Ticket(
            str(record["judge"]),
            str(record["batch"]),
            tuple(map(str, record["ids"])),
            bool(record.get("structured", False)),
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is."""

    state: Literal["running", "ended", "failed"]
    done: int = 0
    total: int = 0
    message: str = ""


Result = Reply | ProviderError


def batchable(judge: Judge) -> ServerJudge:
    """The judge, if its provider has a batch API; `UsageError` otherwise."""
    if isinstance(judge, ServerJudge) and judge.endpoint.wire.provider in ("openai", "anthropic"):
        return judge
    raise UsageError(f"judge '{judge.name}' has no batch API: only openai and anthropic have one")


async def submit(judge: Judge, prompts: Mapping[str, Prompt], label: str = "") -> list[Ticket]:
    """Hand in questions, in as many batches as their limits ask for.

    With a `label` (unique to these questions) an OpenAI batch that was handed in just before a
    crash is found again instead of being paid for twice. Anthropic's API offers no such mark.
    """
    server = batchable(judge)
    tickets = []
    for number, (ids, bodies) in enumerate(_portions(server, prompts)):
        mark = f"{label}-{number}" if label else ""
        openai = server.endpoint.wire.provider == "openai"
        batch = await (
            _to_openai(server, bodies, mark) if openai else _to_anthropic(server, bodies)
        )
        structured = "schema" in server.features and prompts[ids[0]].schema is not None
        tickets.append(Ticket(server.name, batch, ids, structured))
    return tickets


def _portions(
    judge: ServerJudge, prompts: Mapping[str, Prompt]
) -> Iterator[tuple[tuple[str, ...], list[bytes]]]:
    """Requests in portions that one batch holds."""
    ids: list[str] = []
    bodies: list[bytes] = []
    size = 0
    for name, prompt in prompts.items():
        call = Call(judge.endpoint.model, prompt, judge.options, judge.features, judge.room)
        body = json.dumps(judge.endpoint.wire.body(call), ensure_ascii=False).encode()
        if ids and (len(ids) == MOST_REQUESTS or size + len(body) > MOST_BYTES):
            yield tuple(ids), bodies
            ids, bodies, size = [], [], 0
        ids.append(name)
        bodies.append(body)
        size += len(body)
    if ids:
        yield tuple(ids), bodies


async def _to_openai(judge: ServerJudge, bodies: list[bytes], mark: str) -> str:
    """Upload the requests as a file, then make a batch of it."""
    if mark and (found := await _marked(judge, mark)):
        return found
    path = f"/v1/{judge.endpoint.wire.path(judge.endpoint.model)}"
    lines = [
        b'{"custom_id":"%s%d","method":"POST","url":"%s","body":%s}'
        % (PREFIX.encode(), number, path.encode(), body)
        for number, body in enumerate(bodies)
    ]
    form = aiohttp.FormData()
    form.add_field("purpose", "batch")
    name, kind = "oyer.jsonl", "application/jsonl"
    form.add_field("file", b"\n".join(lines), filename=name, content_type=kind)
    file = await _object(judge, "files", form)
    wanted: dict[str, Any] = {
        "input_file_id": file.get("id"),
        "endpoint": path,
        "completion_window": "24h",
    }
    if mark:
        wanted["metadata"] = {"oyer": mark}
    return _id(judge, await _object(judge, "batches", json.dumps(wanted).encode()))


async def _marked(judge: ServerJudge, mark: str) -> str | None:
    """A batch with our mark that is under way or done."""
    listed = await _object(judge, "batches?limit=100")
    for batch in as_maps(listed.get("data")):
        ours = as_map(batch.get("metadata")).get("oyer") == mark
        if ours and batch.get("status") not in NEVER:
            return _id(judge, batch)
    return None


async def _to_anthropic(judge: ServerJudge, bodies: list[bytes]) -> str:
    rows = [
        b'{"custom_id":"%s%d","params":%s}' % (PREFIX.encode(), number, body)
        for number, body in enumerate(bodies)
    ]
    wanted = b'{"requests":[%s]}' % b",".join(rows)
    return _id(judge, await _object(judge, "messages/batches", wanted))


async def poll(judge: Judge, ticket: Ticket) -> Progress:
    """How far it is, asked once."""
    server = batchable(judge)
    openai = server.endpoint.wire.provider == "openai"
    total = len(ticket.ids)
    shown = await _object(server, _path(server, ticket))
    counts = as_map(shown.get("request_counts"))
    if not openai:
        ended = shown.get("processing_status") == "ended"
        done = total - as_int(counts.get("processing"))
        return Progress("ended" if ended else "running", done, total)
    status = as_text(shown.get("status"))
    done = as_int(counts.get("completed")) + as_int(counts.get("failed"))
    if status == "failed":
        faults = as_maps(as_map(shown.get("errors")).get("data"))
        told = clip("; ".join(as_text(fault.get("message")) for fault in faults))
        return Progress("failed", done, total, server.endpoint.hide(told or "no reason given"))
    over = status in ("completed", "expired", "cancelled")
    return Progress("ended" if over else "running", done, total)


async def collect(judge: Judge, ticket: Ticket) -> dict[str, Result]:
    """The results of a batch that has ended, for every id: a reply, or why there is none."""
    server = batchable(judge)
    results: dict[str, Result] = {}
    async for custom, outcome in _outcomes(server, ticket):
        number = custom.removeprefix(PREFIX)
        if number.isdigit() and int(number) < len(ticket.ids):
            results[ticket.ids[int(number)]] = _settled(server, ticket, outcome)
    missing = Fault("the batch ended without a result for this question")
    return {
        name: results[name] if name in results else _settled(server, ticket, missing)
        for name in ticket.ids
    }


async def wait(judge: Judge, ticket: Ticket, *, every: float = 60.0) -> dict[str, Result]:
    """Look every so often until the batch has ended, then collect."""
    while True:
        progress = await poll(judge, ticket)
        if progress.state == "failed":
            raise ProviderError(f"{judge.name}: batch {ticket.batch} failed: {progress.message}")
        if progress.state == "ended":
            return await collect(judge, ticket)
        await asyncio.sleep(every)


def _settled(judge: ServerJudge, ticket: Ticket, outcome: Outcome) -> Result:
    account = Account(judge.endpoint.price, batch=True)
    account.add(outcome, 0.0)
    try:
        reply = judge.conclude(outcome, account, None, judge.features)
    except ProviderError as error:
        return error
    about = {**reply.about, "batch": ticket.batch, "structured": ticket.structured}
    return replace(reply, about=about)


async def _outcomes(judge: ServerJudge, ticket: Ticket) -> AsyncIterator[tuple[str, Outcome]]:
    """Each request's own id and outcome, in whatever order the provider lists them."""
    if judge.endpoint.wire.provider == "anthropic":
        # Not `results_url`: the key goes only where the user sent it.
        for row in _rows(await _fetch(judge, f"{_path(judge, ticket)}/results")):
            yield as_text(row.get("custom_id")), _from_anthropic(judge, as_map(row.get("result")))
        return
    shown = await _object(judge, _path(judge, ticket))
    for key in ("output_file_id", "error_file_id"):
        if file := as_text(shown.get(key)):
            for row in _rows(await _fetch(judge, f"files/{file}/content")):
                yield as_text(row.get("custom_id")), _from_openai(judge, row)


def _from_openai(judge: ServerJudge, row: Mapping[str, Any]) -> Outcome:
    response = as_map(row.get("response"))
    if not response:
        said = as_map(row.get("error"))
        return Fault(f"{as_text(said.get('code'))}: {clip(as_text(said.get('message')))}")
    raw = json.dumps(response.get("body")).encode()
    return understood(Response(as_int(response.get("status_code")), {}, raw), judge.endpoint.wire)


def _from_anthropic(judge: ServerJudge, result: Mapping[str, Any]) -> Outcome:
    kind = as_text(result.get("type"))
    if kind == "succeeded":
        raw = json.dumps(result.get("message")).encode()
        return understood(Response(200, {}, raw), judge.endpoint.wire)
    said = complaint(as_map(result.get("error"))).message
    return Fault(f"the batch's request was {kind or 'lost'}{f': {clip(said)}' if said else ''}")


def _rows(body: bytes) -> Iterator[Mapping[str, Any]]:
    for line in body.splitlines():
        if line.strip():
            try:
                yield as_map(json.loads(line))
            except ValueError:
                continue  # its question is then reported as without a result


def _path(judge: ServerJudge, ticket: Ticket) -> str:
    openai = judge.endpoint.wire.provider == "openai"
    return f"batches/{ticket.batch}" if openai else f"messages/batches/{ticket.batch}"


def _id(judge: ServerJudge, shown: Mapping[str, Any]) -> str:
    name = as_text(shown.get("id"))
    if not name or not name.replace("-", "").replace("_", "").isalnum():
        raise ProviderError(f"{judge.name}: the server gave the batch no usable id")
    return name


async def _object(
    judge: ServerJudge, path: str, data: bytes | aiohttp.FormData | None = None
) -> Mapping[str, Any]:
    return as_map(_parsed(await _fetch(judge, path, data)))


def _parsed(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError:
        return None


async def _fetch(
    judge: ServerJudge, path: str, data: bytes | aiohttp.FormData | None = None
) -> bytes:
    """GET (tried again when that can help) or POST (not when it may have arrived)."""
    kind = "application/json" if isinstance(data, bytes) else ""
    method = "GET" if data is None else "POST"
    request = replace(judge.request(path, method, kind), largest=LARGEST_RESULTS)
    attempt = 0
    while True:
        attempt += 1
        response = await judge.network.send(request, data)
        if isinstance(response, Response):
            if response.status == 200:
                return response.body
            response_json = response.json()
            fault = judged(response.status, response.headers, response_json, response.body)
        else:
            fault = response
        again = isinstance(fault, Fault) and fault.again and not (data and fault.billed)
        if not again or attempt > judge.options.retries or isinstance(data, aiohttp.FormData):
            outcome = fault if isinstance(fault, Fault) else Fault(fault.reason)
            judge.conclude(outcome, Account(None), None, judge.features)
        await asyncio.sleep(backoff(attempt, base=judge.options.pause))
