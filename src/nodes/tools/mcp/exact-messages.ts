import {
  isJsonObject,
  type ExactJson,
  type Json,
  type JsonObject,
  type JsonSchema,
  parseJson,
} from "../../../engine/json.ts";
import { schemaCheck } from "../../../engine/json-schema/schema-check.ts";
import { withBareIntegers } from "../../../engine/json-schema/bare-integers.ts";
import { withLargeIntegersAsText } from "../../../engine/lossless-json.ts";

/**
 * The MCP client reads and writes JSON by itself, with doubles for all numbers. What stands here keeps the digits of large
 * integers on their way through it: what arrives has them as text, and what is sent has them bare where a tool's schema says so.
 */

/** Of a private use area: begins a text that is sent as the bare digits after it. */
const bareMark = "\uE000";

/** Arguments for the client; `withBareDigits` finds in its message where a large integer has to be bare. */
export function markedArguments(input: JsonObject, schema: JsonSchema): Record<string, unknown> {
  const marked = (value: ExactJson): unknown => {
    if (typeof value === "bigint") return `${bareMark}${value}`;
    if (Array.isArray(value)) return value.map(marked);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner)]))
      : value;
  };
  const exact = marked(withBareIntegers(input, schema));
  return isJsonObject(exact) ? exact : input;
}

/** A message of the client as it is sent. */
export function withBareDigits(body: string): string {
  return body.includes(bareMark) ? body.replace(new RegExp(`"${bareMark}(-?\\d+)"`, "g"), "$1") : body;
}

/**
 * An answer of the server as the client may read it. A list of tools stays as it is: a person approved its schemas, by their
 * hash, with doubles for all numbers.
 */
export async function exactAnswer(response: Response, sent: unknown): Promise<Response> {
  const message = typeof sent === "string" ? parseJson(sent) : undefined;
  const isListing = isJsonObject(message) && message["method"] === "tools/list";
  const type = response.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (!response.ok || response.body === null || isListing) return response;
  const { status, statusText, headers } = response;
  if (type === "application/json")
    return new Response(withLargeIntegersAsText(await response.text()), { status, statusText, headers });
  if (type === "text/event-stream")
    return new Response(exactEvents(response.body, idOf(message)), { status, statusText, headers });
  return response;
}

const idOf = (message: unknown) => (isJsonObject(message) ? message["id"] : undefined);

/** Events of one answer. A client takes each by itself, and nothing else has a turn meanwhile. */
const mostEvents = 10_000;

/** The first line with data of an event. */
const messageStart = /(?<![^\r\n])data(?=[:\r\n])(?:(?!\r\n\r\n|\n\n|\r\r)[^])*/g;

/**
 * Server-sent events, each let through when it is complete, with the digits in its data as text. The request with this id fails
 * where more come than any tool has news.
 */
function exactEvents(body: ReadableStream<Uint8Array>, id: Json | undefined): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** Pieces of an event that is not complete, put together once: a long one comes in very many. */
  let open: string[] = [];
  let tail = "";
  let count = 0;
  /** Lets through what ends with an empty line. */
  function complete(text: string): string {
    const near = tail + text;
    const ends = [...near.matchAll(/\r\n\r\n|\n\n|\r\r/g)];
    const end = ends.at(-1);
    const until = end === undefined ? 0 : end.index + end[0].length - tail.length;
    const events = end === undefined ? "" : open.join("") + text.slice(0, until);
    // A comment that keeps the connection alive is no message.
    count += events.match(messageStart)?.length ?? 0;
    const rest = text.slice(until);
    if (end !== undefined) open = [];
    open.push(rest);
    tail = (end === undefined ? near : rest).slice(-3);
    return events;
  }
  const encode = (events: string): Uint8Array<ArrayBuffer> =>
    encoder.encode(
      /\d{16}/.test(events)
        ? events
            .split(/(?<=\r\n\r\n|\n\n|\r\r)/)
            .map(exactEvent)
            .join("")
        : events,
    );
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const events = complete(decoder.decode(piece, { stream: true }));
        if (count > mostEvents) {
          if (id !== undefined) controller.enqueue(encoder.encode(tooManyEvents(id)));
          controller.terminate();
        } else if (events !== "") controller.enqueue(encode(events));
      },
      flush(controller) {
        const rest = open.join("") + decoder.decode();
        if (rest !== "") controller.enqueue(encode(rest));
      },
    }),
  );
}

function tooManyEvents(id: Json): string {
  const error = { code: -32_000, message: `It sent more than ${mostEvents} messages in one answer.` };
  return `data: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`;
}

const dataLine = /^data(?:: ?|$)/;

function exactEvent(event: string): string {
  const lines = event.split(/\r\n|\n|\r/);
  const data = lines.filter((line) => dataLine.test(line)).map((line) => line.replace(dataLine, ""));
  const exact = withLargeIntegersAsText(data.join("\n"));
  if (exact === data.join("\n")) return event;
  return [`data: ${exact}`, ...lines.filter((line) => !dataLine.test(line))].join("\n");
}

/** For the client: checks what a tool returns against the schema that it promises, with digits as integers. */
export const resultValidator = {
  getValidator<Value>(schema: object) {
    const check = schemaCheck({ ...schema } as JsonSchema);
    return (input: unknown) => {
      const verdict = check(input as JsonObject);
      return verdict.ok
        ? { valid: true as const, data: input as Value, errorMessage: undefined }
        : { valid: false as const, data: undefined, errorMessage: verdict.reason };
    };
  },
};
