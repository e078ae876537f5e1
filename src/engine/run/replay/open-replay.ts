import { canonicalJson } from "../../canonical-json.ts";
import type { NodeRegistry } from "../../document/define-node.ts";
import type { Json } from "../../json.ts";
import { planRun, type RunPlan } from "../run-plan.ts";
import type { RunEvent } from "../events.ts";
import { forkPointOf } from "./fork-point.ts";
import { Replay } from "./replay.ts";
import type { ReplayOptions } from "./replay-options.ts";

/** The replay of a run that starts now; compares nodes with the recording's document where that is known. */
export function openReplay(options: ReplayOptions, plan: RunPlan, registry: NodeRegistry, runId: string): Replay {
  const { document } = options.recording;
  const before = document && planRun(document, registry);
  // A branch asks again for each of its items.
  const known = new Map<string, boolean>();
  const isUnchanged = (nodeId: string) => {
    if (!before) return true;
    const same = known.get(nodeId) ?? canonicalJson(setupOf(before, nodeId)) === canonicalJson(setupOf(plan, nodeId));
    known.set(nodeId, same);
    return same;
  };
  const { seq = Infinity, callId } = forkPointOf(options);
  const { recording, changes = {}, until, onMismatch = "live", serve = "run", mayWrite } = options;
  return new Replay(recording.events, {
    seq,
    callId,
    changes,
    onMismatch,
    serve,
    mayWrite,
    onMiss: (miss) => options.onMiss?.(miss),
    // A test of a call begins with what had been said by then, also where the prompt has changed since.
    byPosition: serve !== "run" && until !== undefined,
    runIds: [recording.runId, runId],
    isUnchanged,
  });
}

/** What a resumed run is served: all that its earlier attempts finished. */
export function openResumedReplay(events: readonly RunEvent[]): Replay {
  return new Replay(events, {
    seq: Infinity,
    callId: undefined,
    changes: {},
    onMismatch: "live",
    serve: "run",
    mayWrite: undefined,
    onMiss: () => {},
    byPosition: true,
    runIds: [],
    isUnchanged: () => true,
  });
}

/** What a node is set to, and what serves it, however deep. */
function setupOf(plan: RunPlan, nodeId: string, seen: ReadonlySet<string> = new Set()): Json {
  const found = plan.nodes.get(nodeId);
  if (!found || seen.has(nodeId)) return null;
  const around = new Set([...seen, nodeId]);
  const services = found.services
    .filter(({ from }) => plan.nodes.get(from.node)?.node.disabled !== true)
    .map(({ from, to }): Json => [from.node, from.port, to.port, setupOf(plan, from.node, around)]);
  const { type, config, disabled = false } = found.node;
  return { type, config, disabled, services: services.toSorted(byText) };
}

function byText(a: Json, b: Json): number {
  const [left, right] = [canonicalJson(a), canonicalJson(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
