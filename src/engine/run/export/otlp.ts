import type { Json } from "../../json.ts";

/** A value of an attribute in OTLP's JSON encoding; whole numbers are text there, as protobuf's JSON mapping has it. */
type OtlpValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: OtlpValue[] } };

interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

interface OtlpEvent {
  timeUnixNano: string;
  name: string;
  attributes: OtlpAttribute[];
}

/** One span. Ids are lower-case hexadecimal, times nanoseconds since 1970 as text. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 3 client. */
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  events: OtlpEvent[];
  links: { traceId: string; spanId: string; attributes: OtlpAttribute[] }[];
  /** Code 0 unset, 1 ok, 2 error. */
  status: { code: 0 | 1 | 2; message?: string };
}

/** What an OTLP/HTTP receiver takes at `/v1/traces` as `application/json` (OTLP 1.x, `ExportTraceServiceRequest`). */
export interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[]; schemaUrl: string }[];
    schemaUrl: string;
  }[];
}

/** What an attribute may be given as; undefined and null leave it out. */
export type AttributeValue = string | number | boolean | readonly string[] | null | undefined;

/** Attributes in OTLP's form. Numbers without a fraction become integers. */
export function attributes(values: Readonly<Record<string, AttributeValue>>): OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: encode(value, fractions.test(key)) }],
  );
}

/** Attributes that are fractions by definition, also where the value at hand is whole. */
const fractions = /\.(temperature|top_p|top_k|frequency_penalty|presence_penalty|cost_usd)$/;

function encode(value: NonNullable<AttributeValue>, fraction: boolean): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && !fraction ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}

/** Milliseconds since 1970 as OTLP writes a time. */
export function nanoseconds(ms: number): string {
  return `${Math.max(0, Math.round(ms))}000000`;
}

/** A JSON value as the text of an attribute; text stays as it is. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The trace of a run: its UUID's digits, or a hash of another id. */
export function traceIdOf(runId: string): string {
  const digits = runId.replaceAll("-", "").toLowerCase();
  if (/^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits)) return digits;
  return hash64(`${runId}/a`) + hash64(`${runId}/b`);
}

/** The span that begins with the event `seq` of a run; the same in every export. */
export function spanIdOf(runId: string, seq: number): string {
  return hash64(`${runId}/${seq}`);
}

/** FNV-1a, 64 bits (Fowler, Noll and Vo), as 16 hexadecimal digits; never all zero. */
function hash64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  const digits = hash.toString(16).padStart(16, "0");
  return digits === "0".repeat(16) ? `${"0".repeat(15)}1` : digits;
}
