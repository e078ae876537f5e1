import { createStore, type StoreApi } from "zustand/vanilla";
import type { ApprovalDecision, ApprovalRequest, Host } from "../../engine/host.ts";

export interface PendingApproval extends ApprovalRequest {
  runId: string;
}

export interface ApprovalStoreState {
  /** Tool calls that wait for a person, oldest first. */
  pending: readonly PendingApproval[];
  /** Calls that a person looks at by themselves, and not as one of several. */
  apart: ReadonlySet<string>;
  /** Answers a waiting call; unknown call ids are ignored. */
  decide(callId: string, decision: ApprovalDecision): void;
  keepApart(callIds: readonly string[]): void;
}

/** Where a run waits for a person. `approverFor` gives the function that a run's host asks. */
export interface ApprovalStore extends StoreApi<ApprovalStoreState> {
  approverFor(runId: string): Host["approve"];
}

/** Approvals asked and not yet answered. A call that is aborted leaves the list and rejects with the signal's reason. */
export function createApprovalStore(): ApprovalStore {
  const resolvers = new Map<string, (decision: ApprovalDecision) => void>();

  const store = createStore<ApprovalStoreState>()((set) => ({
    pending: [],
    apart: new Set(),
    keepApart: (callIds) => set(({ apart }) => ({ apart: new Set([...apart, ...callIds]) })),
    decide: (callId, decision) => {
      const resolve = resolvers.get(callId);
      resolvers.delete(callId);
      set((state) => ({ pending: state.pending.filter((request) => request.callId !== callId) }));
      resolve?.(decision);
    },
  }));

  const approverFor =
    (runId: string): Host["approve"] =>
    (request, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const leave = () => {
          resolvers.delete(request.callId);
          store.setState((state) => ({ pending: state.pending.filter((other) => other.callId !== request.callId) }));
          reject(signal.reason);
        };
        signal.addEventListener("abort", leave, { once: true });
        resolvers.set(request.callId, (decision) => {
          signal.removeEventListener("abort", leave);
          resolve(decision);
        });
        store.setState((state) => ({ pending: [...state.pending, { ...request, runId }] }));
      });

  return Object.assign(store, { approverFor });
}
