import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten";
import type { CodeRequest, MadeFile } from "../../engine/host.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { type CodeOutcome, limitReached, outOfMemory, timeLimit } from "./code-outcome.ts";
import { answer, compareTexts, errorText } from "./answers.ts";
import { createLogSink, preludeCode } from "./console.ts";
import { grownBytes } from "./load-quickjs.ts";
import { createFileBridge, type FileBridge } from "./file-bridge.ts";
import { filesCode } from "./files-code.ts";
import { intlCode } from "./intl-code.ts";
import { timersCode } from "./timers-code.ts";
import { webCode } from "./web-code.ts";

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$_\u200c\u200d]*$/u;

const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield args"
  ).split(" "),
);

/** The names that can be variables of a strict function, each once; any other is reached as `args["its name"]`. */
function parameterNames(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => identifier.test(name) && !reserved.has(name));
}

/** More stack than this lets deep recursion inside crash the WebAssembly host instead of throwing inside. */
const stackBytes = 64 * 1024;
/** Characters of JSON that a result may have. */
const largestOutput = 5_000_000;
/** How deep a result may nest: readers of events walk it recursively. */
const deepestOutput = 200;
/** Promise callbacks run before the deadline is looked at again. */
const jobsPerTurn = 1000;

/**
 * Runs a function body in a QuickJS module that nothing else uses, and blocks while it computes: call it in a worker,
 * or where blocking for `timeoutMs` is acceptable. Inside there is the language with `Intl`, `console`, timers, `URL`, `files` and
 * the like, made of texts, numbers and bytes that the host answers with; nothing of the host itself. A timer fires at once: what the
 * code waited counts as its time, and is told as `waitedMs`.
 * The body sees each argument and each input as a variable, and all arguments as `args`; it may `await` and returns any
 * JSON value. Its time starts when the sandbox stands.
 * Never rejects: each failure is `{ ok: false, error }` in words.
 */
