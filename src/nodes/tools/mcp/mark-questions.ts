import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../engine/json.ts";

/** Names the call that a request of the client makes; it is taken off before the request goes out. */
export const callHeader = "x-switchyard-call";

/** The name of a call within a question. */
const mark = "switchyard/call";

/** The call on whose stream a question came. */
export function markedCall({ _meta: meta }: { _meta?: Record<string, unknown> | undefined }): string | undefined {
  const name = meta?.[mark];
  return typeof name === "string" ? name : undefined;
}

/** Whether a message asks something; some servers escape the slash. */
const asks = (text: string) => /elicitation\\?\/create/.test(text);

/**
 * An answer in which every question says the call on whose stream it came. A question that came elsewhere says none, whatever
 * the server wrote. The events of a stream have to come whole.
 */
export async function markQuestions(response: Response, call: string | undefined): Promise<Response> {
  const type = response.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const { status, statusText, headers } = response;
  if (!response.ok || response.body === null) return response;
  if (type === "application/json")
    return new Response(markedText(await response.text(), call), { status, statusText, headers });
  if (type === "text/event-stream")
    return new Response(markedEvents(response.body, call), { status, statusText, headers });
  return response;
}

function markedEvents(body: ReadableStream<Uint8Array>, call: string | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const events = decoder.decode(piece);
        const marked = () => events.split(/(?<=\r\n\r\n|\n\n|\r\r)/).map((event) => markedEvent(event, call));
        controller.enqueue(asks(events) ? encoder.encode(marked().join("")) : piece);
      },
    }),
  );
}

const dataLine = /^data(?:: ?|$)/;

function markedEvent(event: string, call: string | undefined): string {
  if (!asks(event)) return event;
  const lines = event.split(/\r\n|\n|\r/);
  const data = lines.filter((line) => dataLine.test(line)).map((line) => line.replace(dataLine, ""));
  const others = lines.filter((line) => !dataLine.test(line));
  return [`data: ${markedText(data.join("\n"), call)}`, ...others].join("\n");
}

function markedText(text: string, call: string | undefined): string {
  const message = asks(text) ? parseJson(text) : undefined;
  if (message === undefined) return text;
  return JSON.stringify(Array.isArray(message) ? message.map((one) => marked(one, call)) : marked(message, call));
}

/** A question as a message of its own, or as one that a result wants answered. */
function marked(message: Json, call: string | undefined): Json {
  if (!isJsonObject(message)) return message;
  const { method, result } = message;
  if (method === "elicitation/create") return withMark(message, call);
  if (!isJsonObject(result) || !isJsonObject(result.inputRequests)) return message;
  const questions = Object.entries(result.inputRequests).map(([key, one]): [string, Json] => [
    key,
    isJsonObject(one) && one.method === "elicitation/create" ? withMark(one, call) : one,
  ]);
  return { ...message, result: { ...result, inputRequests: Object.fromEntries(questions) } };
}

function withMark(question: JsonObject, call: string | undefined): JsonObject {
  const params = isJsonObject(question.params) ? question.params : {};
  const { _meta: said } = params;
  const { [mark]: _written, ...meta } = isJsonObject(said) ? said : {};
  return { ...question, params: { ...params, _meta: call === undefined ? meta : { ...meta, [mark]: call } } };
}
