import type { FinishReason, Usage } from "../model/chat-model.ts";
import type { AssistantMessage } from "../model/message.ts";
import type { RunErrorData } from "../run/errors.ts";

/** How one request ended. `textBegan`: the user has already seen part of the answer. */
export type AttemptResult =
  | {
      ok: true;
      message: AssistantMessage;
      finishReason: FinishReason;
      usage?: Usage;
      costUsd: number | null;
    }
  | { ok: false; error: RunErrorData; textBegan: boolean; costUsd: number | null };
