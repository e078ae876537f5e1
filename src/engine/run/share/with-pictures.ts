import { isJsonObject, type Json } from "../../json.ts";
import type { FileValue } from "../../file/file.ts";
import { dataUrlOf } from "../../model/data-url.ts";
import { type AssistantMessage, generatedFiles, type Message } from "../../model/message.ts";
import type { RunEvent } from "../events.ts";

/** Bytes of pictures that one copy holds. */
const maxPictureBytes = 10 * 1024 * 1024;

/** The pictures that models made in a run, each once. */
export function picturesMade(events: readonly RunEvent[]): FileValue[] {
  const all = events.flatMap((event) => (event.type === "model-response" ? generatedFiles(event.message) : []));
  return [...new Map(all.map((file) => [file.$file, file])).values()];
}

/**
 * The events with the pictures that models made as `data:` URLs, for a copy that is read without the studio: in what was said, and as
 * `images` of outputs. Those that `read` does not find, and what is too much, stay references.
 */
export async function withPictures(
  events: readonly RunEvent[],
  read: (id: string) => Promise<Uint8Array | undefined>,
  maxBytes = maxPictureBytes,
): Promise<RunEvent[]> {
  const urls = new Map<string, string>();
  let room = maxBytes;
  for (const { $file, mediaType, size } of picturesMade(events)) {
    const bytes = size <= room ? await read($file) : undefined;
    if (bytes === undefined) continue;
    urls.set($file, dataUrlOf(mediaType, bytes));
    room -= size;
  }
  return urls.size === 0 ? [...events] : events.map((event) => shown(event, urls));
}

type Urls = ReadonlyMap<string, string>;

function shown(event: RunEvent, urls: Urls): RunEvent {
  switch (event.type) {
    case "model-response":
      return { ...event, message: inMessage(event.message, urls) };
    case "model-request":
      return {
        ...event,
        messages: event.messages.map((one): Message => (one.role === "assistant" ? inMessage(one, urls) : one)),
      };
    case "node-end":
    case "run-end":
      return { ...event, output: inOutput(event.output, urls) };
    default:
      return event;
  }
}

function inMessage(message: AssistantMessage, urls: Urls): AssistantMessage {
  const parts = message.parts.map((part) => {
    const url = part.type === "made-file" ? urls.get(part.file.$file) : undefined;
    return url === undefined ? part : { type: "image" as const, url };
  });
  return { ...message, parts };
}

function inOutput(output: Json, urls: Urls): Json {
  if (!isJsonObject(output) || !Array.isArray(output["files"])) return output;
  const images = output["files"].flatMap((file) => (isJsonObject(file) ? (urls.get(String(file["$file"])) ?? []) : []));
  return images.length === 0 ? output : { ...output, images };
}
