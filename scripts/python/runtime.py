class StakewrightError(Exception):
    """A refusal of the service, or ``unreachable`` when there was no answer at all; then __cause__ says why."""

    def __init__(self, code: str, message: str, answer: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        answer = answer or {}
        self.code = code
        self.message = message
        self.status: int | None = answer.get("status")
        self.request_id: str | None = answer.get("requestId")
        self.details: list[dict[str, Any]] = answer.get("details", [])
        #: How long to wait before trying again, where the service said so.
        self.retry_after_seconds: int | None = answer.get("retryAfterSeconds")
        #: What to do about it, where the service said so.
        self.fix: str | None = answer.get("fix")
        #: The call that leads on, where the service named one.
        self.next: dict[str, Any] | None = answer.get("next")
        #: Whether the same call may be sent again: the service says that it had no effect, or a repeat is safe.
        self.retryable: bool = answer.get("retryable", False)


class NotModified(StakewrightError):
    """The answer that the caller named by its ``hash`` is still the present one: there is nothing new to read."""

    def __init__(self) -> None:
        message = "Nothing has changed since the answer that `hash` names."
        super().__init__("not_modified", message, {"status": 304})


class ApprovalNeeded(StakewrightError):
    """Nothing was built: the agent's owner must approve first. Then repeat the same call with ``approval_id``."""

    def __init__(self, waiting: dict[str, Any]) -> None:
        self.approval_id: str = waiting["approvalId"]
        self.expires_at: str = waiting["expiresAt"]
        super().__init__("approval_needed", waiting["message"], {**waiting, "status": 202})


@dataclass(frozen=True)
class RateLimit:
    """The rate-limit headers of an answer to a call with a credential."""

    #: The smaller of the two remainders.
    remaining: int
    remaining_minute: int
    remaining_day: int
    limit_minute: int
    limit_day: int
    #: When the minute window resets.
    reset_at: datetime


@dataclass(frozen=True)
class Answer:
    """An answer without its body."""

    #: The method that was called.
    endpoint: str
    status: int
    request_id: str | None
    rate_limit: RateLimit | None
    headers: Message


_TRANSIENT = (429, 502, 503, 504)
_BASE_SECONDS = 0.25
_KEPT_ANSWERS = 100
_CHUNK_BYTES = 65_536
_MAX_SECONDS = 1_000_000


class _Options(NamedTuple):
    """Options of a single call; None means the client's setting."""

    timeout: float | None = None
    retries: int | None = None
    #: Called with every answer before the call returns: also for each retry, and for refusals.
    on_answer: Callable[[Answer], None] | None = None
    #: Identifies a registration, rotation or build, so that a repeat has no effect.
    idempotency_key: str | None = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Calls:
    """Sends requests and reads answers: the base class of Stakewright."""

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:3000",
        *,
        api_key: str | None = None,
        token: str | None = None,
        timeout: float = 15.0,
        retries: int = 2,
        max_retry_wait: float = 5.0,
        on_answer: Callable[[Answer], None] | None = None,
        random: Callable[[], float] = random.random,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must be an http or https address, such as http://127.0.0.1:3000")
        if "@" in urllib.parse.urlsplit(base_url).netloc:
            raise ValueError("base_url must not contain credentials")
        self._base = base_url.rstrip("/")
        self._api_key = _credential("api_key", api_key)
        self._token = _credential("token", token)
        self._timeout = _seconds(timeout)
        self._retries = _count(retries)
        self._max_retry_wait = max_retry_wait
        self._on_answer = on_answer
        self._random = random
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirects())
        #: A cache of public answers with an ETag, by path: unchanged ones cost a 304 and are read from it.
        self._kept: dict[str, tuple[str, bytes]] = {}

    def __repr__(self) -> str:
        """Shows the address, but no secrets."""
        return f"Stakewright({self._base!r})"

    def _call(self, name: str, given: dict[str, Any], options: _Options = _Options()) -> Any:
        retries = self._retries if options.retries is None else _count(options.retries)
        attempt = 0
        while True:
            try:
                return self._send(name, given, options)
            except StakewrightError as error:
                delay = None if attempt >= retries else self._retry_delay(error, attempt)
                if delay is None:
                    raise
            self._sleep(delay)
            attempt += 1

    def _retry_delay(self, error: StakewrightError, attempt: int) -> float | None:
        """The wait before a retry; None: the call must not be retried, or not that soon."""
        if not error.retryable:
            return None
        said = error.retry_after_seconds
        if said is not None:
            if said > self._max_retry_wait:
                return None
            return min(self._max_retry_wait, said + self._random() * _BASE_SECONDS)
        return min(self._max_retry_wait, _BASE_SECONDS * 2**attempt) * (0.5 + self._random() / 2)

    def _send(self, name: str, given: dict[str, Any], options: _Options) -> Any:
        route = _ROUTES[name]
        is_named = options.idempotency_key is not None
        #: Whether a repeat is safe even if the call may have been executed.
        is_safe = route.repeats == "always" or (route.repeats == "named" and is_named)
        request = self._request(route, {field: value for field, value in given.items() if value is not None})
        # If the caller names a version by `hash`, a 304 must be about that version, not about a cached one.
        known = self._kept.get(request.selector) if given.get("hash") is None else None
        if known and route.method == "GET":
            request.add_header("If-None-Match", known[0])
        if options.idempotency_key is not None:
            request.add_header("Idempotency-Key", _header("idempotency_key", options.idempotency_key))
        timeout = self._timeout if options.timeout is None else _seconds(options.timeout)
        status, headers, text = self._exchange(request, timeout, is_safe)
        said = Answer(name, status, headers.get("X-Request-Id"), _rate_limit(headers), headers)
        for listener in (self._on_answer, options.on_answer):
            if listener:
                listener(said)
        if status == 304 and known:
            return json.loads(known[1])
        if status == 304:
            raise NotModified()
        if status >= 300:
            raise _to_error(status, headers, text, is_safe)
        answer = _read_json(status, text)
        if headers.get("ETag") and route.method == "GET" and route.auth == "none":
            self._keep(request.selector, headers["ETag"], text)
        if status == 202 and isinstance(answer, dict) and "approvalId" in answer:
            raise ApprovalNeeded(answer)
        return answer

    def _exchange(self, request: urllib.request.Request, timeout: float, is_safe: bool) -> tuple[int, Message, bytes]:
        """One request and its whole answer, whatever its status."""
        deadline = time.monotonic() + timeout
        try:
            try:
                response = self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                return response.status, response.headers, _read(response, deadline)
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            why = f"none came within {timeout:g} s" if isinstance(reason, TimeoutError) else reason or repr(error)
            message = f"No answer from {self._base}: {why}."
            raise StakewrightError("unreachable", message, {"retryable": is_safe}) from error

    def _keep(self, path: str, etag: str, text: bytes) -> None:
        self._kept.pop(path, None)
        self._kept[path] = (etag, text)
        if len(self._kept) > _KEPT_ANSWERS:
            del self._kept[next(iter(self._kept))]

    def _request(self, route: _Route, given: dict[str, Any]) -> urllib.request.Request:
        path = route.path
        for field in re.findall(r"\{(\w+)\}", path):
            if given.get(field) is None:
                raise ValueError(f"{field} is missing: pass what the call is about")
            value = urllib.parse.quote(str(given.pop(field)), safe="")
            # `..` would remove the path segment before it where a proxy resolves it, so the request would reach another path.
            path = path.replace("{" + field + "}", "" if value in (".", "..") else value)
        body = None
        headers = {"Accept": "application/json"}
        if route.method in ("POST", "PATCH", "PUT"):
            # Sent even without fields, so that the service can say which one is missing.
            body = _body(given)
            headers["Content-Type"] = "application/json"
        elif given:
            path += "?" + urllib.parse.urlencode({field: _query_text(value) for field, value in given.items()})
        if route.auth == "agent-key" and self._api_key:
            headers["X-API-Key"] = self._api_key
        if route.auth == "user-token" and self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        return urllib.request.Request(self._base + path, data=body, headers=headers, method=route.method)


