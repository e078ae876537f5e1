import { dataEvents } from "../../testing/sse.ts";
import type { Recording } from "../../testing/replay.ts";

/** A whole answer with this message and finish reason. */
export function wholeWith(message: object, reason: string | null): Recording {
  const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: reason };
  return {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "chatcmpl-1", object: "chat.completion", choices: [choice] }),
  };
}

/** A streamed answer with these counts. */
export function counted(usage: object): Recording {
  const choice = { index: 0, delta: { role: "assistant", content: "Done." }, finish_reason: "stop" };
  return { body: dataEvents({ choices: [choice] }, { choices: [], usage }, "[DONE]") };
}

/** What OpenRouter read in a PDF. */
export const pdfNote = {
  type: "file",
  file: { hash: "f00d", name: "report.pdf", content: [{ type: "text", text: "Sales rose." }] },
};
