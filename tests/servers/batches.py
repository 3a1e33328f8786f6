"""The batch endpoints of OpenAI and Anthropic, as their references describe them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.shapes import ANTHROPIC, OPENAI

if TYPE_CHECKING:
    from tests.servers.provider import ProviderServer


class Batches:
    """Batches end after `polls` looks; `outcomes` makes single requests fail by position."""

    def __init__(self, server: ProviderServer) -> None:
        self.server = server
        self.polls = 2
        self.outcomes: dict[int, str] = {}  # position -> errored | expired | refusal
        self.status = "completed"  # OpenAI: completed | failed | expired
        self.files: dict[str, bytes] = {}
        self.jobs: dict[str, dict[str, Any]] = {}
        self.submitted = 0

    def add_routes(self, app: web.Application) -> None:
        app.router.add_post("/v1/files", self.upload)
        app.router.add_get("/v1/files/{id}/content", self.download)
        app.router.add_post("/v1/batches", self.create_openai)
        app.router.add_get("/v1/batches", self.list_openai)
        app.router.add_get("/v1/batches/{id}", self.show_openai)
        app.router.add_post("/v1/messages/batches", self.create_anthropic)
        app.router.add_get("/v1/messages/batches/{id}", self.show_anthropic)
        app.router.add_get("/v1/messages/batches/{id}/results", self.results_anthropic)

    # ── OpenAI ──

    async def upload(self, request: web.Request) -> web.Response:
        if denied := self.server.denied(OPENAI, request):
            return denied
        form = await request.post()
        part = form["file"]
        assert isinstance(part, web.FileField)
        assert form["purpose"] == "batch"
        data = part.file.read()
        name = f"file-{len(self.files)}"
        self.files[name] = data
        return web.json_response(
            {"id": name, "object": "file", "bytes": len(data), "purpose": "batch",
             "filename": part.filename}
        )  # fmt: skip

    async def create_openai(self, request: web.Request) -> web.Response:
        if denied := self.server.denied(OPENAI, request):
            return denied
        body = await request.json()
        assert body["endpoint"] == "/v1/chat/completions"
        assert body["completion_window"] == "24h"
        rows = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        self.submitted += 1
        job = {"id": f"batch_{len(self.jobs)}", "rows": rows, "looks": 0,
               "metadata": body.get("metadata")}  # fmt: skip
        self.jobs[job["id"]] = job
        return web.json_response(self._openai(job))

    async def list_openai(self, request: web.Request) -> web.Response:
        data = [self._openai(job) for job in self.jobs.values()]
        return web.json_response({"object": "list", "data": data, "has_more": False})

    async def show_openai(self, request: web.Request) -> web.Response:
        if denied := self.server.denied(OPENAI, request):
            return denied
        job = self.jobs.get(request.match_info["id"])
        if job is None:
            return web.json_response(
                OPENAI.error(404, "not_found", "No such batch", ""), status=404
            )
        job["looks"] += 1
        return web.json_response(self._openai(job))

    def _openai(self, job: dict[str, Any]) -> dict[str, Any]:
        done = job["looks"] >= self.polls
        shown: dict[str, Any] = {
            "id": job["id"],
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "status": self.status if done else "in_progress",
            "output_file_id": None,
            "error_file_id": None,
            "errors": None,
            "metadata": job["metadata"],
            "request_counts": {"total": len(job["rows"]), "completed": 0, "failed": 0},
        }
        if done and self.status == "failed":
            fault = {"code": "invalid_json_line", "message": "not JSON", "param": None, "line": 1}
            shown["errors"] = {"object": "list", "data": [fault]}
        elif done:
            shown |= self._openai_files(job)
        return shown

    def _openai_files(self, job: dict[str, Any]) -> dict[str, Any]:
        good, bad = [], []
        for position, row in reversed(list(enumerate(job["rows"]))):  # order is not promised
            outcome = self.outcomes.get(position, "")
            base = {"id": f"batch_req_{position}", "custom_id": row["custom_id"], "error": None}
            if outcome == "expired":
                fault = {"code": "batch_expired", "message": "could not be executed in time"}
                bad.append({**base, "response": None, "error": fault})
            elif outcome == "errored":
                body = OPENAI.error(400, "invalid_request_error", "bad request", "")
                bad.append(
                    {**base, "response": {"status_code": 400, "request_id": "r", "body": body}}
                )
            else:
                body = (
                    OPENAI.refusal(row["body"])
                    if outcome == "refusal"
                    else self.server.success(OPENAI, row["body"])
                )
                good.append(
                    {**base, "response": {"status_code": 200, "request_id": "r", "body": body}}
                )
        files = {}
        for key, rows in (("output_file_id", good), ("error_file_id", bad)):
            if rows:
                name = f"{job['id']}-{key}"
                self.files[name] = "\n".join(json.dumps(r) for r in rows).encode()
                files[key] = name
        return files

    async def download(self, request: web.Request) -> web.Response:
        if denied := self.server.denied(OPENAI, request):
            return denied
        data = self.files[request.match_info["id"]]
        return web.Response(body=data, content_type="application/octet-stream")

    # ── Anthropic ──

    async def create_anthropic(self, request: web.Request) -> web.Response:
        if denied := self.server.denied(ANTHROPIC, request):
            return denied
        body = await request.json()
        self.submitted += 1
        job = {"id": f"msgbatch_{len(self.jobs)}", "rows": body["requests"], "looks": 0}
        self.jobs[job["id"]] = job
        return web.json_response(self._anthropic(job))

    async def show_anthropic(self, request: web.Request) -> web.Response:
        if denied := self.server.denied(ANTHROPIC, request):
            return denied
        job = self.jobs.get(request.match_info["id"])
        if job is None:
            return web.json_response(ANTHROPIC.error(404, "", "No such batch", ""), status=404)
        job["looks"] += 1
        return web.json_response(self._anthropic(job))

    def _anthropic(self, job: dict[str, Any]) -> dict[str, Any]:
        done = job["looks"] >= self.polls
        return {
            "id": job["id"],
            "type": "message_batch",
            "processing_status": "ended" if done else "in_progress",
            "request_counts": {"processing": 0 if done else len(job["rows"]), "succeeded": 0,
                               "errored": 0, "canceled": 0, "expired": 0},
            "ended_at": None,
            "created_at": "2026-01-01T00:00:00Z",
            "expires_at": "2026-01-02T00:00:00Z",
            "results_url": "http://elsewhere.invalid/steal" if done else None,
        }  # fmt: skip

    async def results_anthropic(self, request: web.Request) -> web.Response:
        if denied := self.server.denied(ANTHROPIC, request):
            return denied
        job = self.jobs[request.match_info["id"]]
        lines = []
        for position, row in reversed(list(enumerate(job["rows"]))):  # order is not promised
            outcome = self.outcomes.get(position, "")
            result: dict[str, Any] = {"type": outcome or "succeeded"}
            if outcome == "errored":
                result["error"] = ANTHROPIC.error(400, "", "bad request", "")
            elif outcome == "refusal":
                result = {"type": "succeeded", "message": ANTHROPIC.refusal(row["params"])}
            elif not outcome:
                result["message"] = self.server.success(ANTHROPIC, row["params"])
            lines.append(json.dumps({"custom_id": row["custom_id"], "result": result}))
        return web.Response(text="\n".join(lines), content_type="application/x-jsonl")
