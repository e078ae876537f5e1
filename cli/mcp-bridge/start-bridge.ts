import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { listen } from "../../supabase/local/http/http-server.ts";
import { errorText, systemErrorCode } from "../../supabase/local/start-error.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import type { BridgeArguments } from "./arguments.ts";
import { type BridgedSession, bridgeSession } from "./bridged-session.ts";

/** A bridge that listens. */
export interface Bridge {
  url: string;
  /** What requests carry in `Authorization: Bearer …`. */
  token: string;
  /** Settles when the command has ended before any client came. */
  unused: Promise<void>;
  /** Ends all sessions and their processes. */
  close(): Promise<void>;
}

/** Each has a process of its own. */
const maxSessions = 16;

/** The most bytes of one message: as much as the studio takes of an answer. */
const maxMessageBytes = 32 * 1024 * 1024;

/**
 * Starts the command and listens on 127.0.0.1 for clients of Streamable HTTP with a new random token. Throws CommandFailure where
 * the command cannot start, StartError where the port cannot be had.
 */
export async function startBridge({ port, command, args, directory }: BridgeArguments): Promise<Bridge> {
  const sessions = new Set<BridgedSession>();
  const token = randomBytes(32).toString("base64url");

  async function startSession(): Promise<BridgedSession> {
    const environment = Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const child = new StdioClientTransport({
      command,
      args,
      cwd: directory,
      // As if it had been started in the same terminal.
      env: Object.fromEntries(environment),
      stderr: "inherit",
      maxBufferSize: maxMessageBytes,
    });
    await child.start();
    const session: BridgedSession = bridgeSession(child, () => {
      sessions.delete(session);
      if (!hasServed && sessions.size === 0) endedUnused();
    });
    sessions.add(session);
    return session;
  }

  let hasServed = false;
  let endedUnused = () => {};
  const unused = new Promise<void>((resolve) => {
    endedUnused = resolve;
  });
  /** Waits for the next client. The first one shows at once whether the command can start. */
  let spare: BridgedSession | undefined = await startSession().catch((error: unknown) => {
    throw cannotStart(command, error);
  });
  const close = () => Promise.all([...sessions].map((session) => session.close()));
  const server = await listen("127.0.0.1", port).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const own = `127.0.0.1:${server.port}`;

  async function newSession(): Promise<BridgedSession | Response> {
    if (sessions.size >= maxSessions) {
      // Clients that went away without a word do not keep others out.
      const idle = [...sessions].find(({ id, open }) => id !== undefined && open === 0);
      if (idle === undefined) return refusal(503, `${maxSessions} sessions are open already.`);
      await idle.close();
    }
    return startSession();
  }

  async function answer(request: Request): Promise<Response> {
    const refused = refusalOf(request, own, token);
    if (refused) return refused;
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const known = [...sessions].find((session) => session.id === id);
      if (known === undefined) return refusal(404, "Session not found. Send initialize again.");
      // To the end of the row: the first one is the one that was not used for longest.
      if (sessions.delete(known)) sessions.add(known);
      return known.handle(request);
    }
    if (request.method !== "POST") return refusal(400, "Send initialize first, then its Mcp-Session-Id.");
    const waiting = spare;
    spare = undefined;
    const session = waiting && sessions.has(waiting) ? waiting : await newSession();
    if (session instanceof Response) return session;
    const answered = await session.handle(request);
    hasServed ||= session.id !== undefined;
    if (session.id !== undefined) return answered;
    // It was no good `initialize`, and the process has heard nothing.
    if (spare === undefined) spare = session;
    else await session.close();
    return answered;
  }

  server.handle((request) => answer(request).catch((error: unknown) => refusal(502, errorText(error))));
  return {
    url: `http://${own}/mcp`,
    token,
    unused,
    async close() {
      await close();
      await server.close();
    },
  };
}

/** Why a request may not pass: it is for another name than ours (DNS rebinding), from a web page, or has no token. */
function refusalOf(request: Request, own: string, token: string): Response | undefined {
  const host = request.headers.get("host")?.toLowerCase();
  if (host !== own && host !== own.replace("127.0.0.1", "localhost"))
    return refusal(403, "This is not the bridge's host name.");
  if (request.headers.has("origin")) return refusal(403, "Web pages may not use the bridge.");
  const given = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (!timingSafeEqual(digest(given), digest(token))) {
    return refusal(401, "Send the token that the bridge printed, as Authorization: Bearer.", {
      "www-authenticate": 'Bearer realm="mcp-bridge"',
    });
  }
  if (new URL(request.url).pathname !== "/mcp") return refusal(404, "The bridge's path is /mcp.");
  return undefined;
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** JSON-RPC's number for a request that is not right. */
const invalidRequest = -32_600;

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code: invalidRequest, message } };
  return Response.json(body, { status, headers });
}

function cannotStart(command: string, error: unknown): CommandFailure {
  const hints: Record<string, string> = {
    ENOENT: "Check how it is spelled and that it is installed.",
    EACCES: "Make it executable, or name the program that runs it.",
  };
  const code = systemErrorCode(error) ?? "";
  const words = code === "ENOENT" ? "there is no such program" : errorText(error);
  return new CommandFailure(`${command} cannot start: ${words}.`, hints[code] ?? "Try it in this terminal.");
}
