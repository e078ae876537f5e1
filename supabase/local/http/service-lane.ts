import type { IncomingMessage, ServerResponse } from "node:http";
import { partyHeader } from "../../functions/_shared/caller-address.ts";
import { refused, unavailable } from "../rest/api-forwarder.ts";
import { currentSender, type Party, readParty } from "./current-sender.ts";
import { DatabaseUnavailable } from "../database/database-client.ts";
import type { ApiAnswer } from "../database/database-messages.ts";
import type { DatabaseService } from "../database/database-service.ts";
import type { Lane } from "./lane.ts";
import { refusalOfBody } from "../rest/rest-limits.ts";
import { errorText } from "../start-error.ts";

/** A call is small; what is larger goes the way on which memory is counted. */
const mostBytes = 64 * 1024;
const callPath = /^\/rest\/v1\/rpc\/[a-z_][a-z0-9_]*$/;
/** With any of these the API's other rules apply. */
const unusual = ["authorization", "origin", "prefer", "range", "expect", "content-encoding", "transfer-encoding"];

/**
 * The short way to the database for the edge functions, which call database functions with the service key, once or more for
 * each request of theirs: past the checks of origins, sessions and strangers, which that key passes anyway, and without the
 * web's objects for requests and streams. What a call does and answers stays the same. `isUsual` says of a path whether nobody
 * waits to hear that it was called.
 */
export function createServiceLane(
  database: Pick<DatabaseService, "request">,
  { secretKey, isUsual }: { secretKey: string; isUsual: (path: string) => boolean },
): Lane {
  return (incoming, outgoing) => {
    const { method, url = "", headers } = incoming;
    const length = Number(headers["content-length"] ?? Number.NaN);
    const isCall = method === "POST" && headers["apikey"] === secretKey && callPath.test(url) && isUsual(url);
    if (!isCall || !(length <= mostBytes) || unusual.some((name) => headers[name] !== undefined)) return false;
    const party = headers[partyHeader];
    receive(incoming, (body) => {
      const asWhom = typeof party === "string" ? readParty(party) : partyOf(body);
      void answer(database, url, { body, secretKey, party: asWhom }).then((sent) => send(sent, outgoing));
    });
    return true;
  };
}

/** A sender that goes away is not answered. */
function receive(incoming: IncomingMessage, done: (body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  incoming.on("data", (piece: Buffer) => pieces.push(piece));
  incoming.once("end", () => done(Buffer.concat(pieces)));
  incoming.on("error", () => undefined);
}

async function answer(
  database: Pick<DatabaseService, "request">,
  path: string,
  { body, secretKey, party }: { body: Buffer; secretKey: string; party: Party },
): Promise<ApiAnswer> {
  const refusal = refusalOfBody(body);
  if (refusal) return answerOf(refused(refusal));
  const headers: [string, string][] = [
    ["apikey", secretKey],
    ["content-type", "application/json"],
  ];
  const request = { method: "POST", url: `http://127.0.0.1${path}`, headers, body };
  try {
    return await currentSender.run(party, () => database.request(request));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return answerOf(unavailable(error));
    console.error(`A request failed: ${errorText(error)}`);
    return answerOf(Response.json({ code: "internal", message: "The server failed to answer." }, { status: 500 }));
  }
}

async function answerOf(response: Response): Promise<ApiAnswer> {
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

/** Where the function does not say for whom it works: an account, apart from what this asks for itself. */
function partyOf(body: Buffer): Party {
  const owner = /"p_owner":"([0-9a-f-]{36})"/.exec(body.toString("latin1"))?.[1];
  return { name: owner === undefined ? "functions" : `functions for ${owner}` };
}

function send({ status, headers, body }: ApiAnswer, outgoing: ServerResponse): void {
  const bytes = Buffer.from(body ?? "");
  outgoing.writeHead(status, {
    ...Object.fromEntries(headers),
    "cache-control": "no-store",
    ...(body === null ? {} : { "content-length": bytes.byteLength }),
  });
  outgoing.end(body === null ? undefined : bytes);
}