def _body(given: dict[str, Any]) -> bytes:
    """Encodes as JSON. Refuses values that JSON cannot represent (NaN, infinity, dates, decimals) and names their field."""
    for field, value in given.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as cause:
            raise ValueError(f"{field} cannot be sent as JSON: {cause}. Amounts are strings of digits.") from cause
    return json.dumps(given).encode()


def _seconds(timeout: float) -> float:
    if not 0 < timeout <= _MAX_SECONDS:
        raise ValueError(f"timeout must be more than 0 seconds, and at most {_MAX_SECONDS}")
    return timeout


def _count(retries: int) -> int:
    if not retries >= 0:
        raise ValueError("retries must be a number from 0 on")
    return retries


def _credential(name: str, text: str | None) -> str | None:
    """Strips spaces, which come with copying. Refuses characters invalid in headers: urllib would quote the secret."""
    if text is None:
        return None
    secret = text.strip() if isinstance(text, str) else text
    return _header(name, secret) if secret != "" else None


def _header(name: str, text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str")
    if not re.fullmatch(r"[!-~]+", text):
        raise ValueError(
            f"{name} has invalid characters, such as a space or a line break inside: copy it again, whole and alone."
        )
    return text


def _read(response: Any, deadline: float) -> bytes:
    """Enforces the deadline of the whole answer: the timeout of a socket applies to each read alone."""
    chunks = []
    while chunk := response.read1(_CHUNK_BYTES):
        chunks.append(chunk)
        if time.monotonic() > deadline:
            raise TimeoutError()
    text = b"".join(chunks)
    missing = getattr(response, "length", None)
    if missing:
        raise http.client.IncompleteRead(text, missing)
    return text


def _read_json(status: int, text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        message = f"The answer had status {status} and is not JSON: is this address Stakewright's?"
        raise StakewrightError("internal_error", message, {"status": status}) from error


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


_BY_STATUS = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    408: "timeout",
    429: "rate_limited",
    503: "service_overloaded",
    504: "timeout",
}
"""Error codes of answers without an error body of the service."""


def _to_error(status: int, headers: Any, text: bytes, is_safe: bool) -> StakewrightError:
    """Translates an error answer. One without the service's error body comes from a proxy: only its status is known. It is
    retryable if the service says so, if it is a 429 (refused before anything is done), or if it is another transient error
    and a repeat is safe."""
    if status in (301, 302, 303, 307, 308):
        message = f"The address redirects to {headers.get('Location', 'another one')}, which is not followed."
        fix = "Give the address of the service itself as the base URL."
        return StakewrightError("unreachable", message, {"status": status, "fix": fix, "retryable": False})
    after = _retry_after(headers)
    waiting = {} if after is None else {"retryAfterSeconds": after}
    may_pass = status == 429 or (is_safe and status in _TRANSIENT)
    try:
        body = json.loads(text)
        retryable = body.get("retryable") is True or may_pass
        return StakewrightError(body["error"], body["message"], {**waiting, **body, "retryable": retryable})
    except (ValueError, KeyError, TypeError, AttributeError):
        message = f"The answer had status {status} and no error body."
        answer = {"status": status, **waiting, "retryable": may_pass}
        return StakewrightError(_BY_STATUS.get(status, "internal_error"), message, answer)


def _retry_after(headers: Any) -> int | None:
    """The header in seconds. Proxies may send a date instead."""
    text = headers.get("Retry-After", "")
    if re.fullmatch(r"[0-9]+", text):
        return int(text)
    try:
        seconds = (parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("Date", ""))).total_seconds()
    except (ValueError, TypeError):
        return None
    return max(0, math.ceil(seconds))


def _rate_limit(headers: Any) -> RateLimit | None:
    if headers.get("X-RateLimit-Remaining") is None:
        return None
    number = lambda name: int(headers.get(name, 0))  # noqa: E731
    return RateLimit(
        remaining=number("X-RateLimit-Remaining"),
        remaining_minute=number("X-RateLimit-Remaining-RPM"),
        remaining_day=number("X-RateLimit-Remaining-RPD"),
        limit_minute=number("X-RateLimit-Limit-RPM"),
        limit_day=number("X-RateLimit-Limit-RPD"),
        reset_at=datetime.fromtimestamp(number("X-RateLimit-Reset"), timezone.utc),
    )
