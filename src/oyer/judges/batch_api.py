"""Batch APIs: half the price, an answer within a day. `Wire.batch` says how a provider's is asked.

    tickets = await submit(judge, {"case-1": prompt, …})   # store them: plain JSON
    progress = await poll(judge, ticket)                   # in this process or, later, another
    results = await collect(judge, ticket)                 # {"case-1": Reply | ProviderError, …}

A ticket is all that is needed to go on after a restart.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from aiohttp import FormData

from oyer.errors import ProviderError, UsageError
from oyer.judges.http import Response
from oyer.judges.http_errors import classify
from oyer.judges.limits import backoff
from oyer.judges.registry import find_provider, provider_names
from oyer.judges.server import Account, ServerJudge, understood
from oyer.judges.wire import (
    BATCH_PREFIX,
    BatchApi,
    BatchProgress,
    Call,
    Fault,
    Outcome,
    as_map,
    as_text,
    encode_body,
)
from oyer.types import JsonObject, Judge, Prompt, Reply

MOST_REQUESTS = 5_000  # per batch; both services take more, but results are read in one piece
MOST_BYTES = 90 * 1024 * 1024  # OpenAI takes files up to 200 MB, Anthropic 256 MB
LARGEST_RESULTS = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Ticket:
    """A batch that was handed in. `as_json` is a plain record for a store."""

    judge: str
    batch: str  # the provider's id
    ids: tuple[str, ...]  # the caller's, in the order of the requests
    structured: bool = False

    def as_json(self) -> dict[str, object]:
        return asdict(self) | {"ids": list(self.ids)}

    @staticmethod
    def from_json(record: JsonObject) -> Ticket:
        return Ticket(
            str(record["judge"]),
            str(record["batch"]),
            tuple(map(str, record["ids"])),
            bool(record.get("structured", False)),
        )


Result = Reply | ProviderError


def batchable(judge: Judge) -> tuple[ServerJudge, BatchApi]:
    """The judge and its provider's batch API; `UsageError` if there is none."""
    if isinstance(judge, ServerJudge) and (api := judge.endpoint.wire.batch):
        return judge, api
    having = [n for n in provider_names() if (w := find_provider(n).wire) and w.batch]
    raise UsageError(f"judge '{judge.name}' has no batch API: only {' and '.join(having)} have one")


async def submit(judge: Judge, prompts: Mapping[str, Prompt], label: str = "") -> list[Ticket]:
    """Hand in questions, in as many batches as their limits ask for.

    With a `label` (unique to these questions) an OpenAI batch that was handed in just before a
    crash is found again instead of being paid for twice. Anthropic's API offers no such mark.
    """
    server, api = batchable(judge)
    client = BatchClient(server)
    tickets = []
    for number, (ids, bodies) in enumerate(_portions(server, prompts)):
        mark = f"{label}-{number}" if label else ""
        batch = await api.submit(client, bodies, mark)
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
        body = encode_body(judge.endpoint.wire.body(call))
        if ids and (len(ids) == MOST_REQUESTS or size + len(body) > MOST_BYTES):
            yield tuple(ids), bodies
            ids, bodies, size = [], [], 0
        ids.append(name)
        bodies.append(body)
        size += len(body)
    if ids:
        yield tuple(ids), bodies


async def poll(judge: Judge, ticket: Ticket) -> BatchProgress:
    """How far it is, asked once."""
    server, api = batchable(judge)
    shown = await BatchClient(server).object(api.path(ticket.batch))
    progress = api.progress(shown, len(ticket.ids))
    return replace(progress, message=server.endpoint.hide(progress.message))


async def collect(judge: Judge, ticket: Ticket) -> dict[str, Result]:
    """The results of a batch that has ended, for every id: a reply, or why there is none."""
    server, api = batchable(judge)
    results: dict[str, Result] = {}
    async for custom, outcome in api.outcomes(BatchClient(server), ticket.batch):
        number = custom.removeprefix(BATCH_PREFIX)
        if number.isdigit() and int(number) < len(ticket.ids):
            results[ticket.ids[int(number)]] = _settle(server, ticket, outcome)
    missing = Fault("the batch ended without a result for this question")
    return {
        name: results[name] if name in results else _settle(server, ticket, missing)
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


def _settle(judge: ServerJudge, ticket: Ticket, outcome: Outcome) -> Result:
    account = Account(judge.endpoint.price, batch=True)
    account.add(outcome, 0.0)
    try:
        reply = judge.conclude(outcome, account, None, judge.features)
    except ProviderError as error:
        return error
    about = {**reply.about, "batch": ticket.batch, "structured": ticket.structured}
    return replace(reply, about=about)


@dataclass(frozen=True, slots=True)
class BatchClient:
    """What a provider's batch API is asked through: the judge's server, with its key."""

    judge: ServerJudge

    @property
    def question_path(self) -> str:
        """Where a single question would go."""
        return self.judge.endpoint.wire.path(self.judge.endpoint.model)

    def batch_id(self, shown: JsonObject) -> str:
        """The id of a batch that was shown; it becomes part of an address."""
        name = as_text(shown.get("id"))
        if not name or not name.replace("-", "").replace("_", "").isalnum():
            raise ProviderError(f"{self.judge.name}: the server gave the batch no usable id")
        return name

    def understand(self, status: int, body: object) -> Outcome:
        """One question's answer, as if it had been asked alone."""
        raw = json.dumps(body).encode()
        return understood(Response(status, {}, raw), self.judge.endpoint.wire)

    async def object(self, path: str, data: bytes | FormData | None = None) -> JsonObject:
        """A JSON object from the server; an empty one for anything else."""
        try:
            return as_map(json.loads(await self.fetch(path, data)))
        except (ValueError, RecursionError):
            return {}

    async def rows(self, path: str) -> list[JsonObject]:
        """JSON Lines from the server. A line that is none is a question without a result."""
        rows = []
        for line in (await self.fetch(path)).splitlines():
            try:
                rows.append(as_map(json.loads(line)))
            except (ValueError, RecursionError):
                continue
        return rows

    async def fetch(self, path: str, data: bytes | FormData | None = None) -> bytes:
        """GET (tried again when that can help) or POST (not when it may have arrived)."""
        judge = self.judge
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
                payload = response.json()
                fault = classify(response.status, response.headers, payload, response.body)
            else:
                fault = response
            again = isinstance(fault, Fault) and fault.again and not (data and fault.billed)
            if not again or attempt > judge.options.retries or isinstance(data, FormData):
                outcome = fault if isinstance(fault, Fault) else Fault(fault.reason)
                judge.conclude(outcome, Account(None), None, judge.features)
            await asyncio.sleep(backoff(attempt, base=judge.options.pause))
