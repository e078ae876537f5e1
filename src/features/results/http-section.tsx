import type { RunState } from "../../engine/run/run-state.ts";
import { readSentLine } from "../../nodes/http/sent-request.ts";
import { toCurl } from "../../nodes/http/to-curl.ts";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { LongText } from "../../ui/data/long-text.tsx";
import { DetailSection } from "./detail-section.tsx";

/** The request that a tool call, or a node of the main flow, sent as the log of the run has it. */
function sentBy(logs: RunState["logs"], nodeId: string, callId: string | undefined) {
  const line = logs.findLast((log) => {
    if (log.nodeId !== nodeId) return false;
    const sent = readSentLine(log.data);
    return sent !== null && sent.callId === callId;
  });
  return line === undefined ? null : readSentLine(line.data);
}

const none: RunState["logs"] = [];

/** The HTTP request of a step as a cURL command; nothing for steps that sent none. */
export function HttpSection({ nodeId, callId }: { nodeId: string; callId?: string }) {
  const logs = useRunStore((state) => currentRun(state)?.logs ?? none);
  const sent = sentBy(logs, nodeId, callId);
  if (sent === null) return null;
  const command = toCurl(sent.request);
  return (
    <DetailSection title="Request as cURL" copy={() => command}>
      <LongText text={command} />
      {sent.request.signed && (
        <p className="text-xs text-muted">
          The secret of the credential was added on the way out and is not part of it.
        </p>
      )}
    </DetailSection>
  );
}
