import { randomUUID } from "node:crypto";
import type { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";

/** A client's session and the process that serves it. */
export interface BridgedSession {
  /** Undefined until the client has sent `initialize`. */
  readonly id: string | undefined;
  /** Requests and streams that are under way. */
  readonly open: number;
  /** Answers one request of HTTP. */
  handle(request: Request): Promise<Response>;
  /** Ends the session; its process with it. */
  close(): Promise<void>;
}

/** JSON-RPC's number for a fault of the server. */
const serverError = -32_000;

/**
 * Passes messages between a client and a process that has started. Nothing is read into them but what an answer belongs to, so that
 * both sides may use whatever the protocol has. `ended` is told once, whichever side ends the session.
 */
export function bridgeSession(child: StdioClientTransport, ended: () => void): BridgedSession {
  /** Requests of the client that have no answer yet, by their id, with what their progress is reported under. */
  const waiting = new Map<RequestId, RequestId | undefined>();
  const http = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  /** Each counts once, however it ends. */
  const open = new Set<symbol>();
  let isOver = false;
  let ending: Promise<void> | undefined;
  const endProcess = () => (ending ??= child.close());

  /** Which stream a message of the process goes to: the client's own stream of news where none is named. */
  function streamOf(message: JSONRPCMessage): RequestId | undefined {
    if (!("method" in message)) return undefined;
    const token = message.method === "notifications/progress" ? message.params?.["progressToken"] : undefined;
    if (token !== undefined) return [...waiting].find(([, given]) => given === token)?.[0];
    // What comes while one call is under way is almost always the call's, and not every client listens for news.
    return waiting.size === 1 ? waiting.keys().next().value : undefined;
  }

  function toClient(message: JSONRPCMessage): void {
    const relatedRequestId = streamOf(message);
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) waiting.delete(message.id);
    // A client that went away does not hear its answer.
    void http.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => {});
  }

  function toProcess(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      const { _meta: meta } = message.params ?? {};
      waiting.set(message.id, meta?.progressToken);
    }
    void child.send(message).catch(over);
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return;
    // What was cancelled gets no answer.
    waiting.delete(id);
    http.closeSSEStream(id);
  }

  function over(): void {
    if (isOver) return;
    isOver = true;
    for (const id of waiting.keys()) {
      const error = { code: serverError, message: "The MCP server's process ended before it answered." };
      void http.send({ jsonrpc: "2.0", id, error }).catch(() => {});
    }
    waiting.clear();
    void http.close();
    ended();
  }

  Object.assign(http, { onmessage: toProcess, onclose: () => void endProcess() });
  Object.assign(child, { onmessage: toClient, onclose: over });
  return {
    get id() {
      return http.sessionId;
    },
    get open() {
      return open.size;
    },
    async handle(request) {
      const one = Symbol("request");
      open.add(one);
      const done = () => void open.delete(one);
      const response = await http.handleRequest(request).catch((error: unknown) => {
        done();
        throw error;
      });
      return whenSent(response, done);
    },
    async close() {
      await http.close();
      await endProcess();
      over();
    },
  };
}

/** The response, which tells when its body has been sent or nobody wants it any more. */
function whenSent(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const piece = await reader.read();
        if (!piece.done) return controller.enqueue(piece.value);
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
