"""Tells a refusal from an answer that is missing, by how refusals are built and not by their sentences.

A refusal has two parts: somebody is unable or unwilling ("I can't", "we are not allowed to"), and either a word for
serving what was asked ("help", "provide", "see the picture") follows, or an excuse stands by it ("I am sorry", "as an
AI"). Or an institution speaks: a request was blocked, a policy forbids it. Or a service said why it stopped a model.

Refusals open or close a text, so only its first and last sentences are looked at: in between a model may think aloud.
Whether there is a plan beside a refusal is for those who can read plans, see ``grader.answers.reading``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

OPENING: Final = 400
"""Characters at the beginning of a text in which a refusal may stand."""
CLOSING: Final = 600
"""Characters at its end, likewise."""


@dataclass(frozen=True)
class Language:
    """How a language refuses; regular expressions without case.

    Attributes
    ----------
    excuse : what is said beside a refusal: an apology, or what the speaker is
    unable : that the speaker can't or won't
    serve : what is asked of a speaker; follows ``unable``, or stands before it in languages that end with the verb
    signs : in lower case, of which each ``unable`` has one; looked for first, for that is quick
    """

    excuse: str
    unable: str
    serve: str
    signs: tuple[str, ...]


_ENGLISH = Language(
    excuse=r"\b(?:sorry|apolog\w{1,8}|regret\w{0,5}|unfortunately|afraid"
    r"|as an? (?:\w{1,20}[ -]){0,3}?(?:ai|artificial intelligence|language model|llm|assistant|chatbot|model))\b",
    unable=r"(?:\b(?:i|we|this model|this assistant)(?:'m|'re|'ll|'d| am| are| will| would| do| have| must| need to)?"
    r"\s(?:\w{1,12}\s){0,2}?|(?:^|[.!,;:]\s{0,3}|\bbut\s|\band\s))"
    r"(?:can't|cannot|can not|could not|couldn't|won't|will not|wouldn't|not able|unable|don't feel comfortable"
    r"|not (?:allowed|permitted|comfortable|equipped|capable|going|willing|designed|in a position)"
    r"|(?:do|does) not have|don't have|lack|decline|refuse|refrain)\b|\b(?:not |im)possible for (?:me|us)\b",
    serve=r"\b(?:help(?! but)|assist\w{0,4}|comply\w{0,3}|fulfil\w{0,4}|answer\w{0,3}|respond|provid\w{1,3}"
    r"|give|offer|do (?:this|that|so|it)|engage|continue|proceed|process\w{0,3}|support|discuss|creat\w{1,3}"
    r"|generat\w{1,3}|produc\w{1,3}|see|view\w{0,3}|access|open|read|look at|analy[sz]\w{1,3}|interpret\w{0,3}|solve"
    r"|perform|complete|work (?:on|out|with)|participate|carry out|request|abilit\w{1,3}|capabilit\w{1,3})\b",
    signs=("not", "n't", "unable", "lack", "decline", "refuse", "refrain", "possible"),
)
# In these the excuse and the inability decide; a word for serving alone does where no excuse is made.
_OTHERS = (
    Language(
        excuse=r"\b(?:leider|entschuldig\w{1,6}|tut mir leid|bedau\w{1,6}|als (?:ki|sprachmodell|assistent)\w{0,10})\b",
        unable=r"\b(?:ich|wir)\b[^.!?\n]{0,60}\b(?:nicht|kein\w{0,2})\b|\b(?:kann|können|darf|konnte|könnte|möchte)\b"
        r"[^.!?\n]{0,60}\b(?:nicht|kein\w{0,2})\b",
        serve=r"\b(?:helfen|unterstützen|beantworten|weiterhelfen|bearbeiten|erfüllen|lösen|sehen|anzeigen)\b",
        signs=("nicht", "kein"),
    ),
    Language(
        excuse=r"\b(?:désolée?|navrée?|excus\w{1,6}|pardon|malheureusement|regrett\w{1,4}|en tant qu[e'])",
        unable=r"\bne (?:peux|puis|pouvons|pourrai|suis|saurais)\b(?: pas)?|\bn'(?:ai|arrive|avons)\b.{0,12}\bpas\b"
        r"|\bincapable\b|\bpas en mesure\b",
        serve=r"\b(?:aider|assister|répondre|fournir|traiter|accéder|voir|résoudre|donner)\b",
        signs=("ne ", "n'", "incapable", "pas en mesure"),
    ),
    Language(
        excuse=r"\b(?:lo siento|lamento|lamentablemente|disculp\w{1,4}|perd[oó]n|desafortunadamente"
        r"|como (?:una? )?(?:ia|modelo|asistente|inteligencia))\b",
        unable=r"\bno (?:puedo|podemos|podr[ée]|me es posible|soy capaz|estoy autorizad[oa]|tengo)\b|\bincapaz\b",
        serve=r"\b(?:ayudar\w{0,3}|asistir\w{0,3}|responder|proporcionar|cumplir|procesar|ver|resolver|dar)\b",
        signs=("no ", "incapaz"),
    ),
    Language(
        excuse=r"\b(?:desculp\w{1,4}|lamento|sinto muito|infelizmente|como (?:uma? )?(?:ia|modelo|assistente))\b",
        unable=r"\b(?:não|nao) (?:posso|consigo|podemos|poderei|sou capaz|estou autorizad[oa]|tenho)\b|\bincapaz\b",
        serve=r"\b(?:ajudar|auxiliar|responder|fornecer|cumprir|processar|ver|resolver|dar)\b",
        signs=("não", "nao", "incapaz"),
    ),
    Language(
        excuse=r"\b(?:mi dispiace|scus\w{1,4}|purtroppo|spiacente|come (?:un )?(?:ia|modello|assistente))\b",
        unable=r"\bnon (?:posso|possiamo|sono in grado|riesco|potrò|mi è possibile)\b",
        serve=r"\b(?:aiutar\w{1,3}|assister\w{1,3}|rispondere|fornire|elaborare|vedere|risolvere|soddisfare)\b",
        signs=("non ",),
    ),
    Language(
        excuse=r"извин\w{1,6}|прост\w{1,4}|сожале\w{1,4}|прошу прощения|как (?:ии|языковая модель|искусственный)",
        unable=r"\bне (?:могу|можем|смогу|в состоянии|имею|способ\w{1,4}|умею)\b",
        serve=r"\b(?:помо\w{1,4}|ответить|предоставить|выполнить|решить|увидеть|видеть|обработать)\b",
        signs=("не",),
    ),
    Language(
        excuse="抱歉|对不起|對不起|很遗憾|很遺憾|不好意思|作为(?:一个|一名|一款)?(?:AI|人工智能|语言模型|助手|大模型)"
        "|作為(?:一個|一名)?(?:AI|人工智慧|語言模型|助手)",
        unable="无法|無法|不能|不会|不便|不可以|没有办法|沒有辦法|拒绝|拒絕",
        serve="帮助|幫助|协助|協助|回答|提供|满足|滿足|处理|處理|查看|看到|解答",
        signs=("无", "無", "不", "没", "沒", "拒"),
    ),
    Language(
        excuse="申し訳|すみません|すいません|ごめん|恐れ入り|残念ながら|AIとして|言語モデルとして",
        unable="できません|できかね|出来ません|いたしかね|できない|お断り",
        serve="お手伝い|お答え|回答|提供|対応|支援|お応え",
        signs=("でき", "出来", "かね", "断"),
    ),
    Language(
        excuse="죄송|미안|유감|AI로서|언어 모델로서|인공지능으로서",
        unable="수 없|어렵습니다|불가능|못합니다|않습니다",
        serve="도와|도움|답변|제공|처리|지원",
        signs=("수", "렵", "불", "못", "않"),
    ),
)
_APART: Final = r"[^.!?\n。！？]{0,80}?"
"""What may stand between the parts of a refusal: up to the end of a sentence."""
_NEAR: Final = r"[^\n]{0,120}?"
"""What may stand between an excuse and an inability: they may be two sentences."""


@dataclass(frozen=True)
class _Refusal:
    """A pattern, and signs in lower case of which one stands wherever it is found."""

    pattern: re.Pattern[str]
    signs: tuple[str, ...]

    def stands_in(self, text: str, lower: str) -> bool:
        """Whether a text, also given in lower case, has it."""
        return any(sign in lower for sign in self.signs) and self.pattern.search(text) is not None


def _built(language: Language, *, serve_after_only: bool) -> _Refusal:
    excuse, unable, serve = language.excuse, language.unable, language.serve
    ways = [rf"(?:{excuse}){_NEAR}(?:{unable})", rf"(?:{unable}){_APART}(?:{serve})"]
    if not serve_after_only:
        ways.append(rf"(?:{serve}){_APART}(?:{unable})")
    return _Refusal(re.compile("|".join(ways), re.IGNORECASE | re.MULTILINE), language.signs)


_PLAINLY = _Refusal(
    re.compile(
        r"\b(?:i|we)\b(?:\s\w{1,12}){0,3}?\s(?:decline|refuse)\b"
        r"|\b(?:request|prompt|query|content|response|output|completion|message|input)\b[^.!?\n]{0,60}?"
        r"\b(?:block\w{0,3}|reject\w{1,3}|refus\w{1,3}|flagg\w{1,3}|filter\w{1,3}|den(?:y|ied|ies)|declin\w{1,3}"
        r"|withheld|violat\w{1,4}|not (?:allowed|permitted))\b"
        r"|\b(?:against|violat\w{1,4}|not in line with)\b[^.!?\n]{0,40}?"
        r"\b(?:polic(?:y|ies)|guidelines?|programming|terms of)\b",
        re.IGNORECASE,
    ),
    ("declin", "refus", "block", "reject", "flagg", "filter", "den", "withheld", "violat", "not ", "polic",
     "guideline", "programming", "terms of"),
)  # fmt: skip
_REFUSALS: Final = (
    _built(_ENGLISH, serve_after_only=True),
    *(_built(language, serve_after_only=False) for language in _OTHERS),
    _PLAINLY,
)
_STOPPED = re.compile(
    r"\b(?:finish|stop|block|incomplete|termination|end)_?\s?reason\b[\"'\]]?\s{0,3}[:=]\s{0,3}[\"']?"
    r"([A-Za-z_. -]{1,40})",
    re.IGNORECASE,
)
_REFUSED_FIELD = re.compile(r"\"refusal\"\s{0,3}:\s{0,3}\"[^\"\s]")
_FILTERS = re.compile(
    r"filter|safety|refus|block|prohibit|recitation|spii|moderat|policy|guardrail|sensitive|harm|censor", re.IGNORECASE
)


_NONE = re.compile(
    r"\W{0,4}(?:unknown|none|null|n/?a|nan|nil|idk|undetermined|indeterminate|unsolvable|unclear|uncertain|not sure"
    r"|no (?:valid )?(?:answer|solution)|i don'?t know)\W{0,4}",
    re.IGNORECASE,
)
_UNABLE_TO_TELL = re.compile(
    r"(?:\b(?:cannot|can't|can not|could not|couldn't|unable to|not able to|(?:im|not )possible to)\s{1,3}"
    r"(?:\w{1,20}\s{1,3}){0,2}?"
    r"(?:determine|solve|tell|see|view|access|identify|infer|state|compute|find|answer|provide|give|deduce|work out)\b"
    r"|\b(?:insufficient|not enough)\s{1,3}(?:\w{1,20}\s{1,3})?(?:information|data|detail)"
    r"|\b(?:do not|don't) know\b|\bunable to determine\b)",
    re.IGNORECASE,
)
_LONGEST_VALUE: Final = 2000


def says_nothing(text: str) -> bool:
    """Whether what stands where an answer is expected says that there is none: "unknown", "?", "cannot determine".

    Examples
    --------
    >>> says_nothing("N/A"), says_nothing("I can't tell from the picture"), says_nothing("A can't move")
    (True, True, False)
    """
    text = text[:_LONGEST_VALUE].replace("’", "'")
    if _NONE.fullmatch(text) or not text.strip(" ?"):
        return True
    return _UNABLE_TO_TELL.search(text) is not None or refuses(text)


def refuses(text: str) -> bool:
    """Whether a text says that its writer gives no answer, where it begins or ends.

    Examples
    --------
    >>> refuses("I am sorry, I can't help with that."), refuses("Lo siento, no puedo ayudarte con eso.")
    (True, True)
    >>> refuses("As an AI I would move A forward."), refuses("A can't move forward, B blocks it.")
    (False, False)
    """
    text = text.strip().replace("’", "'").replace("‘", "'")
    parts = [text] if len(text) <= OPENING + CLOSING else [text[:OPENING], text[-CLOSING:]]
    reason = finish_reason(text)
    if (reason and _FILTERS.search(reason)) or _REFUSED_FIELD.search(text[-CLOSING:]):
        return True
    return any(
        one.stands_in(part, lower)
        for part, lower in zip(parts, map(str.lower, parts), strict=True)
        for one in _REFUSALS
    )


def finish_reason(text: str) -> str:
    """Why a service stopped a model, where a text is what the service said in place of one; empty where it is not.

    Examples
    --------
    >>> finish_reason('{"finish_reason": "length"}')
    'length'
    """
    text = text.strip()
    if len(text) > OPENING + CLOSING:
        return ""
    said = _STOPPED.search(re.sub(r"(?<=[a-z])Reason\b", "_reason", text))
    return "" if said is None else said[1].strip(" .")
