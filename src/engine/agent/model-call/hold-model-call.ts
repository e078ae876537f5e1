import { z } from "zod";
import { messageSchema } from "../../model/message-schema.ts";
import type { Message } from "../../model/message.ts";
import { type Execution, heldInput } from "../execution.ts";
import type { Interceptor } from "../interceptor.ts";
import type { ModelAnswer, ModelCall, ModelsInUse } from "./model-call.ts";

const editedMessages = z.object({ messages: z.array(messageSchema).min(1) });

/** Sends the messages that a fork changed, or that a person edits at a breakpoint, and says so in the answer. */
export function holdModelCall(execution: Execution, models: ModelsInUse): Interceptor<ModelCall, ModelAnswer> {
  const { replay } = execution.run;
  return async (call, next) => {
    if (replay?.servesNextModel()) return next(call);
    const messages = await heldMessages(execution, models.current.nodeId, replay?.changedMessages() ?? call.messages);
    if (messages === call.messages) return next(call);
    return { ...(await next({ ...call, messages })), sent: messages };
  };
}

/** The messages as a person edited them at a breakpoint; the same list where nobody did. */
async function heldMessages(execution: Execution, atNodeId: string, messages: Message[]): Promise<Message[]> {
  const input = () => ({ messages: z.json().parse(messages) });
  const held = await heldInput(execution, { kind: "model-call", atNodeId, input });
  if (held === undefined) return messages;
  const edited = editedMessages.safeParse(held);
  if (edited.success) return edited.data.messages;
  const { run } = execution;
  run.emit({
    type: "warning",
    nodeId: run.nodeId,
    message: "The edited messages could not be read, so the call was made as it was.",
    hint: "Keep the form { messages: [{ role, … }] } when you edit.",
  });
  return messages;
}
