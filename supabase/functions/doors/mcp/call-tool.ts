import { schemaCheck } from "../../../../src/engine/json-schema/schema-check.ts";
import { attachmentProblem, isMessage } from "../../../../src/engine/model/attachments.ts";
import type { JsonObject } from "../../../../src/engine/json.ts";
import { problemOf } from "../../_shared/door.ts";
import type { DoorRun } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { withoutBytes } from "../../_shared/files/attached.ts";
import { fileLinkSeconds, withFileLinks } from "../../_shared/files/file-link.ts";
import { type AnswerNews, followAnswer, textOf } from "../../_shared/follow-answer.ts";
import { startWithFiles } from "../../_shared/start-with-files.ts";
import type { ApiKey } from "../run/api-key.ts";
import { withOwnSession } from "../run/sessions.ts";
import { fileContent, type ToolContent } from "./file-content.ts";
import type { McpTool } from "./mcp-tools.ts";
import { errorText } from "../../../../src/engine/errors.ts";

/** What MCP calls a tool's result. */
export interface ToolResult {
  content: ToolContent[];
  isError?: true;
  _meta?: { "switchyard/run": string };
}

/** One call of a tool. */
export interface ToolCall {
  tool: McpTool;
  given: JsonObject;
  key: ApiKey;
  /** Names the request, so that it starts one run however often it comes, and its cancellation finds that run. */
  requestKey: string;
  /** Aborts when the client goes away. The run goes on: only a cancellation ends it. */
  signal: AbortSignal;
  /** Takes a place among those that follow this run. Throws DoorProblem where there is none. */
  follow(run: string): void;
  /** Tells who waits what happens now. */
  tell(words: string): Promise<void>;
  /** Begins the addresses of files. */
  base: string;
  /** Of the protocol. */
  version: string;
}

/** Runs a workflow to its end. What goes wrong is a result that the client's model reads. */
export async function callTool(call: ToolCall, context: FunctionContext): Promise<ToolResult> {
  const { tool, given, key, requestKey, signal } = call;
  const verdict = schemaCheck(tool.input.schema)(given);
  if (!verdict.ok) return failed(`The arguments do not fit. ${verdict.reason}`);
  const input = tool.input.read(given);
  const problem = tool.published.takesFiles ? attachmentProblem(input) : undefined;
  if (problem !== undefined) return failed(`The arguments do not fit. ${problem}`);
  if (tool.published.takesMessages && !isMessage(input)) return failed("The arguments do not fit. Give a message.");
  try {
    const own = await withOwnSession(input, key, tool.published, requestKey);
    const start = {
      publication: tool.door,
      target: String(tool.version),
      source: "mcp",
      keyId: key.id,
      idempotencyKey: requestKey,
      subject: own.session,
      sender: { kind: "key", name: key.id },
    } as const;
    const { supabase } = context;
    const { id } = await startWithFiles(context, withoutBytes(own.input), start, signal);
    call.follow(id);
    let isWriting = false;
    for await (const news of followAnswer(supabase, id, tool.published.answering, signal)) {
      if (news.kind === "end") return { ...(await resultOf(news.run, call, context)), _meta: { "switchyard/run": id } };
      const words = wordsOf(news, isWriting);
      isWriting ||= news.kind === "text";
      if (words !== undefined) await call.tell(words);
    }
    return failed("The connection was closed.");
  } catch (error) {
    return failed(problemOf(error).detail);
  }
}

const statusWords: Partial<Record<DoorRun["status"], string>> = {
  queued: "Waiting for a worker",
  running: "Running",
  waiting: "Waiting",
};

const namedTool = { started: "Calling", finished: "Called", failed: "Failed:" } as const;

function wordsOf(news: Exclude<AnswerNews, { kind: "end" }>, isWriting: boolean): string | undefined {
  switch (news.kind) {
    case "status":
      return statusWords[news.status];
    case "tool":
      return `${namedTool[news.state]} ${news.name}`;
    case "text":
      return isWriting ? undefined : "Writing the answer";
  }
}

async function resultOf(run: DoorRun, terms: ToolCall, context: FunctionContext): Promise<ToolResult> {
  const { id, status, output, error } = run;
  if (status === "completed") {
    const linked = await withFileLinks(output ?? null, id, context.environment, fileLinkSeconds.api, terms.base);
    return { content: [{ type: "text", text: textOf(linked) }, ...(await fileContent(run, terms, context))] };
  }
  if (status === "cancelled") return failed("The run was cancelled.");
  return failed(error ? errorText(error) : "The run ended without an answer.");
}

function failed(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
