import { failure, type Failure } from "./failure.ts";

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL|invalid peer certificate/i;

/** Something went wrong before the operator's proxy had opened a tunnel. `status` is its answer, null where it gave none. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly status: number | null;

  constructor(status: number | null, options?: ErrorOptions) {
    super("The proxy opened no tunnel.", options);
    this.status = status;
  }
}

/**
 * Puts a thrown network error into plain words. Nothing of the error's own text is passed on, since runtimes write
 * addresses and paths into it. `host` is the host as the caller wrote it.
 */
export function networkFailure(error: unknown, host: string): { ok: false; error: Failure } {
  const codes = errorCodes(error);
  if (error instanceof ProxyError) return proxyFailure(error.status, codes, host);
  if (certificateCodes.test(codes)) {
    return failure(
      "bad_certificate",
      `${host} has no valid TLS certificate, so nothing was sent.`,
      "Check that the host name is right, or ask its operator for a valid certificate. One that your company issues counts once the studio's operator names its authority in NODE_EXTRA_CA_CERTS.",
    );
  }
  if (/ENOTFOUND|EAI_AGAIN|EAI_NODATA|ENODATA/.test(codes)) {
    return nameNotFound(host);
  }
  if (/ECONNREFUSED/.test(codes)) {
    return failure(
      "network",
      `${host} refused the connection.`,
      "Check that the server runs and that the port is right.",
    );
  }
  if (/TIMEOUT|ETIMEDOUT/.test(codes)) return timeoutFailure(host);
  if (/HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW/.test(codes)) {
    return failure("too_large", `${host} answered with headers that are too large.`, "Ask its operator to send less.");
  }
  return failure("network", `The connection to ${host} broke.`, "Try again. If it keeps happening, check the server.");
}

/** Only an answer that may change by itself is worth a second try. */
function proxyFailure(status: number | null, codes: string, host: string): { ok: false; error: Failure } {
  const refused = (message: string, hint: string): { ok: false; error: Failure } => ({
    ok: false,
    error: { ...failure("network", message, hint).error, retryable: false },
  });
  if (status === 407) {
    return refused(
      "The studio's proxy did not accept its user name and password.",
      "The operator of this Switchyard has to correct them in HTTP_PROXY or HTTPS_PROXY.",
    );
  }
  if (status !== null && status >= 500) {
    return failure(
      "network",
      `The studio's proxy could not reach ${host} (status ${status}).`,
      "Check the spelling of the host, and try again.",
    );
  }
  if (status !== null) {
    return refused(
      `The studio's proxy refused to connect to ${host} (status ${status}).`,
      "Ask whoever runs the proxy to allow this host and port, or let the operator of this Switchyard list the host in NO_PROXY.",
    );
  }
  const hint = "The operator of this Switchyard has to check HTTP_PROXY and HTTPS_PROXY, and that the proxy runs.";
  if (certificateCodes.test(codes)) {
    const authority = "The operator of this Switchyard can name the proxy's authority in NODE_EXTRA_CA_CERTS.";
    return failure(
      "bad_certificate",
      "The studio's proxy has no valid TLS certificate, so nothing was sent.",
      authority,
    );
  }
  if (/TIMEOUT|ETIMEDOUT/.test(codes)) return failure("timeout", "The studio's proxy did not answer in time.", hint);
  return failure("network", "The studio's proxy could not be reached.", hint);
}

/** No address is known for the name: it is misspelt, or this machine cannot ask for names. */
export function nameNotFound(host: string): { ok: false; error: Failure } {
  return failure(
    "network",
    `The name ${host} could not be found.`,
    "Check the spelling of the host, and that the studio's server has a connection to the internet.",
  );
}

/** The server took too long. */
export function timeoutFailure(host: string): { ok: false; error: Failure } {
  return failure("timeout", `${host} did not answer in time.`, "Try again, or raise the timeout of the node.");
}

/** The caller went away or pressed Stop. */
export function cancelledFailure(): { ok: false; error: Failure } {
  return failure("cancelled", "The call was cancelled.", "Run it again when you need its result.");
}

/** The codes and messages of an error and of its causes, for matching only. */
function errorCodes(error: unknown): string {
  const found: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ("code" in current) found.push(String(current.code));
    found.push(current.message);
    if (current instanceof AggregateError) found.push(...current.errors.map((inner) => errorCodes(inner)));
    current = current.cause;
  }
  return found.join(" ");
}
