import type { FileValue } from "../file/file.ts";
import type { Problem } from "../document/problem.ts";
import type { NodeRegistry } from "../document/define-node.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { ScratchSessions } from "../memory/scratch-memory.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Breakpoints } from "./breakpoints.ts";
import { cancelledError, RunError, type RunErrorData } from "../errors.ts";
import { EventQueue } from "./event-queue.ts";
import type { RunEvent } from "./events.ts";
import { Flow } from "./flow.ts";
import type { FlowResult } from "./flow-view.ts";
import { createPauser, type Pauser } from "./pauser.ts";
import { forkPointOf } from "./replay/fork-point.ts";
import { openReplay, openResumedReplay } from "./replay/open-replay.ts";
import type { Replay } from "./replay/replay.ts";
import type { ReplayOptions } from "./replay/replay-options.ts";
import { openResume, type ResumeOptions } from "./resume.ts";
import { RunLog } from "./run-log.ts";
import { taintOfAttachments } from "../model/attachments.ts";
import { findGivenFiles, type GivenValue } from "./given-files.ts";
import { prepareRun } from "./prepare-run.ts";
import type { Asker } from "../trust/run-sources.ts";
import type { Provenance } from "../trust/provenance/provenance.ts";
import { mayHaveSpoilt } from "../trust/spoilt-stores.ts";
import { joinTaint, noTaint, type Taint, untrustedField } from "../trust/taint.ts";
import { budgetProblems } from "../spending/unknown-prices.ts";
import type { RunPlan } from "./run-plan.ts";
import { newRunScope, type RunScope } from "./run-scope.ts";
import type { RunPart } from "./run-part.ts";
import { pinnedOutputs, reachOfRun, type RunExtent } from "./run-reach.ts";

/** What a run needs besides the workflow. */
export interface RunOptions extends RunExtent {
  registry: NodeRegistry;
  host: Host;
  /** The input comes from strangers, such as a public page: from where, in words for a person. */
  untrusted?: Taint;
  /** What the agent that called it knows of where values came from. */
  caller?: Provenance | undefined;
  /**
   * The owner trusts the callers of the door that started the run: what they send is not marked for coming from them. Attached
   * files and what the run reads from outside still are.
   */
  callersTrusted?: boolean;
  /** Who asks in the owner's place, where callers are trusted. */
  asker?: Asker;
  /**
   * Files that the run was given, as the studio stored them; references in `input` are files only where they stand here. Those of a
   * recording or of earlier attempts come with these.
   */
  files?: readonly FileValue[];
  /** Stops the run. */
  signal?: AbortSignal;
  /** A fresh UUID when absent. */
  runId?: string;
  /** How many workflows deep this run is; 0 for one that a person started. */
  depth?: number;
  /** The template variable `vars`; goes before what the workflow says. */
  vars?: JsonObject;
  /** What the run shares with the one that its events join. */
  scope?: RunScope;
  /** Ignores outputs that are pinned in the document, which are for tests only. */
  ignorePins?: boolean;
  /** Where the run pauses, through `host.pause`. */
  breakpoints?: Breakpoints;
  /** Serves what a former run recorded, up to a fork point. */
  replay?: ReplayOptions;
  /** Resumes this run (`runId` is its id) after its process went away; takes precedence over `replay`. */
  resume?: ResumeOptions;
  /**
   * A trial run: it reads conversations and changes none. By default this applies to forks, replays and runs of a
   * single node. Given the sessions of an earlier trial, it continues their conversations.
   */
  scratch?: boolean | ScratchSessions;
  /** For a run whose events join another's: the gate, the recording and the scratch sessions of that one. */
  around?: { pauser: Pauser; replay?: Replay; scratch?: ScratchSessions };
  /** Removes secrets from texts; applied where events are made. */
  redact?(text: string): string;
}

/**
 * Runs a workflow. The run starts at once and goes on however slowly its events are read; leaving the iteration early
 * stops it. Never throws: what goes wrong is in the events, of which `run-start` is the first and exactly one
 * `run-end` the last, numbered by `seq` without gaps.
 */
