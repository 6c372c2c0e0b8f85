"""Refusals are told from answers that are missing, and neither from a plan; a thought that never ends has no answer."""

import pytest

from grader.answers.refusals import refuses
from grader.answers.result import FoundAs, NoAnswer, Parsed, Reading, Unread
from grader.answers.tasks import parse_rush_hour, parse_sliding
from grader.answers.text.thoughts import without_thoughts

REFUSALS = (
    "I am sorry, I can't help with that.",
    "I’m sorry, but I can’t assist with that request.",
    "As an AI language model, I cannot view images.",
    "As an AI, I don't have the ability to move objects.",
    "I cannot assist.",
    "I can't help with that right now.",
    "I'm unable to comply with this request.",
    "Unfortunately I am not able to do that.",
    "I must decline.",
    "I refuse to answer.",
    "Sorry, I can't.",
    "I'm sorry, Dave. I'm afraid I can't do that.",
    "I'm not comfortable providing a solution.",
    "It is not possible for me to answer.",
    "I apologize, but this goes against my guidelines.",
    "Your request was rejected as a result of our safety system.",
    "This request violates our usage policies.",
    '{"finish_reason": "content_filter"}',
    '{"finishReason": "SAFETY"}',
    "stop_reason: refusal",
    '{"choices": [{"finish_reason": "content_filter", "message": {"content": null}}]}',
    '{"content": null, "refusal": "I can not do that."}',
    '{"answer": "I\'m sorry, I can\'t help with that."}',
    "<think>Is that allowed? A forward, R forward?</think>I'm sorry, I can't help with that.",
    "Es tut mir leid, dabei kann ich nicht helfen.",
    "Je suis désolé, mais je ne peux pas répondre à cette demande.",
    "Lo siento, no puedo ayudar con eso.",
    "Desculpe, não posso ajudar com isso.",
    "Mi dispiace, non posso aiutarti.",
    "Извините, я не могу помочь с этим.",
    "抱歉，我无法回答这个问题。",
    "申し訳ありませんが、お手伝いできません。",
    "죄송합니다. 도와드릴 수 없습니다.",
)
MISSING = (
    "",
    "Interesting puzzle!",
    "Let me think about the lot. Car A blocks red.",
    "A can't move forward because B blocks it. Hmm.",
    "First I look at the lot. The red car is not able to leave",
    "I can't help but notice that B blocks A.",
    "As an AI I love puzzles.",
    "Der rote Wagen kann nicht fahren.",
    '{"finish_reason": "length"}',
    "As an AI I think aloud. " + "The car goes on. " * 100 + "I can't help it. " + "The car goes on. " * 100,
)
PLANS = (
    "I'm sorry, I can't view images, but from the text: A forward, R forward",
    "As an AI I can't be sure, but:\nA forward\nR forward",
    "I am sorry, I can't verify this. A forward, R forward. Hope it helps!",
    "I cannot see it, but I would try moving R forward.",
    "I can't help with pictures. Plan: A forward then R forward",
    "Sorry, I can't say more.\nR forward",
    '{"answer": "I can\'t help much, but A forward, R forward"}',
    'I\'m sorry, I can\'t help with colours. {"answer": "A forward, R forward"}',
)


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("parse", [parse_rush_hour, parse_sliding])
@pytest.mark.parametrize("text", REFUSALS)
def test_refusals_are_told(text, parse, reading):
    found = parse(text, reading)
    assert isinstance(found, Unread)
    assert found.why is NoAnswer.REFUSED


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("parse", [parse_rush_hour, parse_sliding])
@pytest.mark.parametrize("text", MISSING)
def test_what_is_missing_is_not_refused(text, parse, reading):
    found = parse(text, reading)
    assert isinstance(found, Unread)
    assert found.why is NoAnswer.MISSING


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("text", PLANS)
def test_who_gives_a_plan_does_not_refuse(text, reading):
    found = parse_rush_hour(text, reading)
    assert isinstance(found, Parsed) or found.why is not NoAnswer.REFUSED


def test_plans_beside_an_excuse_are_read():
    assert [str(move.label) for move in parse_rush_hour(PLANS[1], Reading.LENIENT).value] == ["A", "R"]
    assert parse_rush_hour(PLANS[5], Reading.LENIENT).extraction.found_as is FoundAs.PROSE


def test_who_was_stopped_is_said():
    found = parse_rush_hour('{"finish_reason": "length"}', Reading.LENIENT)
    assert found.message == "There is no answer: the model was stopped (length)."


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<reasoning>", "</reasoning>"),
        ("<scratchpad>", "</scratchpad>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ('<think lang="en">', "</think>"),
        ("&lt;think&gt;", "&lt;/think&gt;"),
        ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ],
)
def test_an_answer_within_a_thought_is_none(opening, closing):
    thought, answer = '{"answer": "A forward"}', '{"answer": "R forward"}'
    for text in (f"{opening}{thought}", f"{opening}A forward\nR forward", f"x{opening}y{closing}z{opening}{thought}"):
        found = parse_rush_hour(text, Reading.LENIENT)
        assert (found.why, found.message) == (
            NoAnswer.MISSING, "There is no answer: the text ends within a thought.",
        )  # fmt: skip
    for text in (
        f"{opening}{thought}{closing}{answer}",
        f"{thought}{closing}{answer}",  # the opening tag was cut off
        f"{answer}{opening}{thought}",  # answered before the thought
    ):
        (move,) = parse_rush_hour(text, Reading.STRICT).value
        assert move.label == "R"
        assert len(without_thoughts(text).text) == len(text)


def test_a_heading_is_no_thought():
    (move,) = parse_rush_hour('[Reasoning] B is free. [Answer] {"answer": "R forward"}', Reading.STRICT).value
    assert move.label == "R"


def test_refusals_take_no_time_where_texts_are_hostile():
    for text in ("sorry " * 200_000, "I can't " * 200_000, "i " * 500_000, "<" * 500_000, "finish_reason " * 100_000):
        refuses(text)
        without_thoughts(text)
