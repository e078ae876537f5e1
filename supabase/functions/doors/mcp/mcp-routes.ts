import type { DoorCall, DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { isTicket, makeTicket } from "../../_shared/browser-ticket.ts";
import { isJsonObject, type JsonObject } from "../../../../src/engine/json.ts";
import { type ApiKey, openWithKey } from "../run/api-key.ts";
import { answerMessage, isOfSession } from "./mcp-server.ts";
import { mcpToolsFor } from "./mcp-tools.ts";

const maxMessageBytes = 16 * 1024 * 1024;
const sessionHeader = "mcp-session-id";
/** What is answered by a stream that stays open. */
const streamed: ReadonlySet<unknown> = new Set(["tools/call", "subscriptions/listen"]);

/**
 * `POST /mcp/<slug>`: an MCP server with one published workflow as its tool; `POST /mcp`: one with all that the key may run.
 * Streamable HTTP: one JSON-RPC message in, server-sent events or JSON out. There is no stream of the server's own (GET), and a
 * session ends with its key (DELETE).
 */
function mcpRoute(path: DoorRoute["path"]): DoorRoute {
  return {
    method: "POST",
    path,
    async handle(call, context) {
      const key = await openWithKey(call, context);
      const slug = call.params["slug"];
      const tools = await mcpToolsFor(slug, key, context.supabase);
      const body = await readMessage(call);
      const session = await sessionOf(call, key, slug, body, context);
      call.share.giveBack();
      if (streamed.has(body["method"])) call.takeStream({ key: key.id });
      const response = await answerMessage({ call, body, key, session, tools, context });
      if (response.ok && body["method"] === "initialize") response.headers.set(sessionHeader, session);
      return response;
    },
  };
}

export const mcpRoutes: readonly DoorRoute[] = [mcpRoute("/mcp"), mcpRoute("/mcp/:slug")];

async function readMessage(call: DoorCall): Promise<JsonObject> {
  const body = await call.readJson(maxMessageBytes);
  // A batch would start many runs for one request of the key's limit; the protocol has dropped them.
  if (Array.isArray(body)) throw new DoorProblem(problems.badRequest("Send one message, not a batch."));
  if (!isJsonObject(body)) throw new DoorProblem(problems.badRequest("Send one JSON-RPC message."));
  return body;
}

/**
 * The session that a message belongs to; a new one for `initialize`, and for each message of a version without sessions. It is sealed for the key and the address, and opens nothing
 * without the key. Throws DoorProblem: 400 where there is none, 404 where it was made for another key or address, or made up.
 */
async function sessionOf(
  call: DoorCall,
  key: ApiKey,
  slug: string | undefined,
  body: JsonObject,
  { environment }: FunctionContext,
): Promise<string> {
  const holder = `${key.id} ${slug ?? ""}`;
  if (!(await isOfSession(call.request, body))) return crypto.randomUUID();
  if (body["method"] === "initialize") return makeTicket("mcp session", holder, environment.serviceRoleKey);
  const given = call.request.headers.get(sessionHeader);
  if (given === null) throw new DoorProblem(noSession);
  if (await isTicket(given, "mcp session", holder, environment.serviceRoleKey)) return given;
  throw new DoorProblem(unknownSession);
}

const noSession = problems.badRequest("Send initialize first, then its Mcp-Session-Id with each message.");
const unknownSession: Problem = {
  status: 404,
  code: "session_not_found",
  title: "Session not found",
  detail: "There is no such session for this API key. Send initialize again.",
};
