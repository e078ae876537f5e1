import { cancelledError, RunError } from "../errors.ts";
import type { Breakpoints, PauseDecision, PausePlace, PauseRequest } from "./breakpoints.ts";
import type { Host } from "../host.ts";
import type { Json } from "../json.ts";
import type { RunEventBody } from "./events.ts";

/** What is about to happen, and may be paused. */
interface Place extends PausePlace {
  callId?: string;
  toolName?: string;
  /** Computed only if the run pauses. */
  input(): Json;
}

/** How a place asks: where its events go and what stops it. */
interface PlaceUse {
  emit(event: RunEventBody): void;
  signal: AbortSignal;
  /** Stops the time limits that apply here while `wait` runs. */
  pausedWhile?<Value>(wait: () => Promise<Value>): Promise<Value>;
}

/** Continues, with another input if it was edited. */
interface Released {
  input?: Json;
}

/** The gate that every node, model call and tool call of a run passes, including those of nested runs. */
export interface Pauser {
  /**
   * Returns undefined if the run does not pause here; otherwise a promise that resolves when a person continues it and
   * rejects when the run stops.
   */
  hold(place: Place, use: PlaceUse): Promise<Released> | undefined;
  /** The same gate for a run inside a tool call: questions stand at `ownerId`, and only calls and steps are held. */
  under(ownerId: string, pausedWhile: NonNullable<PlaceUse["pausedWhile"]>): Pauser;
}

interface PauserOptions {
  host: Pick<Host, "pause" | "newId">;
  breakpoints?: Breakpoints | undefined;
  /** Ends the whole run. */
  stop(): void;
}

/** Makes the gate of one run. */
export function createPauser({ host, breakpoints, stop }: PauserOptions): Pauser {
  let stepping = false;
  const { pause } = host;
  if (!pause || !breakpoints) return { hold: () => undefined, under: () => openGate };

  async function ask(request: PauseRequest, shownAt: PausePlace, use: PlaceUse): Promise<Released> {
    const { pauseId, nodeId, atNodeId, kind, callId, input } = request;
    use.emit({
      type: "pause-wait",
      pauseId,
      kind,
      nodeId,
      atNodeId,
      ...(callId === undefined ? {} : { callId }),
      input,
    });
    const wait = () => decide({ ...request, ...shownAt }, use.signal);
    const decision = await (use.pausedWhile ? use.pausedWhile(wait) : wait());
    stepping = decision.action === "step";
    const edited = decision.action === "stop" ? undefined : decision.input;
    const given = edited === undefined ? {} : { input: edited };
    use.emit({ type: "pause-end", pauseId, nodeId, atNodeId, action: decision.action, ...given });
    if (decision.action !== "stop") return given;
    stop();
    throw new RunError(cancelledError());
  }

  /** A question that fails lets the run go on; a stop counts as one. */
  async function decide(request: PauseRequest, signal: AbortSignal): Promise<PauseDecision> {
    try {
      return (await pause?.(request, signal)) ?? { action: "continue" };
    } catch {
      return signal.aborted ? { action: "stop" } : { action: "continue" };
    }
  }

  function gate(owner: string | undefined, around: PlaceUse["pausedWhile"]): Pauser {
    return {
      hold({ input, ...place }, use) {
        // Breakpoints name nodes of the open workflow; inside another one there are other nodes.
        const asked = owner === undefined ? place : { ...place, nodeId: owner, atNodeId: "" };
        if (!stepping && !breakpoints?.holdsAt(asked)) return undefined;
        const request = { ...place, pauseId: host.newId(), input: input() };
        const shownAt = owner === undefined ? place : { kind: place.kind, nodeId: owner, atNodeId: owner };
        if (!around) return ask(request, shownAt, use);
        const pausedWhile = <Value>(wait: () => Promise<Value>) =>
          around(() => (use.pausedWhile ? use.pausedWhile(wait) : wait()));
        return ask(request, shownAt, { ...use, pausedWhile });
      },
      under: (ownerId, pausedWhile) =>
        gate(owner ?? ownerId, (wait) => (around ? around(() => pausedWhile(wait)) : pausedWhile(wait))),
    };
  }
  return gate(undefined, undefined);
}

const openGate: Pauser = { hold: () => undefined, under: () => openGate };
