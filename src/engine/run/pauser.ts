import { RunError } from "./errors.ts";
import { cancelledError } from "./error-data.ts";
import type { Breakpoints, PauseDecision, PausePlace, PauseRequest } from "./breakpoints.ts";
import type { Host } from "../host.ts";
import type { Json } from "../json.ts";
import type { RunEventBody } from "./events.ts";

/** What is about to happen, to be held or not. */
interface Place extends PausePlace {
  callId?: string;
  toolName?: string;
  /** Worked out only when the run is held. */
  input(): Json;
}

/** How a place asks: where its events go and what stops it. */
interface PlaceUse {
  emit(event: RunEventBody): void;
  signal: AbortSignal;
  /** Stops the clocks that run at this place. */
  pausedWhile?<Value>(wait: () => Promise<Value>): Promise<Value>;
}

/** Goes on, with another input when it was edited. */
interface Released {
  input?: Json;
}

/** The gate that every node, model call and tool call of a run goes through, nested runs included. */
export interface Pauser {
  /** Undefined when nothing is to be held here; else resolves once a person lets it go on. Rejects when the run stops. */
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