export function runWorkflow(document: WorkflowDocument, options: RunOptions): AsyncIterableIterator<RunEvent> {
  const controller = new AbortController();
  const stop = () => controller.abort(new RunError(cancelledError()));
  const queue = new EventQueue<RunEvent>(stop);
  const { signal, host } = options;
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  const runId = options.runId ?? host.newId();
  const resumed = options.resume && openResume(options.resume);
  const log = new RunLog({
    runId,
    now: () => host.now(),
    write: (event) => queue.push(event),
    redact: options.redact && ((text) => options.redact?.(text) ?? text),
    ...(resumed ? { written: resumed.written } : {}),
  });
  const startedAt = options.resume?.events[0]?.at ?? host.now();
  if (options.resume && resumed && resumed.events.length > 0) {
    const { attempt, worker } = options.resume;
    log.emit({
      type: "run-resume",
      attempt,
      brokenOff: resumed.brokenOff,
      ...(worker === undefined ? {} : { worker }),
    });
  } else {
    const forkedFrom = options.replay?.serve === "nothing" ? undefined : options.replay && forkPointOf(options.replay);
    log.emit({
      type: "run-start",
      workflowId: document.id,
      workflowName: document.name,
      input: options.input,
      ...untrustedField(inputTaint(options)),
      ...filesField(filesOf(options)),
      ...(forkedFrom ? { forkedFrom } : {}),
      ...partField(options),
    });
  }

  const endWork: (() => Promise<void>)[] = [];
  const finish = (result: FlowResult) => {
    const outcome = result.ok ? "completed" : result.error.code === "cancelled" ? "cancelled" : "failed";
    log.emit({
      type: "run-end",
      outcome,
      output: result.ok ? result.output : null,
      ...(result.ok ? {} : { error: result.error }),
      usage: { ...log.usage },
      costUsd: log.costUsd,
      durationMs: Math.max(0, host.now() - startedAt),
      ...untrustedField(result.untrusted ?? noTaint),
    });
    queue.end();
    signal?.removeEventListener("abort", stop);
    for (const work of endWork) void work().catch(() => {});
  };

  try {
    void start(document, options, { runId, log, controller, endWork, resumed }).then(finish, (error: unknown) =>
      finish(crashed(error)),
    );
  } catch (error) {
    finish(crashed(error));
  }
  return queue;
}

/** Which part the run takes, so that it can be run again. */
function partField({ startNodeId, stopAfterNodeId, pinned = {} }: RunPart): { part?: RunPart } {
  const part: RunPart = {
    ...(startNodeId === undefined ? {} : { startNodeId }),
    ...(stopAfterNodeId === undefined ? {} : { stopAfterNodeId }),
    ...(Object.keys(pinned).length === 0 ? {} : { pinned }),
  };
  return Object.keys(part).length === 0 ? {} : { part };
}

/**
 * Where untrusted content in the input came from: what the starter says, what the log of the run that is resumed or served says, and
 * files that are attached.
 */
function inputTaint({ input, untrusted, resume, replay }: RunOptions): Taint {
  const logs = [resume?.events, replay?.recording.events];
  const logged = logs.flatMap((events) => events?.find((event) => event.type === "run-start")?.untrusted ?? []);
  return joinTaint(untrusted ?? noTaint, logged, taintOfAttachments(input));
}

/** The files that a run begins with: those given, and those of the log that is resumed or served. */
function filesOf({ files = [], resume, replay }: RunOptions): FileValue[] {
  const logged = [...(resume?.events ?? []), ...(replay?.recording.events ?? [])].flatMap((event) => {
    if (event.type === "run-start") return event.files ?? [];
    return event.type === "file-add" ? [event.file] : [];
  });
  return [...new Map([...logged, ...files].map((file) => [file.$file, file])).values()];
}

function filesField(files: readonly FileValue[]): { files?: readonly FileValue[] } {
  return files.length === 0 ? {} : { files };
}

/** A bug in the engine itself still ends the run with an event. */
function crashed(error: unknown): FlowResult {
  return {
    ok: false,
    error: {
      code: "internal",
      message: `The run failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`,
      hint: "This should not happen. Report it with the workflow and the run's log.",
      retryable: false,
    },
  };
}

interface Started {
  runId: string;
  log: RunLog;
  controller: AbortController;
  endWork: (() => Promise<void>)[];
  resumed: ReturnType<typeof openResume> | undefined;
}

/** The recording that serves the run: its own earlier attempts, or another run. */
function replayFor(options: RunOptions, plan: RunPlan, { runId, resumed }: Started): Replay | undefined {
  if (options.around) return options.around.replay;
  if (resumed) return openResumedReplay(resumed.events);
  return options.replay && openReplay(options.replay, plan, options.registry, runId);
}

