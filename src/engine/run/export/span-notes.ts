import type { RunEvent } from "../events.ts";
import { asText, type AttributeValue } from "./otlp.ts";

/** An event inside a span. */
interface SpanNote {
  name: string;
  attributes: Record<string, AttributeValue>;
}

/** What an event of the log becomes inside its span; undefined for those that are spans themselves, or parts of a stream. */
export function noteOf(event: RunEvent, content: boolean): SpanNote | undefined {
  const note = (values: Record<string, AttributeValue>): SpanNote => ({
    name: `switchyard.${event.type.replaceAll("-", "_")}`,
    attributes: values,
  });
  const said = (text: string) => (content ? { "switchyard.text": text } : {});
  switch (event.type) {
    case "memory-load":
    case "memory-save":
      return note({ "gen_ai.conversation.id": event.session, "switchyard.messages": event.messages });
    case "memory-error":
      return note({ "error.type": event.error.code, "exception.message": event.error.message });
    case "embedding":
      return note({
        "gen_ai.operation.name": "embeddings",
        "gen_ai.request.model": event.model,
        "gen_ai.usage.input_tokens": event.usage.inputTokens,
        "switchyard.cost_usd": event.costUsd,
        "switchyard.node.id": event.nodeId,
      });
    case "rerank":
      return note({
        "gen_ai.operation.name": "rerank",
        "gen_ai.request.model": event.model,
        "gen_ai.usage.input_tokens": event.usage.inputTokens,
        "switchyard.texts": event.texts,
        "switchyard.cost_usd": event.costUsd,
        "switchyard.node.id": event.nodeId,
      });
    case "transcription":
      return note({
        "gen_ai.operation.name": "transcription",
        "gen_ai.request.model": event.model,
        "gen_ai.usage.input_tokens": event.usage.inputTokens,
        "switchyard.audio_seconds": event.seconds,
        "switchyard.cost_usd": event.costUsd,
        "switchyard.node.id": event.nodeId,
      });
    case "retry":
      return note({
        "error.type": event.error.code,
        "switchyard.attempt": event.attempt,
        "switchyard.delay_ms": event.delayMs,
      });
    case "warning":
      return note({ "switchyard.message": event.message, "switchyard.hint": event.hint });
    case "log":
      return note({
        "switchyard.level": event.level,
        "switchyard.message": event.message,
        ...(content && event.data !== undefined ? { "switchyard.data": asText(event.data) } : {}),
      });
    case "plan":
    case "reflection":
      return note(said(event.text));
    case "compaction":
      return note({ "switchyard.messages": event.messages, "switchyard.tokens": event.tokens });
    case "iteration-end":
      return note({ "switchyard.iteration": event.iteration, "switchyard.finish": event.finish });
    case "approval-wait":
      return note({ "gen_ai.tool.name": event.toolName });
    case "approval-end":
      return note({ "switchyard.approved": event.approved });
    case "form-wait":
      return note({
        "gen_ai.tool.name": event.toolName,
        ...(content ? { "switchyard.message": event.form.message } : {}),
      });
    case "form-end":
      return note({ "switchyard.action": event.action });
    case "tool-progress":
      return note({ "switchyard.progress": event.progress, "switchyard.total": event.total });
    case "tool-app":
      return note({ "switchyard.app": event.app.uri });
    case "write-start":
      return event.again === undefined ? undefined : note({ "switchyard.again": event.again });
    case "wait-start":
      return note({ "switchyard.wait.until": new Date(event.until).toISOString() });
    case "pause-wait":
      return note({ "switchyard.held_before": event.kind });
    case "pause-end":
      return note({ "switchyard.action": event.action });
    case "node-skip":
      return note({ "switchyard.node.id": event.nodeId, "switchyard.reason": event.reason });
    default:
      return undefined;
  }
}
