/** A refusal as the auth API's clients read it. */
export function authRefusal(status: number, error_code: string, msg: string): Response {
  return Response.json({ code: status, error_code, msg }, { status });
}

/** Too many tries; `msg` says of what, and is followed by how long to wait. */
export function authTooMany(waitMs: number, msg: string): Response {
  const seconds = Math.ceil(waitMs / 1_000);
  const wait =
    seconds <= 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${Math.ceil(seconds / 60)} minutes`;
  const body = { code: 429, error_code: "over_request_rate_limit", msg: `${msg} Try again in ${wait}.` };
  return Response.json(body, { status: 429, headers: { "retry-after": String(seconds) } });
}
