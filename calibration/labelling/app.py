"""The page's service: a handful of addresses below a person's token. Needs the packages of the extra ``label``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calibration.labelling.items import SeenItems, bytes_of, frame_times
from calibration.labelling.model import Rater, ShownCandidate, StaleError
from calibration.labelling.store import StudyStore
from calibration.labels import CalibrationError
from grader.report.page.templating import page_asset, page_environment

HOSTS = ["127.0.0.1", "localhost"]
"""Names that the page may be called by. A name that somebody else's server points here is none of them."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Only the page's own script runs, and nothing is loaded from elsewhere."""

_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_PACKAGE = "calibration.labelling.page"
_ASSETS = {"label.js": "text/javascript", "label.css": "text/css"}
_MOST_BODY = 64 * 1024
_MOST_COMMENT = 10_000


class _Deed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Answer(_Deed):
    showing: int
    question: str
    label: str
    took_s: float | None = Field(default=None, ge=0.0, le=1e9, allow_inf_nan=False)


class _Skip(_Deed):
    showing: int
    place: int


class _Undo(_Deed):
    last: int


class _Comment(_Deed):
    showing: int
    text: str = Field(max_length=_MOST_COMMENT)


class LabelApp:
    """What each address does. All that is known is in the study's file, so there may be several of these."""

    def __init__(self, store: StudyStore, items: SeenItems) -> None:
        self._store, self._items = store, items

    def page(self, _rater: Rater) -> Response:
        """The page itself; it asks for the rest."""
        page = page_environment(_PACKAGE).get_template("label.html").render(title="Label")
        return Response(page, media_type="text/html")

    def study(self, rater: Rater) -> Response:
        """What is asked, and who is asked."""
        return JSONResponse(
            {"rater": rater.name, "decides": rater.decides, "protocol": self._store.protocol.model_dump()}
        )

    def state(self, rater: Rater) -> Response:
        """What is asked now, and what comes next so that its pictures can be there before."""
        found = self._store.progress(rater)
        return JSONResponse(
            {
                "asked": [self._seen(one) for one in found.asked],
                "done": found.done,
                "total": found.total,
                "last": found.last,
            },
            headers={"cache-control": "no-store"},
        )

    def _seen(self, asked: ShownCandidate) -> dict[str, Any]:
        item = self._items.find(asked.request_id)
        sides = {
            side: [
                {"kind": one.kind} | ({"text": one.text} if one.text else {"src": f"media/{asked.showing}/{side}/{at}"})
                for at, one in enumerate(media)
            ]
            for side, media in (("puzzle", item.puzzle), ("candidate", item.candidate))
        }
        return {
            "showing": asked.showing,
            "place": asked.place,
            "task": item.task,
            "prompt": item.prompt,
            "hint": self._store.protocol.hints.get(item.task, ""),
            "said": asked.said,
            "comment": asked.comment,
            "others": asked.others,
            **sides,
        }

    def answer(self, rater: Rater, said: bytes) -> None:
        """A key for a label."""
        one = _Answer.model_validate_json(said)
        self._store.answer(rater, one.showing, one.question, one.label, one.took_s)

    def skip(self, rater: Rater, said: bytes) -> None:
        """Puts off what is asked."""
        one = _Skip.model_validate_json(said)
        self._store.skip(rater, one.showing, one.place)

    def undo(self, rater: Rater, said: bytes) -> None:
        """Takes back what was done last."""
        self._store.undo(rater, _Undo.model_validate_json(said).last)

    def comment(self, rater: Rater, said: bytes) -> None:
        """Keeps what was written."""
        one = _Comment.model_validate_json(said)
        self._store.comment(rater, one.showing, one.text)

    def medium(self, rater: Rater, showing: int, side: str, at: int) -> tuple[bytes | Path, str] | None:
        """A picture or a clip of what this person is asked about."""
        request_id = self._store.request_of(rater, showing)
        found = None if request_id is None else self._items.find(request_id).medium(side, at)
        return None if found is None else bytes_of(found)


def make_app(store: StudyStore, items: SeenItems) -> ASGIApp:
    """The service of a study."""
    labels = LabelApp(store, items)

    def for_rater(action: Callable[[Rater], Response]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            rater = store.find(request.path_params["token"])
            return _refusal(404) if rater is None else action(rater)

        return answer

    def doing(action: Callable[[Rater, bytes], None]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            rater = store.find(request.path_params["token"])
            if rater is None:
                return _refusal(404)
            # A form of another page can't send this kind.
            if request.headers.get("content-type", "").partition(";")[0] != "application/json":
                return _refusal(415)
            body = await _body(request)
            if body is None:
                return _refusal(413)
            try:
                action(rater, body)
            except StaleError as error:
                return JSONResponse({"error": str(error)}, 409)
            except (CalibrationError, ValidationError) as error:
                return JSONResponse({"error": str(error)}, 400)
            # Committed: what comes after it may be shown.
            return labels.state(rater)

        return answer

    async def medium(request: Request) -> Response:
        found = _medium_of(request)
        if found is None:
            return _refusal(404)
        content, kind = found
        headers = {"cache-control": "private, max-age=3600"}
        if isinstance(content, Path):
            return _WholeFile(content, media_type=kind, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    async def times(request: Request) -> Response:
        found = _medium_of(request)
        if found is None:
            return _refusal(404)
        return JSONResponse(await run_in_threadpool(frame_times, found[0]))

    def _medium_of(request: Request) -> tuple[bytes | Path, str] | None:
        rater = store.find(request.path_params["token"])
        if rater is None:
            return None
        path = request.path_params
        return labels.medium(rater, path["showing"], path["side"], path["at"])

    below = "/{token}"
    return Starlette(
        routes=[
            Route(f"{below}/", for_rater(labels.page)),
            Route(f"{below}/study", for_rater(labels.study)),
            Route(f"{below}/state", for_rater(labels.state)),
            *(
                Route(f"{below}/{name}", doing(action), methods=["POST"])
                for name, action in (
                    ("answer", labels.answer),
                    ("skip", labels.skip),
                    ("undo", labels.undo),
                    ("comment", labels.comment),
                )
            ),
            Route(f"{below}/media/{{showing:int}}/{{side}}/{{at:int}}", medium),
            Route(f"{below}/times/{{showing:int}}/{{side}}/{{at:int}}", times),
            *(Route(f"{below}/{name}", partial(_asset, name, kind)) for name, kind in _ASSETS.items()),
        ],
        middleware=[Middleware(_Guarded), Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
    )


def _refusal(code: int) -> Response:
    return Response(status_code=code)


async def _body(request: Request) -> bytes | None:
    """What was sent; None where that is too much."""
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > _MOST_BODY:
            return None
    return bytes(found)


class _WholeFile(FileResponse):
    """A file in few parts: each takes a way through a thread, and keys wait behind it."""

    chunk_size = 4 * 1024 * 1024


async def _asset(name: str, kind: str, _request: Request) -> Response:
    text = (resources.files(_PACKAGE) / "assets" / name).read_text(encoding="utf-8")
    # One look for all pages.
    return Response(page_asset("page.css") + text if kind == "text/css" else text, media_type=kind)


class _Guarded:
    """Has every answer carry the headers that keep strangers out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        await self._app(scope, receive, guarded)
