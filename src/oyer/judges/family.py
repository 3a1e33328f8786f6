"""Which house a model comes from: a judge should not mark its own family unnoticed."""

from __future__ import annotations

import re
from functools import lru_cache

#: What a model's name holds -> its family. First match wins; distilled models name their base.
FAMILIES = (
    (r"deepseek", "deepseek"),
    (r"claude|anthropic", "anthropic"),
    (r"gemini|gemma|palm|learnlm", "google"),
    (r"gpt|chatgpt|davinci|openai/|^o[1-9](?:$|[-_.])|/o[1-9](?:$|[-_.])", "openai"),
    (r"qwen|qwq|qvq", "qwen"),
    (r"mistral|mixtral|ministral|codestral|magistral|pixtral", "mistral"),
    (r"llama|meta-", "meta"),
    (r"command-?(?:r|a)|aya|cohere", "cohere"),
    (r"grok", "xai"),
    (r"phi-?\d", "microsoft"),
    (r"glm|chatglm|z-ai", "zhipu"),
    (r"kimi|moonshot", "moonshot"),
    (r"smollm", "huggingface"),
    (r"nova-(?:lite|micro|pro|premier)|titan", "amazon"),
    (r"minimax", "minimax"),
    (r"granite", "ibm"),
)
#: The way to a model says nothing about who made it: `openai:` also speaks to any server.
_ROUTE = re.compile(
    r"^(?:exam:)?(?:openai|openai-responses|anthropic|gemini|openrouter|ollama|llamacpp)[:/]"
)


@lru_cache(maxsize=1024)
def family(model: str | None) -> str | None:
    """The family of a judge's or a candidate's model; None when the name does not tell."""
    if not model:
        return None
    name = _ROUTE.sub("", model.strip().lower()).split("@http", maxsplit=1)[0]
    for pattern, house in FAMILIES:
        if re.search(pattern, name):
            return house
    return None


def judges_itself(judge: str, candidate: str | None) -> bool:
    """Whether judge and candidate come from one family, as far as their names tell."""
    house = family(judge)
    return house is not None and house == family(candidate)
