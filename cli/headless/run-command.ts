import { randomUUID } from "node:crypto";
import { readDocument } from "../../src/engine/document/read-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { EventOf, RunEvent } from "../../src/engine/run/events.ts";
import type { RunErrorData } from "../../src/engine/errors.ts";
import { fileStore } from "../../src/engine/in-memory/file-store.ts";
import { isJsonObject } from "../../src/engine/json.ts";
import { EventMask } from "../../src/engine/run/privacy/event-mask.ts";
import { runWorkflow } from "../../src/engine/run/run-workflow.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { createRedactor } from "../../supabase/functions/_shared/redact.ts";
import { CommandFailure } from "./command-failure.ts";
import { noCredentials, readCredentials } from "./credentials-file.ts";
import { openMemoryFile } from "./memory-file.ts";
import { readKnowledgeFiles } from "./knowledge-files.ts";
import type { Arguments } from "./parse-arguments.ts";
import { printLine, printNotes } from "./print.ts";
import { readPolicy } from "./read-policy.ts";
import { readInput, readJsonFile, readVariables } from "./read-file.ts";
import { readRecording, writeTraces } from "./run-files.ts";
import { readWorkflowDirectory } from "./workflow-directory.ts";

const unkept =
  "Warning: What the agent remembers ends with this run.\n  Name a file with --memory to keep its conversations.";

const plain =
  "Warning: This workflow encrypts its conversations; the file of --memory keeps them as plain text.\n  Only its owner can read the file. Encrypt its disk if that is not enough.";

/**
 * Runs the workflow that the command line names and prints its output or its events. Resolves to the exit code: 0 when
 * the run completed, 1 when not. Throws CommandFailure for what is wrong before the run starts.
 */
export async function runCommand(options: Arguments, signal: AbortSignal): Promise<0 | 1> {
  const policy = await readPolicy(options.allowHosts);
  const document = await readWorkflow(options.workflow);
  const input = await readInput(options.input);
  const vars = options.vars === undefined ? {} : await readVariables(options.vars);
  const credentials = options.credentials
    ? await readCredentials(options.credentials, options.allowHosts)
    : noCredentials;
  const redactor = createRedactor(credentials.secrets);
  const workflows = await readWorkflowDirectory(options.workflows);
  const knowledge = await readKnowledgeFiles(options.knowledge);
  // Loaded last: most of the packages are its.
  const { createNodeHost } = await import("./node-host.ts");
  const memory = options.memory === undefined ? undefined : await openMemoryFile(options.memory);
  const host = createNodeHost({
    credentials,
    policy,
    approve: options.approve,
    repeat: options.repeat,
    workflows,
    knowledge,
    files: fileStore({ newId: randomUUID }),
    ...(memory ? { memory } : {}),
    onUnkeptMemory: () => void printLine(unkept, process.stderr),
    onPlainMemory: () => void printLine(plain, process.stderr),
  });
  const replay = options.replay === undefined ? undefined : await readRecording(options.replay, options.until);
  const mask = document.privacy && new EventMask(document.privacy);
  const kept: RunEvent[] = [];
  const events = runWorkflow(document, {
    registry: nodeRegistry,
    host,
    input,
    vars,
    signal,
    ignorePins: !options.pins,
    ...(replay ? { replay } : {}),
    ...(credentials.secrets.length > 0 ? { redact: redactor.text } : {}),
  });
  let end: EventOf<"run-end"> | undefined;
  const failures: EventOf<"node-error">[] = [];
  let endError: RunErrorData | undefined;
  for await (const event of events) {
    // A printed or written log is a stored one: what the workflow's privacy settings name is masked.
    for (const logged of mask?.take(event) ?? [event]) {
      if (options.otel !== undefined) kept.push(logged);
      if (options.events) await printLine(JSON.stringify(logged));
      if (logged.type === "node-error" && !logged.handled) failures.push(logged);
      if (logged.type === "run-end") endError = logged.error;
    }
    if (event.type === "run-end") end = event;
    else if (event.type !== "node-error") await tell(event, document, options.events);
  }
  if (options.otel !== undefined) await writeTraces(options.otel, bySeq(kept), document, options.otelContent);
  if (end?.outcome === "completed") {
    if (!options.events) await printLine(JSON.stringify(end.output, null, 2));
    return 0;
  }
  await explain(document, failures, end?.outcome, endError);
  return 1;
}

/** Masked pieces of a stream come later than their place. */
function bySeq(events: readonly RunEvent[]): RunEvent[] {
  return events.toSorted((a, b) => a.seq - b.seq);
}

/** Warnings and early stops are for the person at the terminal; with --events they are already in the stream. */
async function tell(event: RunEvent, document: WorkflowDocument, inStream: boolean): Promise<void> {
  if (inStream) return;
  if (event.type === "iteration-end" && event.ending) {
    const { message, hint } = event.ending;
    return await printLine(`Stopped early${at(document, event.nodeId)}: ${message}\n  ${hint}`, process.stderr);
  }
  if (event.type !== "warning") return;
  await printLine(`Warning${at(document, event.nodeId)}: ${event.message}\n  ${event.hint}`, process.stderr);
}

async function explain(
  document: WorkflowDocument,
  failures: EventOf<"node-error">[],
  outcome: EventOf<"run-end">["outcome"] | undefined,
  last: RunErrorData | undefined,
): Promise<void> {
  const errors: RunErrorData[] = failures.map(({ nodeId, error }) => ({ ...error, nodeId }));
  if (last && !errors.some((error) => error.message === last.message)) errors.push(last);
  if (errors.length === 0) {
    errors.push({
      code: "cancelled",
      message: outcome === "cancelled" ? "The run was cancelled." : "The run failed.",
      hint: "Run it again with --events to see each step.",
      retryable: true,
    });
  }
  for (const error of errors) {
    const said = [error.message, error.hint, ...serverWords(error)].join("\n  ");
    await printLine(`Error (${error.code})${at(document, error.nodeId)}: ${said}`, process.stderr);
  }
}

const mostServerWords = 1_000;

/** What the server answered, where the error keeps it and its message does not say it already. */
function serverWords({ cause, message }: RunErrorData): string[] {
  const said = isJsonObject(cause) ? (cause["body"] ?? cause["message"]) : undefined;
  if (said === undefined || said === null || said === "") return [];
  const text = (typeof said === "string" ? said : JSON.stringify(said)).trim().replace(/\s*\n\s*/g, " ");
  if (message.includes(text)) return [];
  return [`The server said: ${text.length > mostServerWords ? `${text.slice(0, mostServerWords)}…` : text}`];
}

function at(document: WorkflowDocument, nodeId: string | undefined): string {
  const node = nodeId === undefined ? undefined : document.nodes[nodeId];
  return node ? ` at "${node.title}"` : "";
}

async function readWorkflow(path: string): Promise<WorkflowDocument> {
  const read = readDocument(await readJsonFile(path, "workflow file"), nodeRegistry, randomUUID);
  if (read.ok) {
    await printNotes(read.notes);
    return read.document;
  }
  throw new CommandFailure(
    `The workflow file ${path} is not valid:\n${read.problems.map((problem) => `  - ${problem}`).join("\n")}`,
    "Export it again from the studio, or correct the named places.",
  );
}
