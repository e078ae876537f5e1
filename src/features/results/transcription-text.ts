import type { EventOf } from "../../engine/run/events.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";

/** Such as "Transcribed 2 min of speech with whisper-1". */
export function transcriptionText({ seconds, model }: EventOf<"transcription">): string {
  return `Transcribed ${seconds === null ? "a recording" : `${formatDuration(seconds * 1_000)} of speech`} with ${model}`;
}
