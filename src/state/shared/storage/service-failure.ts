import { ServiceError } from "../../../services/services.ts";

/** What the backend said: PostgREST's error body, or the auth library's error, with the HTTP status (0 = no answer). */
interface BackendFailure {
  status: number;
  code?: string;
  message?: string;
}

const tryAgain = "Try again in a moment. What you changed stays in this browser until then.";

const offline = () =>
  new ServiceError("offline", "The server cannot be reached.", "Check your connection, or that the studio is running.");

const expired = () =>
  new ServiceError("unauthorized", "Your session has expired.", "Sign in again; nothing that was saved is lost.");

/**
 * A failure of the backend in words that can be shown. `what` is the attempt, such as "save the workflow".
 * The codes are PostgREST's (PGRST…) and Postgres's.
 */
export function serviceFailure(what: string, failure: BackendFailure): ServiceError {
  const { status, code = "", message = "" } = failure;
  if (status === 0) return offline();
  if (status === 401 || code === "PGRST301" || code === "PGRST303") return expired();
  if (status === 429) {
    return new ServiceError("server", `Too many requests at once, so Switchyard could not ${what}.`, tryAgain);
  }
  // 22P02 about a uuid: an id, such as of a mistyped address, that no row can have. 23503: what it belongs to is gone.
  const noSuchId = code === "22P02" && /\buuid\b/.test(message);
  if (code === "PGRST116" || noSuchId || code === "23503" || status === 404) {
    return new ServiceError("not-found", `Could not ${what}: it does not exist.`, "It may have been deleted.");
  }
  if (code === "23505" || status === 409) {
    const hint = "Reload the page to see what is stored now.";
    return new ServiceError("conflict", `Could not ${what}: something like it exists already.`, hint);
  }
  // As the database counts: quota_exceeded <kind> <used> <most>.
  const limit = /^quota_exceeded (\w+) /.exec(failure.message ?? "")?.[1];
  if (limit !== undefined) return full(what, limit);
  if (status === 413 || code === "23514" || code.startsWith("22")) {
    const hint = "A workflow may hold 5 MB and a name 200 characters.";
    return new ServiceError("invalid", `Could not ${what}: it is too large or holds a value that does not fit.`, hint);
  }
  // 53100: the disk is full, which does not pass by itself.
  if (code === "53100") {
    const hint = "Free some space there. What you changed stays in this browser until then.";
    return new ServiceError("server", `The server's disk is full, so Switchyard could not ${what}.`, hint);
  }
  if (status === 403 || code === "42501") {
    const hint = "Sign in with the account that it belongs to.";
    return new ServiceError("unauthorized", `You do not have permission to ${what}.`, hint);
  }
  return new ServiceError("server", `The server failed to ${what} (status ${status}).`, tryAgain);
}

/** By kind of limit: what there are too many of, and what makes room. */
const limits: Readonly<Record<string, readonly [full: string, room: string]>> = {
  rows: ["Your account has reached its limit of entries", "Delete runs, versions, conversations or workflows"],
  bytes: ["Your account's storage is full", "Delete runs, documents or workflows"],
  events: ["Your account has reached its limit of run steps", "Delete runs, or keep them for fewer days in Settings"],
  documents: ["Your account has reached its limit of documents", "Delete documents"],
  uploads: ["Your account's room for uploaded documents is full", "Delete documents"],
};

/** Something of this account, by its kind of limit, is full. */
function full(what: string, kind: string): ServiceError {
  const [words, room] = limits[kind] ?? ["Your account's storage is full", "Delete what you no longer need"];
  const hint = `${room}, or ask whoever runs this studio for more. What is stored, and what you are editing, stays as it is.`;
  return new ServiceError("full", `${words}, so Switchyard could not ${what}.`, hint);
}

/** The same for what was thrown: a broken connection is offline, a ServiceError stays what it is. */
export function thrownFailure(what: string, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof TypeError) return offline();
  return new ServiceError("server", `Could not ${what}.`, tryAgain);
}
