import type { FinishReason, Usage } from "../model/chat-model.ts";
import type { AssistantMessage } from "../model/message.ts";
import type { RunErrorData } from "../run/errors.ts";

/** How one request ended. `text`: the part of the answer that the user has already seen. */
export type AttemptResult =
  | {
      ok: true;
      message: AssistantMessage;
      finishReason: FinishReason;
      rawFinishReason?: string;
      usage?: Usage;
      costUsd: number | null;
    }
  | { ok: false; error: RunErrorData; text: string; costUsd: number | null };
