import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { messageSchema } from "../../model/message-schema.ts";
import type { Message } from "../../model/message.ts";
import type { AgentRun } from "../agent-run.ts";
import { pausedWhile } from "./approvals.ts";
import type { Deadline } from "../../time/deadline.ts";
import type { TableEntry } from "./tool-table.ts";

/**
 * The breakpoints of one agent execution. Both methods resolve at once unless the run pauses, and reject when it is
 * stopped.
 */
interface BreakpointGate {
  /** The messages to send, as given or as a person edited them. */
  model(modelNodeId: string, messages: Message[]): Promise<Message[]>;
  /** The arguments of a tool call; unchanged (the same object) unless they were edited. */
  tool(entry: TableEntry, callId: string, input: JsonObject): Promise<JsonObject>;
}

const editedMessages = z.object({ messages: z.array(messageSchema).min(1) });

/** Creates the breakpoint gate of one agent execution. Waiting at it does not count towards the agent's time limit. */
export function createBreakpointGate(run: AgentRun, deadline: Deadline): BreakpointGate {
  const { nodeId, pauser } = run;
  const use = {
    emit: run.emit,
    signal: deadline.signal,
    pausedWhile: <Value>(wait: () => Promise<Value>) => pausedWhile(run, deadline, wait),
  };
  return {
    async model(modelNodeId, messages) {
      const input = () => ({ messages: z.json().parse(messages) });
      const held = pauser?.hold({ kind: "model-call", nodeId, atNodeId: modelNodeId, input }, use);
      const released = await held;
      if (released?.input === undefined) return messages;
      const edited = editedMessages.safeParse(released.input);
      if (edited.success) return edited.data.messages;
      run.emit({
        type: "warning",
        nodeId,
        message: "The edited messages could not be read, so the call was made as it was.",
        hint: "Keep the form { messages: [{ role, … }] } when you edit.",
      });
      return messages;
    },
    async tool({ tool, nodeId: atNodeId }, callId, input) {
      const place = { kind: "tool-call", nodeId, atNodeId, callId, toolName: tool.name, input: () => input } as const;
      const released = await pauser?.hold(place, use);
      return released?.input !== undefined && isJsonObject(released.input) ? released.input : input;
    },
  };
}
