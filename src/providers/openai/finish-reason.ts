import type { FinishReason } from "../../engine/model/chat-model.ts";

/**
 * Chat Completions' word in ours. Servers that answer `stop` beside tool calls (Ollama and others) mean tool calls;
 * a refusal counts as content filter.
 */
export function mapFinishReason(reason: string | undefined, answer: { calls: number; refused: boolean }): FinishReason {
  switch (reason) {
    case "length":
    case "max_tokens":
    case "model_length":
      return "length";
    case "content_filter":
      return "content-filter";
    case "tool_calls":
    case "function_call":
      return answer.calls > 0 ? "tool-calls" : "stop";
    case "stop":
    case "eos":
    case "end_turn":
      return answer.refused ? "content-filter" : answer.calls > 0 ? "tool-calls" : "stop";
    default:
      return answer.refused ? "content-filter" : answer.calls > 0 ? "tool-calls" : "other";
  }
}
