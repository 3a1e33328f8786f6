"""A judge that declines in words is told from one that cannot find something."""

from __future__ import annotations

import pytest

from oyer.protocols.catalogue import find_protocol
from oyer.text.refusals import find_refusal
from oyer.types import Reply
from oyer.verdicts.core import audit
from tests.injection.attacked_cases import ATTACKED, as_reply

REFUSALS = [
    "I'm sorry, but I can't help with that.",
    "I’m sorry, but I can’t assist with this request.",
    "I cannot evaluate this summary.",
    "As an AI language model, I am unable to judge this content.",
    "I won't provide a rating for this text.",
    "I must decline to score this response.",
    "Sorry, I can't do that.",
    "I am not able to comply with this request.",
    "I'm not comfortable evaluating this article because it describes violence.",
    "I will not rate this.",
    "Unfortunately, I cannot fulfill your request.",
    "I can't.",
    "I cannot, in good conscience, judge this.",
    "I decline.",
    "Je suis désolé, mais je ne peux pas vous aider.",
    "Désolé, je ne peux pas répondre à cette demande.",
    "Je ne suis pas en mesure d'évaluer ce résumé.",
    "Il m'est impossible de noter ce texte.",
    "Je refuse de juger ce contenu.",
    "Je ne peux malheureusement pas donner suite à votre demande.",
    "Het spijt me, maar ik kan je hier niet bij helpen.",
    "Sorry, ik kan dit verzoek niet uitvoeren.",
    "Ik kan niet aan dit verzoek voldoen.",
    "Ik ben niet in staat deze samenvatting te beoordelen.",
    "Ik weiger deze tekst te beoordelen.",
    "Helaas kan ik hier geen beoordeling van geven.",
    "申し訳ありませんが、そのご要望にはお応えできません。",
    "申し訳ございません。この内容は評価できません。",
    "すみませんが、お手伝いできません。",
    "この依頼には対応いたしかねます。",
    "回答を差し控えさせていただきます。",
]
OTHERS = [
    "I cannot find the quotation in the article.",
    "The summary says the mayor cannot help.",
    "Here is my verdict: coverage is good.",
    "I could not locate any error.",
    "The article is about people who can't provide for their families.",
    "Je ne trouve pas la citation.",
    "Je ne peux pas trouver cette phrase dans l'article.",
    "Ik kan de zin niet vinden.",
    "Ik kan geen fouten vinden.",
    "この要約は正確です。",
    "引用は見つかりません。",
    "I am sorry for the delay. The score is 7.",
    '{"metric": ',
    "Het antwoord is goed.",
    "No JSON here.",
    "I will not find fault here: everything is supported.",
    "I will now evaluate the summary.",
    "I can help with that! Coverage: 8/10",
    "評価: 良い。出典が確認できません。",
    "I cannot judge " + "the rest of this long answer, which goes on. " * 60,
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_found(text: str) -> None:
    assert find_refusal(text)


@pytest.mark.parametrize("text", OTHERS)
def test_other_words_are_no_refusal(text: str) -> None:
    assert find_refusal(text) == ""


@pytest.mark.parametrize("thinking", ["", "<think>I can judge this.</think>\n"])
@pytest.mark.parametrize("name", ["judge-lock", "twin-lock", "rubric", "belgian-law"])
def test_who_declines_is_refused_in_every_protocol(name: str, thinking: str) -> None:
    """An error object in the same words always was."""
    protocol = find_protocol(name)
    court = ATTACKED[name]
    reply = f"{thinking}I'm sorry, but I can't help with that."
    verdict = audit(court.case, protocol, Reply(reply, "m"))
    assert verdict.error == "refused"
    assert (
        verdict.violations[0].detail == "the judge declines: I'm sorry, but I can't help with that."
    )


def test_a_verdict_beside_an_apology_counts() -> None:
    court = ATTACKED["rubric"]
    reply = f"I'm sorry, but I can't help with that.\n{as_reply(court.honest)}"
    assert audit(court.case, find_protocol("rubric"), Reply(reply, "m")).total is not None
