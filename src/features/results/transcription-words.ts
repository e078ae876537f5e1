import type { EventOf } from "../../engine/run/events.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";

/** Such as "Wrote down 2 min of speech with whisper-1". */
export function transcriptionWords({ seconds, model }: EventOf<"transcription">): string {
  return `Wrote down ${seconds === null ? "a recording" : `${formatDuration(seconds * 1_000)} of speech`} with ${model}`;
}