async function start(document: WorkflowDocument, options: RunOptions, run: Started): Promise<FlowResult> {
  const prepared = prepareRun(document, options.registry);
  const plan: RunPlan = options.callersTrusted ? { ...prepared.plan, callersTrusted: true } : prepared.plan;
  const pinned = pinnedOutputs(document, options);
  const { entry, members, problems: found } = reachOfRun(prepared, { ...options, pinned });
  const unpriced = options.host.allowsUnknownPrices ? [] : budgetProblems(document, options.registry, members);
  const problems = [...found, ...unpriced];
  if (!entry || problems.length > 0) return refuse(problems, options, run.log);
  if (run.controller.signal.aborted) return { ok: false, error: cancelledError() };
  const { depth = 0, scope = newRunScope(options.asker), around, host } = options;
  scope.startedAt ??= options.resume?.events[0]?.at ?? host.now();
  if (!around) for (const file of filesOf(options)) scope.files.set(file.$file, file);
  const pauser =
    around?.pauser ??
    createPauser({
      host,
      breakpoints: options.breakpoints,
      stop: () => run.controller.abort(new RunError(cancelledError())),
    });
  const given = givenValues(document, options, pinned, members);
  if (given.length > 0) {
    const missing = await takeGivenFiles(given, { host, scope, run });
    if (run.controller.signal.aborted) return { ok: false, error: cancelledError() };
    if (missing.length > 0) return refuse(missing, options, run.log);
  }
  const replay = replayFor(options, plan, run);
  // What the recorded run wrote after the fork point is written all the same.
  if (options.replay && !run.resumed)
    scope.ownStores.areSpoilt ||= mayHaveSpoilt(options.replay.recording.events, plan);
  const scratch: ScratchSessions | undefined = around?.scratch ?? scratchOf(options);
  const flow = new Flow({
    shared: {
      runId: run.runId,
      depth,
      caller: options.caller,
      document,
      plan,
      host,
      log: run.log,
      vars: { ...document.vars, ...options.vars },
      pinned,
      scope,
      pauser,
      ...(replay ? { replay } : {}),
      ...(scratch ? { scratch } : {}),
      startNested: (nested, { pauser: gate, replay: served, ...inner }) =>
        runWorkflow(nested, {
          ...inner,
          registry: options.registry,
          around: { pauser: gate, ...(served ? { replay: served } : {}), ...(scratch ? { scratch } : {}) },
          scope,
          depth: depth + 1,
          ignorePins: true,
        }),
      endWork: run.endWork,
    },
    members: withoutBranches(plan, members),
    controller: run.controller,
  });
  const result = await flow.runFrom(entry, options.input, inputTaint(options));
  if (!result.ok || options.stopAfterNodeId === undefined) return result;
  return { ...result, output: flow.outputOf(options.stopAfterNodeId) ?? null };
}

/** What takes the place of nodes that do not run: pinned outputs, outputs of an earlier run, and the input that the first node gets. */
function givenValues(
  document: WorkflowDocument,
  { input, startNodeId, pinned: own = {}, ignorePins }: RunOptions,
  pinned: Readonly<Record<string, Json>>,
  members: ReadonlySet<string>,
): GivenValue[] {
  const given = Object.entries(pinned).flatMap(([nodeId, value]): GivenValue[] => {
    if (!members.has(nodeId) && !Object.hasOwn(own, nodeId)) return [];
    const node = document.nodes[nodeId];
    return [{ nodeId, value, ...(node?.pin && ignorePins !== true ? { pinnedIn: node.title } : {}) }];
  });
  return startNodeId === undefined ? given : [...given, { nodeId: startNodeId, value: input }];
}

/** Adds the files of these values to those of the run. Gives what is wrong with them; nothing once the run is stopped. */
async function takeGivenFiles(
  given: readonly GivenValue[],
  { host, scope, run }: { host: Host; scope: RunScope; run: Started },
): Promise<Problem[]> {
  const { signal } = run.controller;
  try {
    const { found, problems } = await findGivenFiles(given, { known: scope.files, store: host.files, signal });
    for (const { nodeId, file } of found) {
      scope.files.set(file.$file, file);
      run.log.emit({ type: "file-add", nodeId, file });
    }
    return problems;
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}

/** Where a trial run keeps what it adds to conversations; undefined for a run that may change them. */
function scratchOf(options: RunOptions): ScratchSessions | undefined {
  if (typeof options.scratch === "object") return options.scratch;
  return isTry(options) ? new Map() : undefined;
}

/** Whether this is a trial run. A run that continues where its recording broke off is not. */
function isTry({ scratch, replay, startNodeId, stopAfterNodeId }: RunOptions): boolean {
  if (scratch !== undefined) return scratch !== false;
  if (startNodeId !== undefined && startNodeId === stopAfterNodeId) return true;
  if (replay === undefined) return false;
  const isFork = replay.until !== undefined || Object.keys(replay.changes ?? {}).length > 0;
  return isFork || replay.recording.events.some(({ type }) => type === "run-end");
}

/** Nodes of a for-each's branch run in flows of their own, unless the run starts inside it. */
function withoutBranches(plan: RunPlan, members: ReadonlySet<string>): Set<string> {
  const own = new Set(members);
  for (const [id, branch] of plan.branchMembers) {
    if (members.has(id)) for (const inner of branch) own.delete(inner);
  }
  return own;
}

/** The result of a run that cannot start: each problem is an error of its node, the first one also the run's. */
function refuse(problems: readonly Problem[], options: RunOptions, log: RunLog): FlowResult {
  const errors = problems.map(toErrorData);
  for (const error of errors) {
    if (error.nodeId === undefined) continue;
    log.emit({ type: "node-error", nodeId: error.nodeId, error, handled: false, durationMs: 0 });
  }
  const nothing: RunErrorData = {
    code: "missing_connection",
    message:
      options.startNodeId === undefined ? "The workflow has no trigger." : `There is no node "${options.startNodeId}".`,
    hint: "Add a trigger, or start at a node that exists.",
    retryable: false,
  };
  return { ok: false, error: errors[0] ?? nothing };
}

function toErrorData({ nodeId, field, code, message, hint }: Problem): RunErrorData {
  return {
    code,
    message,
    hint,
    retryable: false,
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(field ? { cause: { field } } : {}),
  };
}
