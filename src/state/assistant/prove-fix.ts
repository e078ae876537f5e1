import { canonicalJson } from "../../engine/canonical-json.ts";
import { definitionOf, portOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordedPart } from "../../engine/run/replay/recorded-part.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import type { ReadRun } from "./desk.ts";
import { type Failure, failureIn, isSameFailure, wordsOfFailure } from "./run-failure.ts";

export { failureIn } from "./run-failure.ts";

/** What a proposed fix did to the recorded failure. */
export interface Proof {
  kind: "fixed" | "still-fails" | "not-reproduced";
  /** A sentence for the person. */
  reason: string;
  /** What the run with the fix did; empty where the failure was not reproduced. */
  events: readonly RunEvent[];
}

interface ProveOptions {
  run: ReadRun;
  /** The workflow with the fix. */
  fixed: WorkflowDocument;
  registry: NodeRegistry;
  /** Its calls are real, where the recording does not have them. */
  host: Host;
  signal: AbortSignal;
}

interface HeldStep {
  nodeId: string;
  name: string | undefined;
}

/** What the run with the fix was kept from, by its words. */
type Held = Map<string, HeldStep>;

const unproven = (reason: string): Proof => ({ kind: "not-reproduced", reason, events: [] });

/**
 * Runs a failed run again from its recording: first as it was, which has to fail again, then with the fix. With the fix, what came
 * before the failing call is served, and the rest is done for real, except for what may change something outside and for what a
 * person would have to agree to. Never rejects.
 */
export async function proveFix(options: ProveOptions): Promise<Proof> {
  const { run, fixed, signal } = options;
  const failure = failureIn(run.events);
  if (failure === undefined) return unproven("No step of the run failed, so there is nothing to reproduce.");
  if (recordedPart(run.events, run.document, options.registry) === undefined)
    return unproven("The run covered only part of the workflow, and which part was not stored.");
  const pins = await pinsThatReproduce(options, failure);
  if (signal.aborted) return unproven("It was stopped.");
  if (pins === undefined)
    return unproven("When run again from its recording, the workflow did not fail at the same step.");
  if (!isReached(fixed, failure, options.registry) && isReached(run.document, failure, options.registry))
    return unproven("The changes remove the failing step, so there is nothing to try.");
  const held: Held = new Map();
  const after = await replay(options, fixed, {
    ...pins,
    host: hostThatAsksNobody(options, held),
    replay: {
      recording: recordingOf(eventsBefore(run, fixed, failure), run.document),
      onMismatch: "live",
      onMiss: ({ message, nodeId, name }) => {
        if (message.includes("may change something")) held.set(message, { nodeId, name });
      },
    },
  });
  if (signal.aborted) return unproven("It was stopped.");
  return { ...verdictOf(after, failure, held), events: after };
}

interface Again extends Pick<Parameters<typeof runWorkflow>[1], "host" | "ignorePins"> {
  replay: Omit<ReplayOptions, "serve" | "mayWrite">;
}

async function replay({ run, registry, signal }: ProveOptions, document: WorkflowDocument, again: Again) {
  const start = run.events.find((event) => event.type === "run-start");
  const events: RunEvent[] = [];
  const running = runWorkflow(document, {
    registry,
    ...start?.part,
    input: start?.input ?? null,
    signal,
    scratch: new Map(),
    ...again,
    replay: { serve: "exchanges", mayWrite: [], ...again.replay },
  });
  for await (const event of running) events.push(event);
  return events;
}

/** How the run treated pinned outputs, which its events do not say: the way in which it fails again. */
async function pinsThatReproduce(
  options: ProveOptions,
  failure: Failure,
): Promise<{ ignorePins: boolean } | undefined> {
  const { run, host, signal } = options;
  const hasPins = Object.values(run.document.nodes).some(({ pin }) => pin !== undefined);
  for (const ignorePins of hasPins ? [false, true] : [false]) {
    const events = await replay(options, run.document, {
      host: { ...host, approve: async () => ({ approved: false, reason: "Nobody is asked." }) },
      ignorePins,
      replay: { recording: recordingOf(run.events, run.document), onMismatch: "stop" },
    });
    if (signal.aborted) return undefined;
    if (events.some((event) => isSameFailure(event, failure))) return { ignorePins };
  }
  return undefined;
}

/**
 * What of the recording still holds: all before the failing call, and the calls that a model made together with it. Calls of
 * tools that are set up in another way now are made again.
 */
function eventsBefore({ events, document }: ReadRun, fixed: WorkflowDocument, { event: failed, begin }: Failure) {
  const together = new Set<string>();
  if (failed.type === "tool-call-end")
    for (const event of events) {
      if (event.seq <= begin || !("nodeId" in event) || event.nodeId !== failed.nodeId) continue;
      if (event.type === "model-request") break;
      if (event.type === "tool-call-end" && event.ok) together.add(event.callId);
    }
  return events.filter((event) => {
    const isCall = event.type === "tool-call-start" || event.type === "tool-call-end";
    if (isCall && !isSameSetup(document, fixed, event.toolNodeId)) return false;
    return event.seq < begin || (isCall && together.has(event.callId));
  });
}

