import type { JsonObject } from "../json.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Deadline } from "./deadline.ts";
import { settleOrAbort } from "./time-limit.ts";
import type { TableEntry } from "./tool-table.ts";

/** What the person decided; the input may have been edited. */
export type Approval = { approved: true; input: JsonObject } | { approved: false; reason: string };

const stopped = "The run was stopped before anyone decided.";
const notAsked = "The approval could not be asked for, so the call was not made.";

/** Asks before a call where the tool's policy says so. Never rejects; a run that is stopped meanwhile is a no. */
export type Approver = (entry: TableEntry, callId: string, input: JsonObject) => Promise<Approval>;

interface OnceApprovals {
  /** Tools that need not be asked for again, by node and name. */
  approved: Set<string>;
  /** The question that a later call of the same tool waits for. */
  lastQuestion: Map<string, Promise<unknown>>;
}

const onceByRun = new WeakMap<object, OnceApprovals>();

/** What was approved for the whole run; its set of call ids stands for the run, and nothing outlives it. */
function onceApprovals(run: AgentRun): OnceApprovals {
  const known = onceByRun.get(run.callIds);
  if (known) return known;
  const fresh = { approved: new Set<string>(), lastQuestion: new Map<string, Promise<unknown>>() };
  onceByRun.set(run.callIds, fresh);
  return fresh;
}

/** Stops the clocks of this agent, and of all that wait for it, while a person is asked. */
export function pausedWhile<Value>(run: AgentRun, deadline: Deadline, wait: () => Promise<Value>): Promise<Value> {
  const own = () => deadline.pausedWhile(wait);
  return run.pausedWhile ? run.pausedWhile(own) : own();
}

/** Makes the approver of one agent execution. */
export function createApprover(run: AgentRun, deadline: Deadline): Approver {
  const { approved, lastQuestion } = onceApprovals(run);

  async function ask({ tool, nodeId, edgeId }: TableEntry, callId: string, input: JsonObject): Promise<Approval> {
    const call = { nodeId: run.nodeId, toolNodeId: nodeId, edgeId, callId };
    run.emit({ type: "approval-wait", ...call, toolName: tool.name, input });
    const question = { nodeId: run.nodeId, toolNodeId: nodeId, toolName: tool.name, callId, input };
    const settled = await pausedWhile(run, deadline, () =>
      settleOrAbort(
        Promise.resolve().then(() => run.host.approve(question, deadline.signal)),
        deadline.signal,
      ),
    );
    const decision: Approval =
      settled.kind === "done"
        ? settled.value
        : { approved: false, reason: settled.kind === "aborted" ? stopped : notAsked };
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
        const key = `${entry.nodeId}/${name}`;
        const before = lastQuestion.get(key) ?? Promise.resolve();
        const answer = before.then(async (): Promise<Approval> => {
          if (approved.has(key)) return { approved: true, input };
          const decision = await ask(entry, callId, input);
          if (decision.approved) approved.add(key);
          return decision;
        });
        lastQuestion.set(key, answer);
        return answer;
      }
      default:
        return approval satisfies never;
    }
  };
}
