import { briefJson } from "../../engine/brief-json.ts";
import { firstChars } from "../../engine/well-formed.ts";
import { messageText } from "../../engine/model/message.ts";
import type { RunStep } from "../../engine/run/run-state.ts";

/** How long a step took, in milliseconds; null while it goes on and for steps without a length. */
export function stepDuration(step: RunStep): number | null {
  if (step.kind === "model") return step.response?.durationMs ?? null;
  if (step.kind === "tool") return step.end?.durationMs ?? null;
  return "durationMs" in step.event ? step.event.durationMs : null;
}

/** The first words of what a step brought, for its line. */
export function stepPreview(step: RunStep): string {
  if (step.kind === "tool") return preview(step.end ? step.end.text : briefJson(step.start.input, previewCharacters));
  if (step.kind === "note") return "";
  return preview(step.response ? messageText(step.response.message) : step.text);
}

const previewCharacters = 160;

function preview(text: string): string {
  return firstChars(text, previewCharacters).replaceAll(/\s+/g, " ").trim();
}
