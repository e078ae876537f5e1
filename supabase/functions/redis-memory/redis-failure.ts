import { failure, type Failure } from "../_shared/failure.ts";
import { networkFailure } from "../_shared/network-failure.ts";
import { BusyError, TooMuchDataError } from "../_shared/open-socket.ts";
import { ReplyError } from "./read-reply.ts";

/** The words with which Redis begins its errors, and what they mean to a person. */
const answers: readonly { pattern: RegExp; failed: { ok: false; error: Failure } }[] = [
  {
    pattern: /^(WRONGPASS|ERR invalid password|ERR AUTH|ERR Client sent AUTH)/i,
    failed: failure(
      "invalid_credentials",
      "Redis did not accept the user name or the password.",
      "Enter them again in the credential.",
    ),
  },
  {
    pattern: /^NOAUTH/i,
    failed: failure("invalid_credentials", "Redis asks for a password.", "Enter it in the credential."),
  },
  {
    pattern: /^NOPERM/i,
    failed: failure(
      "invalid_credentials",
      "The Redis user may not use these commands or keys.",
      "Give it the list, sorted set and transaction commands on keys with this prefix.",
    ),
  },
  {
    pattern: /^ERR (DB index|invalid DB|SELECT)/i,
    failed: failure(
      "invalid_config",
      "This Redis has no database of that number.",
      "Correct the database in the credential; 0 is the first.",
    ),
  },
  {
    pattern: /^WRONGTYPE/i,
    failed: failure(
      "invalid_config",
      "Redis has something other than a conversation under this key.",
      "Choose another key prefix.",
    ),
  },
  {
    pattern: /^(MOVED|ASK|CROSSSLOT|CLUSTERDOWN)/i,
    failed: failure(
      "invalid_config",
      "This server is one node of a Redis cluster, which is not supported.",
      "Use a single endpoint of the cluster, or a Redis that is not clustered.",
    ),
  },
  {
    pattern: /^(OOM|MISCONF|READONLY|LOADING|MASTERDOWN|BUSY|NOREPLICAS)/i,
    failed: failure(
      "network",
      "Redis cannot take writes at the moment.",
      "Check its memory, its disk and whether it is a replica, then try again.",
    ),
  },
];

/**
 * Puts what Redis or the connection to it threw into plain words. Nothing of the error's own text is passed on, since it
 * may hold keys and addresses.
 */
export function redisFailure(error: unknown, tls: boolean): { ok: false; error: Failure } {
  if (error instanceof TooMuchDataError) {
    const hint = "Clear the session, or let a window memory keep fewer messages.";
    return failure("too_large", "Redis has more than 32 MB under this key, the most that is read at once.", hint);
  }
  if (error instanceof BusyError) {
    const hint = "Wait for other calls to end, or let a window memory keep fewer messages.";
    return failure("rate_limit", "Too many large conversations are being read at once.", hint);
  }
  if (error instanceof ReplyError) {
    return failure("network", "The server does not answer as Redis does.", "Check host and port in the credential.");
  }
  const text = error instanceof Error ? error.message : "";
  const answer = answers.find(({ pattern }) => pattern.test(text));
  if (answer) return answer.failed;
  if (
    /WRONG_VERSION_NUMBER|wrong version number|InvalidContentType|corrupt message/i.test(`${codeOf(error)} ${text}`)
  ) {
    const hint = "Turn off TLS in the credential if the server is on this machine, or use its TLS port.";
    return failure("network", "Redis does not speak TLS on this port.", hint);
  }
  const network = networkFailure(error, "Redis");
  if (network.error.code !== "network" || !/broke/.test(network.error.message)) return network;
  const hint = tls ? "Check that the port speaks TLS." : "If the server wants TLS, turn it on in the credential.";
  return failure(
    "network",
    "The connection to Redis broke.",
    `Try again. If it keeps happening, check the server. ${hint}`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
