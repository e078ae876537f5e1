import { createStore } from "zustand/vanilla";

/** That a person wants to run from a node on: up to the node `until` (itself to run it alone), or everything after it. */
export interface NodeRunRequest {
  nodeId: string;
  until?: string;
}

/** The open question with which input a node is to run; null while there is none. */
export const nodeRunRequests = createStore<{ request: NodeRunRequest | null }>()(() => ({ request: null }));
