"""A judge behind HTTP: asks, waits its turn, tries again, keeps accounts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from yarl import URL

from oyer.errors import ProviderError, UnscoredKind, UsageError
from oyer.judges.addresses import check_variable
from oyer.judges.fallback import culprit
from oyer.judges.http import Network, Request, Response
from oyer.judges.http_errors import classify, clip, error_inside
from oyer.judges.limits import Bucket, Gate, backoff
from oyer.judges.names import JudgeName
from oyer.judges.options import Options
from oyer.judges.prices import FREE, Price, find_price
from oyer.judges.registry import Opening, keys_of_host
from oyer.judges.secrets import Secret, find_key, refuse_placeholder
from oyer.judges.wire import (
    Call,
    Fault,
    Features,
    Outcome,
    Refusal,
    TokenCount,
    Wire,
    WireAnswer,
    encode_body,
    unusable,
)
from oyer.types import Judge, Prompt, Reply, Usage

log = logging.getLogger("oyer.judges")

NOTHING = Usage()
ROOM = 4  # times the bound, for a model that could not end within it
LONGEST_WAIT = 120.0  # a server that asks for more is not worth waiting for within one call


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a judge is asked, in which format, with which key."""

    name: str
    model: str
    wire: Wire
    base: str
    key: Secret | None
    price: Price | None

    def url(self, path: str) -> URL:
        return URL(f"{self.base}/{path}", encoded=True)

    def hide(self, text: str) -> str:
        return self.key.hide(text) if self.key else text


@dataclass(slots=True)
class Account:
    """What one question cost so far, over all its attempts."""

    price: Price | None
    batch: bool = False  # asked through a batch API, at its price
    usage: Usage = NOTHING
    sent: int = 0  # requests
    faults: list[str] = field(default_factory=list)
    retries: int = 0
    throttles: int = 0  # how often the server said 429
    waited: float = 0.0  # seconds for a server that said 429
    lost: int = 0  # calls that may have been billed without saying how much
    in_flight: bool = False  # a request was sent and has no answer yet

    def add(self, outcome: Outcome, seconds: float) -> None:
        tokens = outcome.tokens
        billed = not isinstance(outcome, Fault) or outcome.billed
        counted = tokens.input > 0 or tokens.output > 0
        cost: float | None = 0.0
        if isinstance(outcome, Fault):
            self.faults.append(outcome.message)
            self.lost += int(billed and not counted)
        if counted or not isinstance(outcome, Fault) or (billed and self.price is None):
            cost = self._cost(tokens, counted)
        self.usage += Usage(tokens.input, tokens.output, cost, int(billed), seconds)

    def _cost(self, tokens: TokenCount, counted: bool) -> float | None:
        """The provider's own figure, else the table's; a call without a count: unknown."""
        if tokens.cost is not None or self.price is None:
            return tokens.cost
        if counted or self.price is FREE:
            return self.price.cost(tokens, batch=self.batch)
        return None


