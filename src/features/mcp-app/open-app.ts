import type { AppAnswer, AppCall } from "../../engine/run/app-call.ts";
import { runAppCall } from "../../engine/run/app-call.ts";
import type { Services } from "../../services/services.ts";
import type { Editor } from "../../state/editor/editor-context.tsx";
import { newId } from "../../state/shared/new-id.ts";
import { recordRun } from "../../state/run/run-recorder.ts";

export { openAppBridge } from "./app-bridge.ts";

type CallingEditor = Pick<Editor, "workflowId" | "registry" | "document" | "runs" | "approvals">;

/**
 * Makes a call that an interface asks for, with the workflow as it stands now, and stores it as a run: its approval and its log are those
 * of every other call. Never rejects.
 */
export function callFromApp(
  editor: CallingEditor,
  services: Pick<Services, "createHost" | "runs">,
  call: AppCall,
  signal: AbortSignal,
): Promise<AppAnswer> {
  const { workflowId, registry, approvals, runs } = editor;
  const { document } = editor.document.getState();
  const runId = newId();
  const host = services.createHost({ workflowId, approve: approvals.approverFor(runId) });
  const input = { interface: call.uri, tool: call.toolName };
  const recorder = recordRun(
    { id: runId, workflowId, input, document, startedAt: host.now() },
    { repository: services.runs, registry, onState: () => {} },
  );
  const state = runs.getState().runs[call.ofRun];
  return runAppCall(document, call, {
    runId,
    registry,
    host,
    signal,
    ...(state ? { state } : {}),
    onEvent: (event) => recorder.push(event),
  });
}
