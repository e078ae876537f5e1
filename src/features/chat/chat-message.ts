import { type FileValue, filesIn } from "../../engine/file/file.ts";
import { namedFiles } from "../../engine/model/attachments.ts";
import type { FilePart } from "../../engine/model/message.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";

/** A document or a recording of a message from before files were stored apart, as a `data:` URL. */
export interface InlineFile {
  name: string;
  url: string;
}

/** What a person sends: words and files. `images` and `inline` are those of messages from before files were stored apart. */
export interface ChatMessage {
  text: string;
  files?: readonly FileValue[];
  /** `data:` or https URLs. */
  images: readonly string[];
  inline?: readonly InlineFile[];
}

/** Whether files go with it. */
export function hasFiles({ files = [], images, inline = [] }: ChatMessage): boolean {
  return files.length + images.length + inline.length > 0;
}

/** The input of a run that answers a message. */
export function inputOf({ text, images, files = [], inline = [] }: ChatMessage, sessionId: string): Json {
  const all = [...files.map((file) => ({ ...file })), ...inline.map(({ name, url }) => ({ name, url }))];
  return {
    message: text,
    sessionId,
    ...(images.length > 0 ? { images: [...images] } : {}),
    ...(all.length > 0 ? { files: all } : {}),
  };
}

/** The message that a run answers. */
export function messageOfInput(input: Json | undefined): ChatMessage {
  if (!isJsonObject(input)) return { text: "", images: [] };
  const images = Array.isArray(input.images) ? input.images.filter((url) => typeof url === "string") : [];
  const inline = namedFiles(input).map(asInline);
  const files = filesIn(input.files);
  return {
    text: typeof input.message === "string" ? input.message : "",
    images,
    ...(files.length > 0 ? { files } : {}),
    ...(inline.length > 0 ? { inline } : {}),
  };
}

/** A file of a message by the name that it is shown by. */
export function asInline({ name = "File", url }: FilePart): InlineFile {
  return { name, url };
}
