"""LPIPS for a server: the broker that its settings ask for."""

from __future__ import annotations

import functools

from grader.lpips.availability import why_unavailable
from grader.lpips.nets import LpipsNet
from grader.lpips.places import WeightPlaces
from grader.lpips.sharing.broker import ABANDON_GRACE_S, LpipsBroker
from grader.lpips.sharing.process import lpips_spec
from grader.serving.settings import ServerSettings


def make_broker(settings: ServerSettings, log_level: str | None = None) -> LpipsBroker:
    """What measures LPIPS as a server's settings say, and the environment of weights.

    ``log_level`` is that of the process's own log; by default the settings' one.
    """
    places = WeightPlaces.from_environment()
    spec = lpips_spec(
        settings.lpips_device,
        settings.workers,
        settings.lpips_max_batch,
        settings.lpips_max_bytes,
        log_level or settings.log_level,
        places,
    )
    why_not = functools.partial(why_unavailable, places=places)
    # A request is over its own limit first, and ends so; this one is for a process that hangs.
    timeout_s = settings.request_timeout_s + ABANDON_GRACE_S
    return LpipsBroker(spec, timeout_s, {net: why_not(net) for net in LpipsNet}, why_not)