export async function runCode(
  module: QuickJSWASMModule,
  request: CodeRequest,
  now: () => number = Date.now,
): Promise<CodeOutcome> {
  let deadline = Infinity;
  const late = () => now() >= deadline;
  let waitedMs = 0;
  const startClock = () => (deadline = now() + request.timeoutMs);
  const wait = (ms: number) => {
    deadline -= ms;
    waitedMs = Math.min(waitedMs + ms, request.timeoutMs);
  };
  const sink = createLogSink();
  const refuse = (failure: string): CodeOutcome => {
    // Without memory for an error, QuickJS throws null, as code may too.
    const isFull = failure === "null" && grownBytes(module) > request.memoryBytes / 2;
    const cause = isFull ? outOfMemory : failure;
    const limit = late() ? timeLimit(request.timeoutMs) : limitReached(cause, request.memoryBytes);
    const error = limit ?? (failure === "" ? "The code failed with a value that cannot be shown." : failure);
    return { result: { ok: false, error, logs: sink.lines }, reachedLimit: limit !== undefined, waitedMs };
  };
  try {
    const runtime = module.newRuntime();
    runtime.setMemoryLimit(request.memoryBytes);
    runtime.setMaxStackSize(stackBytes);
    runtime.setInterruptHandler(late);
    const context = runtime.newContext();
    const files = createFileBridge(context, module, request);
    const outcome = await execute(context, request, { write: sink.write, startClock, late, wait, files });
    if (!outcome.ok) return refuse(outcome.error);
    const { output, made } = outcome;
    const result = { ok: true as const, output, logs: sink.lines, ...(made.length > 0 ? { made } : {}) };
    return { result, reachedLimit: false, waitedMs };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

type Outcome = { ok: true; output: Json; made: readonly MadeFile[] } | { ok: false; error: string };

/** The console and the clock of a run. */
interface Surroundings {
  write(line: string): void;
  startClock(): void;
  late(): boolean;
  /** Counts as time what a timer waits. */
  wait(ms: number): void;
  files: FileBridge;
}

/** What is there only once it is used, by its name in the prelude. */
const parts: Readonly<Record<string, string>> = { intl: intlCode, web: webCode, timers: timersCode, files: filesCode };

async function execute(context: QuickJSContext, request: CodeRequest, surroundings: Surroundings): Promise<Outcome> {
  const { write, startClock, late, wait, files } = surroundings;
  const prelude = context.evalCode(preludeCode, "prelude.js");
  if (prelude.error) return { ok: false, error: describeThrown(context, prelude.error) };
  const writeHandle = context.newFunction("write", (line) => write(context.getString(line)));
  const bridge = [
    writeHandle,
    context.newFunction("ask", (name, input) =>
      context.newString(answer(context.getString(name), context.getString(input))),
    ),
    context.newFunction("compareTexts", (key, one, other) => {
      try {
        return context.newNumber(
          compareTexts(context.getString(key), context.getString(one), context.getString(other)),
        );
      } catch (error) {
        return context.newString(errorText(error));
      }
    }),
    context.newFunction("source", (part) => context.newString(parts[context.getString(part)] ?? "")),
    ...files.functions,
  ];
  const tools = context.unwrapResult(context.callFunction(prelude.value, context.undefined, ...bridge));
  const parse = context.getProp(tools, "parse");
  const stringify = context.getProp(tools, "stringify");

  const variables: JsonObject = { ...request.inputs, ...request.args };
  const names = parameterNames([...(request.declared ?? []), ...Object.keys(variables)]);
  // Text that closes the function runs while it is compiled.
  startClock();
  // The inner block lets the body declare a variable that is named like an argument.
  const source = `(async function (${["args", ...names].join(", ")}) { "use strict"; {\n${request.code}\n}})`;
  const compiled = context.evalCode(source, "code.js");
  if (compiled.error) return { ok: false, error: describeThrown(context, compiled.error) };

  const read = (value: JsonObject) =>
    context.callFunction(parse, context.undefined, context.newString(JSON.stringify(value)));
  const args = read(request.args);
  if (args.error) return { ok: false, error: describeThrown(context, args.error) };
  const inputs = read(request.inputs ?? {});
  if (inputs.error) return { ok: false, error: describeThrown(context, inputs.error) };
  const values = names.map((name) => {
    if (Object.hasOwn(request.args, name)) return context.getProp(args.value, name);
    return Object.hasOwn(variables, name) ? context.getProp(inputs.value, name) : context.undefined;
  });
  const called = context.callFunction(compiled.value, context.undefined, args.value, ...values);
  if (called.error) return { ok: false, error: describeThrown(context, called.error) };

  const nextTimer = context.getProp(tools, "wait");
  const fire = context.getProp(tools, "fire");
  for (;;) {
    const failure = runJobs(context, late);
    if (failure !== undefined) return { ok: false, error: failure };
    if (context.getPromiseState(called.value).type !== "pending") break;
    const work = files.next();
    if (work) {
      await work;
      continue;
    }
    const next = context.callFunction(nextTimer, context.undefined);
    if (next.error) return { ok: false, error: describeThrown(context, next.error) };
    const ms = context.getNumber(next.value);
    if (!(ms >= 0)) break;
    wait(ms);
    if (late()) return { ok: false, error: "timeout" };
    const fired = context.callFunction(fire, context.undefined);
    if (fired.error) return { ok: false, error: describeThrown(context, fired.error) };
  }
  const promise = context.getPromiseState(called.value);
  if (promise.type === "pending") return { ok: false, error: "The code waits for something that never happens." };
  if (promise.type === "rejected") return { ok: false, error: describeThrown(context, promise.error) };
  const text = context.callFunction(stringify, context.undefined, promise.value);
  if (text.error) return { ok: false, error: describeThrown(context, text.error) };
  return readOutput(context, text.value, files.made);
}

/** Runs what promises wait for; gives the limit that ended it. */
function runJobs(context: QuickJSContext, late: () => boolean): string | undefined {
  while (context.runtime.hasPendingJob()) {
    if (late()) return "timeout";
    const ran = context.runtime.executePendingJobs(jobsPerTurn);
    // What the code throws stays in its promise; a job itself fails only at a limit, without memory for an error.
    if (ran.error) return context.dump(ran.error) === null ? outOfMemory : "interrupted";
  }
  return undefined;
}

function readOutput(context: QuickJSContext, text: QuickJSHandle, made: readonly MadeFile[]): Outcome {
  const length = context.getNumber(context.getProp(text, "length"));
  if (length > largestOutput)
    return { ok: false, error: `The result has ${length} characters of JSON; ${largestOutput} are allowed.` };
  const json = context.getString(text);
  if (nesting(json) > deepestOutput)
    return { ok: false, error: `The result is nested deeper than ${deepestOutput} levels.` };
  return { ok: true, output: JSON.parse(json) as Json, made };
}

/** How deep brackets nest in valid JSON text. */
function nesting(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, (depth += 1));
    else if (character === "]" || character === "}") depth -= 1;
  }
  return deepest;
}

function describeThrown(context: QuickJSContext, thrown: QuickJSHandle): string {
  const value: unknown = context.dump(thrown);
  if (typeof value !== "object" || value === null) return String(value).slice(0, 2000);
  const name = "name" in value && typeof value.name === "string" ? value.name : "Error";
  const message = "message" in value && typeof value.message === "string" ? value.message : JSON.stringify(value);
  return `${name}: ${message}`.slice(0, 2000);
}