class ServerJudge(Judge):
    """One model on one server. Its gate, buckets and what the server takes are its own."""

    def __init__(self, endpoint: Endpoint, network: Network, options: Options) -> None:
        self.endpoint = endpoint
        self.network = network
        self.options = options
        self.features: Features = endpoint.wire.features
        self.room = 1  # times a prompt's own bound, learnt from replies that were cut
        self._cramped = endpoint.wire.roomy and options.max_tokens is None
        self.gate = Gate(options.in_flight)
        self._requests = _bucket(options.requests_per_minute, f"{endpoint.name} requests")
        self._tokens = _bucket(options.tokens_per_minute, f"{endpoint.name} tokens")
        self._question = self.request(endpoint.wire.path(endpoint.model))

    @property
    def name(self) -> str:
        return self.endpoint.name

    async def ask(self, prompt: Prompt) -> Reply:
        """Put the question; `ProviderError` (refused or provider) when there is no answer."""
        account = Account(self.endpoint.price)
        try:
            async with asyncio.timeout(self.options.deadline):
                return await self._ask(prompt, account)
        except TimeoutError:
            late = f"no answer within {self.options.deadline:g} s"
            account.add(Fault(late, billed=account.in_flight), 0.0)
            self._fail(late, account)

    async def _ask(self, prompt: Prompt, account: Account) -> Reply:
        features, room = self.features, self.room
        rejected: Fault | None = None
        cut: WireAnswer | None = None
        while True:
            if prompt.before_retry is not None and (account.faults or cut is not None):
                prompt.before_retry(account.usage)
            outcome = await self._turn(prompt, features, account, room)
            wait = self._wait(outcome, account)
            if isinstance(outcome, WireAnswer) and cut is None and self._cut_short(outcome, room):
                cut, room = outcome, ROOM
                continue
            if cut is not None:
                outcome = self._with_room(outcome, cut)
            if not isinstance(outcome, Fault):
                if rejected is not None:
                    self.features &= features  # it was the feature: remember for this server
                return self.conclude(outcome, account, prompt, features)
            fewer = culprit(outcome, features, self.features, prompt)
            if fewer is not None:
                features, rejected = fewer, rejected or outcome
                continue
            if wait is None:
                return self.conclude(rejected or outcome, account, prompt, features)
            log.info("%s: %s; asking again in %.1f s", self.name, self._hide(outcome), wait)
            await asyncio.sleep(wait)

    def _cut_short(self, answer: WireAnswer, room: int) -> bool:
        """Whether a reply that ended at its bound is worth asking for again with more room.

        Models that think pay for it out of the same bound, and may have nothing left to say.
        """
        return self._cramped and room < ROOM and answer.stop == "length"

    def _with_room(self, outcome: Outcome, cut: WireAnswer) -> WireAnswer:
        """What more room gave, remembered for all: it helped, or nobody needs to try it again."""
        if isinstance(outcome, WireAnswer):
            self.room, self._cramped = (1 if outcome.stop == "length" else ROOM), False
            return outcome
        if isinstance(outcome, Fault) and not outcome.again:
            self._cramped = False  # a bound that large is more than the model takes
        return cut

    async def _turn(
        self, prompt: Prompt, features: Features, account: Account, room: int = 1
    ) -> Outcome:
        """Wait for a place and for the limits, then make one attempt."""
        loop = asyncio.get_running_loop()
        call = Call(self.endpoint.model, prompt, self.options, features, room)
        data = encode_body(self.endpoint.wire.body(call))
        guess = len(data) / 4 + call.max_tokens / 4
        await self.gate.enter()
        try:
            await self._allowance(guess)
            started = loop.time()
            account.sent += 1
            account.in_flight = True
            outcome = await self._attempt(data)
            account.in_flight = False
            account.add(outcome, loop.time() - started)
        finally:
            self.gate.leave()
        if isinstance(outcome, WireAnswer):
            self.gate.on_success()
        if self._tokens:
            used = outcome.tokens.input + outcome.tokens.output
            self._tokens.give(guess - used, loop.time())
        return outcome

    async def _allowance(self, tokens: float) -> None:
        now = asyncio.get_running_loop().time()
        wait = max(
            self._requests.take(1, now) if self._requests else 0.0,
            self._tokens.take(tokens, now) if self._tokens else 0.0,
        )
        if wait > 0:
            await asyncio.sleep(wait)

    async def _attempt(self, data: bytes) -> Outcome:
        response = await self.network.send(self._question, data)
        if isinstance(response, Fault):
            return response
        return understood(response, self.endpoint.wire)

    def request(self, path: str, method: str = "POST", kind: str = "application/json") -> Request:
        """A request to this server with its headers; no `kind` for a form, which has its own."""
        wire = self.endpoint.wire
        typed = {"Content-Type": kind} if kind and method == "POST" else {}
        return Request(
            self.endpoint.url(path),
            {**typed, **dict(wire.fixed_headers)},
            self.endpoint.key,
            wire.headers,
            self.options.timeout,
            method,
        )

    def _wait(self, outcome: Outcome, account: Account) -> float | None:
        """Seconds to wait before another attempt; None when there is no point."""
        if not isinstance(outcome, Fault) or not outcome.again:
            return None
        if outcome.throttled:
            return self._wait_throttled(outcome, account)
        if (outcome.wait or 0.0) > LONGEST_WAIT:
            return None
        account.retries += 1
        if account.retries > self.options.retries:
            return None
        return max(outcome.wait or 0.0, backoff(account.retries, base=self.options.pause))

    def _wait_throttled(self, fault: Fault, account: Account) -> float | None:
        """Being told to wait is not failing: bounded by patience, not by the retries.

        Every 429 counts, and our own backoff is the least that is waited, whatever the server asks
        for: one that says "0 seconds" for ever is asked less and less often, and then no more. The
        gate is closed meanwhile, so the wait itself happens in line with everyone's.
        """
        account.throttles += 1
        wait = max(fault.wait or 0.0, backoff(account.throttles, base=self.options.pause))
        self.gate.on_throttle(min(wait, LONGEST_WAIT), asyncio.get_running_loop().time())
        account.waited += wait
        if (fault.wait or 0.0) > LONGEST_WAIT or account.waited > self.options.patience:
            return None
        return 0.0

    def conclude(
        self, outcome: Outcome, account: Account, prompt: Prompt | None, features: Features
    ) -> Reply:
        """The reply of an answer; a refusal or a fault is raised, with what it cost."""
        if isinstance(outcome, Refusal):
            self._fail(f"refused: {outcome.reason}", account, kind="refused")
        if isinstance(outcome, Fault):
            self._fail(outcome.message, account, hint=self._hint(outcome, account))
        about: dict[str, Any] = {"stop": outcome.stop, "model": self.endpoint.hide(outcome.model)}
        if prompt is not None and prompt.schema is not None:
            about["structured"] = "schema" in features or "tool" in features
        if account.faults:
            about["faults"] = [self.endpoint.hide(message) for message in account.faults]
        if outcome.tokens.reasoning:
            about["reasoning_tokens"] = outcome.tokens.reasoning
        if account.lost:
            about["lost_calls"] = account.lost
        return Reply(self.endpoint.hide(outcome.text), self.name, account.usage, about)

    def _hint(self, fault: Fault, account: Account) -> str:
        """What the user may want to know of a fault: whose key it was, how long to wait."""
        key, wait = self.endpoint.key, fault.wait or 0.0
        if key and "(401)" in fault.message:
            return f"; the key came from {key.variable}"
        if not fault.again or not wait:
            return ""
        if wait > LONGEST_WAIT:
            return f"; it asks for a wait of {wait:,.0f} s, and {LONGEST_WAIT:g} s is our longest"
        if fault.throttled and account.waited > self.options.patience:
            patience = f"{self.options.patience:g} s"
            return f"; it asks for a wait of {wait:,g} s, beyond the patience of {patience}"
        return ""

    def _fail(
        self, message: str, account: Account, kind: UnscoredKind = "provider", hint: str = ""
    ) -> NoReturn:
        more = f" (after {account.sent} attempts)" if account.sent > 1 else ""
        reason = clip(self.endpoint.hide(message))
        raise ProviderError(f"{self.name}: {reason}{hint}{more}", kind=kind, usage=account.usage)

    def _hide(self, fault: Fault) -> str:
        return clip(self.endpoint.hide(fault.message))


