import type { Message, Part } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { fileName, mediaTypeOf } from "../../../../src/engine/file/file-name.ts";
import type { SentFile } from "../../_shared/files/door-files.ts";
import { withEnding } from "../../_shared/files/named-by-headers.ts";

/** The most files of one message. */
const maxFiles = 10;

/** What another agent says: words, and files by their bytes. */
interface SentParts {
  text: string;
  files: SentFile[];
}

/** The text and the files of a message. Throws what the protocol says of one that cannot be taken. */
export function partsOf(message: Message | undefined, { takesFiles }: { takesFiles: boolean }): SentParts {
  const parts = message?.parts ?? [];
  const texts: string[] = [];
  const files: SentFile[] = [];
  for (const part of parts) {
    if (part.content?.$case === "text") texts.push(part.content.value);
    else files.push(fileOf(part, files.length + 1, takesFiles));
  }
  const text = texts.join("\n").trim();
  if (text === "" && files.length === 0)
    throw malformed(`Send a message with text${takesFiles ? " or a file" : " parts only"}.`);
  if (files.length > maxFiles) throw malformed(`Send at most ${maxFiles} files with one message.`);
  return { text, files };
}

function fileOf({ content, filename, mediaType }: Part, number: number, takesFiles: boolean): SentFile {
  if (content?.$case === "url")
    throw malformed("A file is taken by its bytes only, not by its address. Fetch it and send the bytes.");
  if (content?.$case !== "raw" || !takesFiles)
    throw malformed(takesFiles ? "Send text and files only." : "Send a message with text parts only.");
  if (content.value.length === 0) throw malformed("A file has no bytes. Send them as base64.");
  const type = mediaTypeOf(mediaType);
  return {
    name: withEnding(fileName(filename, `file-${number}`), type),
    mediaType: type,
    bytes: Uint8Array.from(content.value),
  };
}

function malformed(message: string): RequestMalformedError {
  return new RequestMalformedError({ message });
}
