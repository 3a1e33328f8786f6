"""Which house a model comes from: a judge should not mark its own family unnoticed.

One table for every room. It knows names, not weights: a model under a name of its own has no house.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: What a model's name holds -> its house. First match wins, so a distilled model goes with the
#: house that distilled it, and a fine-tune that names its base goes with the base.
HOUSES = (
    (r"deepseek", "deepseek"),
    (r"claude|^anthropic/", "anthropic"),
    (r"gemini|gemma|learnlm|\bpalm\b|^google/", "google"),
    (r"gpt-?(?:j|neo)|pythia|^eleutherai/", "eleutherai"),
    (r"gpt|davinci|codex|^openai/|\bo[1-9](?:$|[-_.:])", "openai"),
    (r"qwen|qwq|qvq", "qwen"),
    (r"mistral|mixtral|ministral|codestral|magistral|pixtral|devstral", "mistral"),
    (r"(?<!o)llama(?!\.?cpp)|^meta-|^meta/", "meta"),  # ollama and llama.cpp only run models
    (r"\bcommand\b|\baya\b|^cohere", "cohere"),
    (r"grok|^x-ai/", "xai"),
    (r"\bphi-?\d|^microsoft/", "microsoft"),
    (r"glm|^z-ai/|^zhipu", "zhipu"),
    (r"kimi|^moonshot", "moonshot"),
    (r"smollm|zephyr|^huggingface", "huggingface"),
    (r"\bnova-(?:lite|micro|pro|premier)|\btitan\b|^amazon/", "amazon"),
    (r"minimax|\babab", "minimax"),
    (r"granite|^ibm", "ibm"),
    (r"nemotron|^nvidia/", "nvidia"),
    (r"olmo|tulu|^allenai/", "allenai"),
    (r"falcon|^tiiuae/", "tii"),
    (r"jamba|jurassic|^ai21", "ai21"),
    (r"internlm", "shanghai-ai-lab"),
    (r"hunyuan|^tencent/", "tencent"),
    (r"ernie|^baidu/", "baidu"),
    (r"doubao|\bseed-|^bytedance", "bytedance"),
    (r"\byi-|^01-ai/", "01-ai"),
    (r"exaone", "lg"),
    (r"\bsolar-|^upstage/", "upstage"),
    (r"plamo|^pfnet/", "pfn"),
    (r"sarashina|^sbintuitions/", "sb-intuitions"),
)
#: The way to a model says nothing about who made it: `openai:` also speaks to any server. A size
#: or a version after the colon is no model (`mistral:7b`, `gemma:latest`).
_ROUTE = re.compile(r"^(?:exam:)?[a-z][a-z-]*[:/](?!\d|latest$)")


def model_of(name: str) -> str:
    """The model in the name of a judge or a candidate: without the way to it, or its server."""
    return _ROUTE.sub("", _plain(name))


def _plain(name: str) -> str:
    return name.strip().casefold().split("@http", maxsplit=1)[0]


@lru_cache(maxsize=1024)
def vendor_of(name: str | None) -> str | None:
    """The house of a judge's or a candidate's model; None when the name does not tell."""
    if not name:
        return None
    model = model_of(name)
    # The model's own name tells more than its folder: nvidia/llama-… is a llama.
    for part in (re.split(r"[/\\]|__", model)[-1], model, _plain(name)):
        for pattern, made_by in HOUSES:
            if re.search(pattern, part):
                return made_by
    return None


@lru_cache(maxsize=1024)
def judges_itself(judge: str, candidate: str | None) -> bool:
    """Whether judge and candidate appear to come from the same vendor, by their names."""
    if not candidate:
        return False
    names = {_plain(candidate), model_of(candidate)}
    if model_of(judge) in names or _plain(judge) in names:
        return True
    own = vendor_of(judge)
    return own is not None and own == vendor_of(candidate)
