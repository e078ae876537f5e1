import { isJsonObject, type ExactJson, type JsonObject, type JsonSchema, parseJson } from "../../../engine/json.ts";
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
  if (type === "text/event-stream") return new Response(exactEvents(response.body), { status, statusText, headers });
  return response;
}

/** Server-sent events, each let through when it is complete, with the digits in its data as text. */
function exactEvents(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let open = "";
  /** Lets through what ends with an empty line. */
  function complete(text: string, last: boolean): Uint8Array<ArrayBuffer> {
    const from = Math.max(0, open.length - 3);
    open += text;
    const ends = [...open.slice(from).matchAll(/\r\n\r\n|\n\n|\r\r/g)];
    const end = ends.at(-1);
    const until = last ? open.length : end ? from + end.index + end[0].length : 0;
    const events = open.slice(0, until);
    open = open.slice(until);
    return encoder.encode(
      /\d{16}/.test(events)
        ? events
            .split(/(?<=\r\n\r\n|\n\n|\r\r)/)
            .map(exactEvent)
            .join("")
        : events,
    );
  }
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const bytes = complete(decoder.decode(piece, { stream: true }), false);
        if (bytes.length > 0) controller.enqueue(bytes);
      },
      flush(controller) {
        const bytes = complete(decoder.decode(), true);
        if (bytes.length > 0) controller.enqueue(bytes);
      },
    }),
  );
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
