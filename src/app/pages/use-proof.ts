import { useEffect } from "react";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { nobodyApproves } from "../../engine/host.ts";
import { assistantStore, useAssistant } from "../../state/assistant/assistant-store.ts";
import type { Desk } from "../../state/assistant/desk.ts";
import { proveFix } from "../../state/assistant/prove-fix.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import { storeRun } from "../../state/run/store-run.ts";

interface ProofOptions {
  desk: Desk;
  /** The assistant is still at work. */
  running: boolean;
  workflowId: string;
  registry: NodeRegistry;
}

/** Once the assistant has proposed a fix for a failed run, the fix is tried on that run's recording. */
export function useProof({ desk, running, workflowId, registry }: ProofOptions): void {
  const { createHost, runs } = useServices();
  const proposal = useAssistant((state) => state.proposal);
  const runId = useAssistant((state) => state.verdict?.runId);
  useEffect(() => {
    if (running || proposal === null || runId === undefined || proposal.problems.length > 0) return;
    const controller = new AbortController();
    const prove = async () => {
      assistantStore.setState({ proof: { status: "running" } });
      try {
        const run = await desk.readRun(runId);
        const host = { ...createHost({ workflowId, approve: nobodyApproves }), approve: nobodyApproves };
        const proof = await proveFix({ run, fixed: proposal.draft, registry, host, signal: controller.signal });
        // What was tried is a run like any other, of the workflow as it is proposed.
        storeRun(runs, { workflowId, document: proposal.draft, registry }, proof.events);
        if (!controller.signal.aborted) assistantStore.setState({ proof: { status: "done", proof } });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!controller.signal.aborted) assistantStore.setState({ proof: { status: "failed", message } });
      }
    };
    void prove();
    return () => controller.abort();
  }, [running, proposal, runId, desk, workflowId, registry, createHost, runs]);
}
