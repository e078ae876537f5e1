import { createStore, type StoreApi } from "zustand/vanilla";
import type { Breakpoints, PausePlace } from "../../engine/run/breakpoints.ts";

/** Where runs of one workflow are held in this browser. */
export interface BreakpointState {
  /** Ids of nodes that are held before they start; model and tool nodes before each call. */
  nodes: readonly string[];
  beforeModelCalls: boolean;
  beforeToolCalls: boolean;
  toggle(nodeId: string): void;
  setBeforeModelCalls(on: boolean): void;
  setBeforeToolCalls(on: boolean): void;
  /** Removes all of them. */
  clear(): void;
}

export interface BreakpointStore extends StoreApi<BreakpointState> {
  /** What a run asks; it sees changes at once. */
  breakpoints: Breakpoints;
}

type Places = Pick<BreakpointState, "nodes" | "beforeModelCalls" | "beforeToolCalls">;

const nowhere: Places = { nodes: [], beforeModelCalls: false, beforeToolCalls: false };

/**
 * The breakpoints of one workflow. They are a matter of who looks, so they are kept in this browser and not in the
 * document; without storage they last as long as the tab.
 */
export function createBreakpointStore(workflowId: string, storage: () => Storage): BreakpointStore {
  const key = `switchyard:breakpoints:${workflowId}`;
  const store = createStore<BreakpointState>()((set) => ({
    ...read(key, storage),
    toggle: (nodeId) =>
      set(({ nodes }) => ({
        nodes: nodes.includes(nodeId) ? nodes.filter((id) => id !== nodeId) : [...nodes, nodeId],
      })),
    setBeforeModelCalls: (beforeModelCalls) => set({ beforeModelCalls }),
    setBeforeToolCalls: (beforeToolCalls) => set({ beforeToolCalls }),
    clear: () => set(nowhere),
  }));
  store.subscribe(({ nodes, beforeModelCalls, beforeToolCalls }) =>
    write(key, storage, { nodes, beforeModelCalls, beforeToolCalls }),
  );
  return Object.assign(store, { breakpoints: { holdsAt: (place: PausePlace) => holdsAt(store.getState(), place) } });
}

function holdsAt({ nodes, beforeModelCalls, beforeToolCalls }: Places, { kind, atNodeId }: PausePlace): boolean {
  if (nodes.includes(atNodeId)) return true;
  switch (kind) {
    case "node":
      return false;
    case "model-call":
      return beforeModelCalls;
    case "tool-call":
      return beforeToolCalls;
    default:
      return kind satisfies never;
  }
}

function read(key: string, storage: () => Storage): Places {
  try {
    const stored: unknown = JSON.parse(storage().getItem(key) ?? "null");
    if (typeof stored !== "object" || stored === null) return nowhere;
    const nodes: unknown = Reflect.get(stored, "nodes");
    return {
      nodes: Array.isArray(nodes) ? nodes.filter((id) => typeof id === "string") : [],
      beforeModelCalls: Reflect.get(stored, "beforeModelCalls") === true,
      beforeToolCalls: Reflect.get(stored, "beforeToolCalls") === true,
    };
  } catch {
    return nowhere;
  }
}

function write(key: string, storage: () => Storage, places: Places): void {
  try {
    const none = places.nodes.length === 0 && !places.beforeModelCalls && !places.beforeToolCalls;
    if (none) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(places));
  } catch {
    // Without storage they last as long as the tab.
  }
}
