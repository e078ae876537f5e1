import { failure, type Failure } from "./failure.ts";

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL|invalid peer certificate/i;

/**
 * Puts a thrown network error into plain words. Nothing of the error's own text is passed on, since runtimes write
 * addresses and paths into it. `host` is the host as the caller wrote it.
 */
export function networkFailure(error: unknown, host: string): { ok: false; error: Failure } {
  const codes = errorCodes(error);
  if (certificateCodes.test(codes)) {
    return failure(
      "bad_certificate",
      `${host} has no valid TLS certificate, so nothing was sent.`,
      "Ask its operator for a valid certificate, or check that the host name is right.",
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
