import type { Wired } from "../../document/define-node.ts";
import type { ChatModel, ModelEvent } from "../../model/chat-model.ts";
import type { RunErrorData } from "../../run/errors.ts";
import type { AgentRun } from "../agent-run.ts";

/** How a model's stream ends. */
export type Ending = Extract<ModelEvent, { type: "finish" | "error" }>;

/** The end of a stream that stopped without a finish event. */
export const brokenStream: RunErrorData = {
  code: "model_error",
  message: "The model's answer ended without a proper end.",
  hint: "Try again. If it keeps happening, the server may not speak the expected format.",
  retryable: true,
};

/** What has arrived of an answer so far. */
export interface Arrived {
  text: string;
  /** Milliseconds since 1970 by the host's clock; absent until the first piece is there. */
  firstTokenAt: number | undefined;
  /** Nobody waits for the answer any more: whatever still arrives is dropped. */
  closed: boolean;
}

/**
 * Follows the stream of one answer to its end: events `text-delta`, `reasoning-delta`, `warning` (each once for all that
 * are in `warned`) and `log`, and in `arrived` what there is so far. Rejects where the stream throws.
 */
export async function followAnswer(
  run: AgentRun,
  callId: string,
  model: Wired<ChatModel>,
  stream: AsyncIterator<ModelEvent>,
  arrived: Arrived,
  warned: Set<string>,
): Promise<Ending> {
  const { host, nodeId } = run;
  for (;;) {
    const { done, value: event } = await stream.next();
    const turn = host.breathe?.();
    if (turn) await turn;
    if (done || arrived.closed) return { type: "error", error: brokenStream };
    switch (event.type) {
      case "text-delta":
        arrived.firstTokenAt ??= host.now();
        arrived.text += event.text;
        run.emit({ type: "text-delta", nodeId, callId, text: event.text });
        break;
      case "reasoning-delta":
        arrived.firstTokenAt ??= host.now();
        run.emit({ type: "reasoning-delta", nodeId, callId, text: event.text });
        break;
      case "warning":
        if (warned.has(event.message)) break;
        warned.add(event.message);
        run.emit({ type: "warning", nodeId: model.nodeId, message: event.message, hint: event.hint });
        break;
      case "progress":
        run.emit({ type: "log", nodeId: model.nodeId, level: "info", message: event.message });
        break;
      case "finish":
      case "error":
        return event;
      default:
        return event satisfies never;
    }
  }
}
