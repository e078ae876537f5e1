import { z } from "zod/mini";
import type { RunContext } from "../../engine/document/define-node.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";

const chatInput = z.looseObject({
  message: z.string().check(z.trim(), z.minLength(1)),
  sessionId: z.nullish(z.union([z.string().check(z.maxLength(500)), z.pipe(z.number(), z.transform(String))])),
});

/** The message with its session; without one, the workflow's own. */
export function run({ json, workflow }: RunContext<unknown, unknown>): Json {
  const input = chatInput.safeParse(json);
  if (!input.success || !isJsonObject(json)) {
    throw new RunError({
      code: "invalid_arguments",
      message: "The chat trigger received no message, or a session ID that is not text.",
      hint: 'Start the run with { "message": "…" }, and a "sessionId" if the conversation has one.',
    });
  }
  const { message, sessionId } = input.data;
  return { ...json, message, sessionId: sessionId?.trim() || `${workflow.id}:default` };
}
