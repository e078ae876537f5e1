import type { Wired } from "../../document/define-node.ts";
import type {
  ChatModel,
  FinishReason,
  ResponseFormat,
  ToolChoice,
  ToolDefinition,
  Usage,
} from "../../model/chat-model.ts";
import type { AssistantMessage, Message } from "../../model/message.ts";
import type { RunErrorData } from "../../run/errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import type { Handler, Interceptor } from "../execution.ts";

/** A request of the loop to the model. */
export interface ModelCall {
  purpose: ModelPurpose;
  messages: Message[];
  /** How many of them, after the system message, the memory gave. */
  fromMemory: number;
  tools: ToolDefinition[];
  toolChoice: ToolChoice;
  responseFormat: ResponseFormat;
}

/** A model's answer to one request of the loop. */
export interface ModelAnswer {
  /** With call ids that are unique in this execution. */
  message: AssistantMessage;
  finishReason: FinishReason;
  /** The finish reason in the vendor's own terms. */
  rawFinishReason: string | undefined;
  /** The model that answered. */
  modelNodeId: string;
  /** Calls of this message that repeated another call's id: their new id → the id that the model gave. */
  repeatedIds: ReadonlyMap<string, string>;
  /** What the model was sent, if that was edited at a breakpoint or by a fork. */
  sent?: Message[];
}

/** The same request to one of the models. */
export interface ModelAttempt extends ModelCall {
  model: Wired<ChatModel>;
}

/** How one attempt ended. `text`: the part of the answer that the user has already seen. */
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

/** Makes attempts. Failures are results; it rejects when the deadline aborts and where a replay must not be left. */
export type MakeAttempt = Handler<ModelAttempt, AttemptResult>;

/** Stands around the attempts. */
export type ModelInterceptor = Interceptor<ModelAttempt, AttemptResult>;

/** What one execution remembers of its models from call to call. */
export interface ModelsInUse {
  /** First the agent's own, then the fallback that took over. */
  current: Wired<ChatModel>;
  madeBy: WeakMap<Message, Wired<ChatModel>>;
}

/** A refusal without text, or of a request that the loop made for itself, such as a plan. */
export function contentFilter(modelNodeId: string): RunErrorData {
  return {
    code: "content_filter",
    message: "The provider's content filter withheld the answer.",
    hint: "Rephrase the message or the system prompt, or choose another model.",
    retryable: false,
    nodeId: modelNodeId,
  };
}
