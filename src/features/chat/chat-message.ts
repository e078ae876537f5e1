import { namedFiles } from "../../engine/model/attachments.ts";
import type { FilePart } from "../../engine/model/message.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";

/** A document or a recording that goes with a message, as a `data:` URL. */
export interface AttachedFile {
  name: string;
  url: string;
}

/** What a person sends: words, images (`data:` or https URLs) and files. */
export interface ChatMessage {
  text: string;
  images: readonly string[];
  files?: readonly AttachedFile[];
}

/** The input of a run that answers a message. */
export function inputOf({ text, images, files = [] }: ChatMessage, sessionId: string): Json {
  return {
    message: text,
    sessionId,
    ...(images.length > 0 ? { images: [...images] } : {}),
    ...(files.length > 0 ? { files: files.map(({ name, url }) => ({ name, url })) } : {}),
  };
}

/** The message that a run answers. */
export function messageOfInput(input: Json | undefined): ChatMessage {
  if (!isJsonObject(input)) return { text: "", images: [] };
  const images = Array.isArray(input.images) ? input.images.filter((url) => typeof url === "string") : [];
  const files = namedFiles(input).map(asAttached);
  return {
    text: typeof input.message === "string" ? input.message : "",
    images,
    ...(files.length > 0 ? { files } : {}),
  };
}

/** A file of a message by the name that it is shown by. */
export function asAttached({ name = "File", url }: FilePart): AttachedFile {
  return { name, url };
}
