import type { NamedBytes } from "../file/documents.ts";
import type { Json } from "../json.ts";
import type { Usage } from "./chat-model.ts";

/** A recording to write down, in one request. */
export interface TranscriptionRequest {
  model: string;
  file: NamedBytes;
  /** A code such as `de`; empty: the model finds out. */
  language: string;
  /** Names and words that occur in it; empty: none. */
  prompt: string;
  /** Whether each passage comes with its times. */
  timestamps: boolean;
  signal: AbortSignal;
}

/** A passage with its times in seconds. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

/** What was said, as far as the vendor tells. */
export interface Transcript {
  text: string;
  language?: string;
  /** How long the recording is, in seconds. */
  seconds?: number;
  segments?: TranscriptSegment[];
  usage?: Usage;
}

/** What one transcription took. */
export interface TranscriptionUse {
  provider: string;
  model: string;
  /** How long the recording is; null where the vendor does not tell. */
  seconds: number | null;
  /** Tokens, of vendors that count some. */
  usage: Usage;
  /** US dollars; null when the price or the length is not known. */
  costUsd: number | null;
  /** Milliseconds. */
  durationMs: number;
}

/** Bytes of a second in the most compact recordings of speech (8 kbit/s). */
const fewestBytesPerSecond = 1_000;

/** The most seconds that a recording of so many bytes can have; of WAV, as many as its header says. */
export function maxSeconds(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWav = bytes.length > 44 && view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57415645;
  // A header that claims more than this is believed no further: what is heard depends on it.
  const perSecond = isWav ? Math.min(view.getUint32(28, true), 200_000) : 0;
  return bytes.length / Math.max(perSecond, fewestBytesPerSecond);
}

/** US dollars of so many seconds; null where either is not known. */
export function transcriptionCost(perMinuteUsd: number | null, seconds: number | undefined): number | null {
  if (perMinuteUsd === 0) return 0;
  return perMinuteUsd === null || seconds === undefined ? null : (perMinuteUsd * seconds) / 60;
}

/** Passages as data of a run. */
export function segmentsJson(segments: readonly TranscriptSegment[]): Json[] {
  return segments.map((segment) => ({ ...segment }));
}
