import type { FinishReason } from "../../engine/model/chat-model.ts";

/**
 * Chat Completions' word in ours, in whatever case; a whole answer without one ended as it should. Servers that answer `stop` beside tool calls (Ollama and others) mean
 * tool calls; a refusal counts as content filter. A server that ran out of resources or gave up (DeepSeek, vLLM) may have
 * sent half a call. With a word that nobody knows, calls that arrived are taken at their word, an answer alone is not.
 */
export function mapFinishReason(reason: string | undefined, answer: { calls: number; refused: boolean }): FinishReason {
  switch (reason?.toLowerCase()) {
    case "length":
    case "max_tokens":
    case "model_length":
    case "context_length_exceeded":
      return "length";
    case "content_filter":
    case "refusal":
      return "content-filter";
    case "tool_calls":
    case "function_call":
      return answer.calls > 0 ? "tool-calls" : "stop";
    case undefined:
    case "stop":
    case "stop_sequence":
    case "eos":
    case "eos_token":
    case "complete":
    case "completed":
    case "end_turn":
      return answer.refused ? "content-filter" : answer.calls > 0 ? "tool-calls" : "stop";
    case "abort":
    case "insufficient_system_resource":
      return "other";
    default:
      return answer.refused ? "content-filter" : answer.calls > 0 ? "tool-calls" : "other";
  }
}