def understood(response: Response, wire: Wire) -> Outcome:
    """What an HTTP response means in this format."""
    payload = response.json()
    if response.status != 200:
        return classify(response.status, response.headers, payload, response.body)
    if not isinstance(payload, dict):
        kind = response.headers.get("content-type", "no content type")
        return unusable(f"the answer is not a JSON object ({clip(kind)})")
    return error_inside(payload) or wire.read(payload)


def open_server(name: JudgeName, wire: Wire, opening: Opening) -> ServerJudge:
    """Find address, key and price of a judge; `UsageError` when its key is missing."""
    found = endpoint(name, wire, opening.options, opening.environ)
    return ServerJudge(found, opening.network(), opening.options)


def endpoint(name: JudgeName, wire: Wire, options: Options, environ: Mapping[str, str]) -> Endpoint:
    """Address, format, key and price, from the name and the environment."""
    base = (name.url or _address_in(wire, environ) or wire.base).rstrip("/")
    own = base == wire.base
    variables = wire.key_variables
    if not own:
        host = URL(base).host or ""
        variables = keys_of_host(host) or wire.keys_by_host.get(host, variables)
        wire = wire.elsewhere or wire
    key = find_key(environ, variables)
    if key is None and own and not wire.free:
        raise UsageError(
            f"judge '{name}' needs a key: set {' or '.join(variables)} in the environment"
        )
    if key is not None and own and not wire.free:
        refuse_placeholder(key)
    if not base.endswith(wire.version):
        base += wire.version
    return Endpoint(str(name), name.model, wire, base, key, find_price(name, wire, options.prices))


def _address_in(wire: Wire, environ: Mapping[str, str]) -> str:
    """Where the environment moves the provider to; "" when it does not."""
    value = environ.get(wire.base_variable, "").strip()
    if not value:
        return ""
    return check_variable(wire.full_address(value), wire.base_variable, wire.key_variables)


def _bucket(rate: float | None, name: str) -> Bucket | None:
    return Bucket(rate, name) if rate else None
