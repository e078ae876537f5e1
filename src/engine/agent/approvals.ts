import type { JsonObject } from "../json.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Deadline } from "./deadline.ts";
import { settleOrAbort } from "./time-limit.ts";
import type { TableEntry } from "./tool-table.ts";

/** What the person decided; the input may have been edited. */
export type Approval = { approved: true; input: JsonObject } | { approved: false; reason: string };

/** Asks before a call where the tool's policy says so. Rejects only when the deadline's signal aborts. */
export type Approver = (entry: TableEntry, callId: string, input: JsonObject) => Promise<Approval>;

/** Makes the approver of one agent execution; it remembers which tools were approved once for all. */
export function createApprover(run: AgentRun, deadline: Deadline): Approver {
  const approvedOnce = new Set<string>();
  const lastQuestion = new Map<string, Promise<unknown>>();

  async function ask({ tool, nodeId, edgeId }: TableEntry, callId: string, input: JsonObject): Promise<Approval> {
    const call = { nodeId: run.nodeId, toolNodeId: nodeId, edgeId, callId };
    run.emit({ type: "approval-wait", ...call, toolName: tool.name, input });
    const question = { nodeId: run.nodeId, toolName: tool.name, callId, input };
    const settled = await deadline.pausedWhile(() =>
      settleOrAbort(
        Promise.resolve().then(() => run.host.approve(question, deadline.signal)),
        deadline.signal,
      ),
    );
    deadline.signal.throwIfAborted();
    const decision: Approval =
      settled.kind === "done"
        ? settled.value
        : { approved: false, reason: "The approval could not be asked for, so the call was not made." };
    if (decision.approved) run.emit({ type: "approval-end", ...call, approved: true, input: decision.input });
    else run.emit({ type: "approval-end", ...call, approved: false, input, reason: decision.reason });
    return decision;
  }

  return async (entry, callId, input) => {
    const { name, approval = "never" } = entry.tool;
    switch (approval) {
      case "never":
        return { approved: true, input };
      case "ask":
        return ask(entry, callId, input);
      case "once": {
        // Calls of one turn run side by side: the second waits for the answer to the first.
        const before = lastQuestion.get(name) ?? Promise.resolve();
        const answer = before.then(async (): Promise<Approval> => {
          if (approvedOnce.has(name)) return { approved: true, input };
          const decision = await ask(entry, callId, input);
          if (decision.approved) approvedOnce.add(name);
          return decision;
        });
        lastQuestion.set(
          name,
          answer.catch(() => undefined),
        );
        return answer;
      }
      default:
        return approval satisfies never;
    }
  };
}
