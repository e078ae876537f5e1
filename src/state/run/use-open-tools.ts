import { useEffect, useState } from "react";
import { nobodyApproves } from "../../engine/host.ts";
import { type OpenTools, openTools } from "../../engine/run/open-tools.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import { ServiceError } from "../../services/services.ts";
import { useEditor, useServices } from "../editor/editor-context.tsx";
import { currentRun } from "./run-store.ts";

/** What became of the node's tools, and the lines that they wrote. */
type ToolsState =
  | { kind: "opening" }
  | { kind: "failed"; error: Pick<RunErrorData, "message" | "hint"> }
  | { kind: "open"; opened: OpenTools };

/**
 * The tools of a node as the workflow stands now, with the data of the run on show. They are closed when the caller goes;
 * `attempt` counts up to open them again.
 */
export function useOpenTools(nodeId: string, attempt: number, onLog: (line: string) => void): ToolsState {
  const { workflowId, registry, document, runs } = useEditor();
  const services = useServices();
  const [last, setLast] = useState<{ attempt: number; state: ToolsState }>();

  useEffect(() => {
    const controller = new AbortController();
    let opened: OpenTools | undefined;
    const open = async () => {
      const host = services.createHost({ workflowId, approve: nobodyApproves });
      const result = await openTools(document.getState().document, nodeId, {
        registry,
        host,
        signal: controller.signal,
        state: currentRun(runs.getState()),
        onEvent(event) {
          if (event.type === "log" || event.type === "warning") onLog(event.message);
        },
      });
      if (result.ok) opened = result.opened;
      if (controller.signal.aborted) {
        opened?.close();
        return;
      }
      const state: ToolsState = result.ok
        ? { kind: "open", opened: result.opened }
        : { kind: "failed", error: result.error };
      setLast({ attempt, state });
    };
    open().catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      if (!controller.signal.aborted) setLast({ attempt, state: { kind: "failed", error } });
    });
    return () => {
      controller.abort();
      void opened?.close();
    };
  }, [attempt, document, nodeId, onLog, registry, runs, services, workflowId]);

  return last?.attempt === attempt ? last.state : { kind: "opening" };
}
