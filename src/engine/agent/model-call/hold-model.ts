import { z } from "zod";
import { messageSchema } from "../../model/message-schema.ts";
import type { Message } from "../../model/message.ts";
import { type Execution, heldInput } from "../execution.ts";

const editedMessages = z.object({ messages: z.array(messageSchema).min(1) });

/** The messages to send, as given or as a person edited them where the run pauses before a model call. */
export async function heldMessages(execution: Execution, modelNodeId: string, messages: Message[]): Promise<Message[]> {
  const input = () => ({ messages: z.json().parse(messages) });
  const held = await heldInput(execution, { kind: "model-call", atNodeId: modelNodeId, input });
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
