import { z } from "zod";
import type { Json } from "../../json.ts";
import { messageSchema } from "../../model/message-schema.ts";
import type { Message } from "../../model/message.ts";
import type { AgentRun } from "../agent-run.ts";
import { type Execution, hold } from "../execution.ts";
import type { Interceptor } from "../interceptor.ts";
import type { ModelAnswer, ModelCall, ModelsInUse } from "./model-call.ts";

const editedMessages = z.object({ messages: z.array(messageSchema).min(1) });

/** Sends the messages that a fork changed, or that a person edits at a breakpoint, and says so in the answer. */
export function holdModelCall(execution: Execution, models: ModelsInUse): Interceptor<ModelCall, ModelAnswer> {
  const { replay } = execution.run;
  return async (call, next) => {
    if (replay?.servesNextModel()) return next(call);
    const changed = replay?.changedMessages() ?? call.messages;
    const input = () => ({ messages: z.json().parse(changed) });
    const held = hold(execution, { kind: "model-call", atNodeId: models.current.nodeId, input });
    const messages = held ? readEdited(execution.run, await held, changed) : changed;
    return messages === call.messages ? next(call) : { ...(await next({ ...call, messages })), sent: messages };
  };
}

/** The messages as a person edited them; the same list where nobody did, and where they cannot be read. */
function readEdited(run: AgentRun, input: Json | undefined, messages: Message[]): Message[] {
  if (input === undefined) return messages;
  const edited = editedMessages.safeParse(input);
  if (edited.success) return edited.data.messages;
  run.emit({
    type: "warning",
    nodeId: run.nodeId,
    message: "The edited messages could not be read, so the call was made as it was.",
    hint: "Keep the form { messages: [{ role, … }] } when you edit.",
  });
  return messages;
}