function isSameSetup(before: WorkflowDocument, after: WorkflowDocument, nodeId: string): boolean {
  const setup = ({ nodes }: WorkflowDocument) => {
    const { type, config, disabled = false } = nodes[nodeId] ?? { type: "", config: {} };
    return canonicalJson({ type, config, disabled });
  };
  return setup(before) === setup(after);
}

/** Whether the failing step is still there, switched on, and on a way from a trigger, or, for a tool, connected. */
function isReached({ nodes, edges }: WorkflowDocument, { event }: Failure, registry: NodeRegistry): boolean {
  const id = event.type === "tool-call-end" ? event.toolNodeId : event.type === "node-error" ? event.nodeId : undefined;
  if (id === undefined) return true;
  const node = nodes[id];
  if (node === undefined || node.disabled === true) return false;
  const wires = Object.values(edges);
  if (event.type === "tool-call-end") return wires.some(({ from }) => from.node === id);
  const kindOf = ({ to }: (typeof wires)[number]) => {
    const target = definitionOf(registry, nodes[to.node]?.type ?? "");
    return target && portOf(target.inputs, to.port)?.kind;
  };
  const before = new Set([id]);
  // A set that grows is gone through to its new end.
  for (const each of before)
    for (const wire of wires) if (wire.to.node === each && kindOf(wire) === "main") before.add(wire.from.node);
  return [...before].some((each) => definitionOf(registry, nodes[each]?.type ?? "")?.role === "trigger");
}

/** A person's word counts where they have given it to the same call of the recorded run; nobody is asked again. */
function hostThatAsksNobody({ host, run }: ProveOptions, held: Held): Host {
  return {
    ...host,
    approve(request) {
      const agreed = run.events.some(
        (event) =>
          event.type === "approval-end" &&
          event.approved &&
          event.toolNodeId === request.toolNodeId &&
          canonicalJson(event.input) === canonicalJson(request.input),
      );
      if (agreed) return Promise.resolve({ approved: true, input: request.input });
      const message = `A person has to approve calls of ${request.toolName}, so the call was not made.`;
      held.set(message, { nodeId: request.nodeId, name: request.toolName });
      return Promise.resolve({ approved: false, reason: "Nobody is asked while a fix is tried.", unasked: true });
    },
  };
}

function verdictOf(after: readonly RunEvent[], failure: Failure, held: Held): Omit<Proof, "events"> {
  const isOfHeld = (event: RunEvent) => event.type === "node-error" && held.has(event.error.message);
  const passes = after.some((event) => isPassed(event, failure));
  const own = passes ? undefined : [...held].find(([, step]) => isHeldStep(failure, step));
  const again = after.find((event) => isSameFailure(event, failure) && !isOfHeld(event));
  if (own !== undefined)
    return {
      kind: "not-reproduced",
      reason: `The failing step cannot be repeated without side effects: ${own[0]}`,
    };
  if (again !== undefined) return { kind: "still-fails", reason: wordsOfFailure(again) };
  const end = after.findLast((event) => event.type === "run-end");
  const [first] = held.keys();
  const kept = first === undefined ? "" : ` Not everything was done: ${first}`;
  if (end?.outcome === "completed")
    return {
      kind: "fixed",
      reason: `${passes ? "With the changes, the run gets past the failing step and completes." : "With the changes, the run completes without reaching the failing step."}${kept}`,
    };
  const stopped = end?.error && held.has(end.error.message) ? end.error.message : undefined;
  if (stopped !== undefined && passes)
    return {
      kind: "fixed",
      reason: `With the changes, the run gets past the failing step. It was then stopped: ${stopped}`,
    };
  if (stopped !== undefined)
    return { kind: "not-reproduced", reason: `The run was stopped before the failing step: ${stopped}` };
  if (end?.error === undefined) return { kind: "still-fails", reason: "The run did not complete." };
  const other = `${end.error.message} ${end.error.hint}`;
  return { kind: "still-fails", reason: passes ? `The run now fails at a later step: ${other}` : other };
}

/** A held call of a tool names the agent as its node; a held step of the flow is the node itself. */
function isHeldStep({ event }: Failure, { nodeId, name }: HeldStep): boolean {
  if (event.type === "tool-call-end") return event.nodeId === nodeId && event.toolName === name;
  return event.type === "node-error" && event.nodeId === nodeId;
}

function isPassed(event: RunEvent, { event: failed }: Failure): boolean {
  switch (failed.type) {
    case "node-error":
      return event.type === "node-end" && event.nodeId === failed.nodeId;
    case "tool-call-end":
      return event.type === "tool-call-end" && event.ok && event.toolNodeId === failed.toolNodeId;
    case "run-end":
      return event.type === "node-end";
  }
}
