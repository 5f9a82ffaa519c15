"""The headers that tell a browser what an answer may do; every answer has them."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders

#: Of a page: its scripts, styles and pictures come as files from this service, nothing is inline.
PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

#: Of everything else, what strangers uploaded included: opened by itself it loads and runs nothing.
NOTHING = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

#: What no page of this service asks a browser for.
_UNUSED = (
    "accelerometer", "autoplay", "bluetooth", "camera", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts",
    "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock", "serial",
    "usb", "xr-spatial-tracking",
)  # fmt: skip

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _UNUSED),
    "Cache-Control": "no-cache",
}

#: A year, only over TLS; names below the service's own are not ours to decide.
TRANSPORT = "max-age=31536000"

#: What an answer may depend on, beside its address.
_CREDENTIALS = ("Authorization", "Cookie")


def add(answer: MutableHeaders, request: Headers, scheme: str) -> None:
    """Add what a route has not chosen itself.

    Args:
        answer: the headers of the answer, which are changed.
        request: the headers of the request.
        scheme: by which it came to the service, or to a proxy that is trusted.
    """
    for name, value in _chosen(answer, scheme).items():
        answer.setdefault(name, value)
    if not answer["Cache-Control"].startswith("public"):
        for name in _CREDENTIALS:
            answer.add_vary_header(name)
        if any(name in request for name in _CREDENTIALS) and answer["Cache-Control"] == "no-cache":
            answer["Cache-Control"] = "private, no-cache"


def _chosen(answer: Headers, scheme: str) -> Mapping[str, str]:
    is_page = answer.get("content-type", "").startswith("text/html")
    chosen = {**HEADERS, "Content-Security-Policy": PAGE if is_page else NOTHING}
    if scheme == "https":
        chosen["Strict-Transport-Security"] = TRANSPORT
    return chosen
