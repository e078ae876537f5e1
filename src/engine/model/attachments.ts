import { visibleName } from "../text/visible-name.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type FileValue, fileIdIn } from "../file/file.ts";
import type { ChatModel, FileKind } from "./chat-model.ts";
import { type DataUrl, readDataUrl } from "./data-url.ts";
import type { FilePart, ImagePart, UserMessage } from "./message.ts";
import { sourceNamed, type Taint } from "../trust/taint.ts";

/** Formats that every vendor with vision takes (OpenAI, Anthropic and Gemini image input guides). */
const dataUrl = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;
/** The most images of one message that are sent on. */
export const maxImages = 8;
/** The most characters of one image's URL: 5 MB as base64, the smallest limit among vendors (Anthropic vision guide). */
export const maxImageChars = 7_000_000;

function isImageUrl(url: unknown): url is string {
  if (typeof url !== "string" || url.length > maxImageChars) return false;
  return url.startsWith("https://") ? URL.canParse(url) : dataUrl.test(url);
}

/**
 * The images that come with an agent's input: `images`, a list of `data:` URLs (PNG, JPEG, WebP, GIF) or https URLs.
 * Anything else in it is left out, and so is what exceeds `maxImages`.
 */
export function attachedImages(input: Json | undefined): ImagePart[] {
  if (!isJsonObject(input) || !Array.isArray(input.images)) return [];
  return input.images
    .filter((url) => isImageUrl(url))
    .slice(0, maxImages)
    .map((url) => ({ type: "image", url }));
}

/** The most pictures of a tool's result that a model is shown. */
const maxToolImages = 4;

/**
 * The pictures of a tool's result as `data:` URLs: objects `{ "mimeType", "data" }` with base64 data, by themselves or in a
 * list, as MCP servers give them. Formats that not every vendor takes are left out.
 */
export function picturesIn(output: Json): string[] {
  return (Array.isArray(output) ? output : [output])
    .flatMap((part) => {
      if (!isJsonObject(part) || typeof part.mimeType !== "string" || typeof part.data !== "string") return [];
      const url = `data:${part.mimeType};base64,${part.data}`;
      return isImageUrl(url) ? [url] : [];
    })
    .slice(0, maxToolImages);
}

/** Types of files that vendors read, with their kind (PDF and audio guides of Anthropic, Google and OpenAI). */
export const fileTypes: Readonly<Record<string, FileKind>> = {
  "application/pdf": "pdf",
  "audio/wav": "audio",
  "audio/mpeg": "audio",
};

/** The most files of one message that are sent on. */
export const maxFiles = 4;
/** The most characters of one file's URL: 10 MB as base64. */
export const maxFileChars = 14_000_000;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The type and the base64 data, unchecked, of a file's URL; undefined for one that no vendor reads. */
export function fileData(url: string): (DataUrl & { kind: FileKind }) | undefined {
  const file = readDataUrl(url);
  const kind = file && Object.hasOwn(fileTypes, file.type) ? fileTypes[file.type] : undefined;
  return file && kind && { ...file, kind };
}

/** The files of an agent's input as they were sent, by the types they claim: quick, whatever their size. */
export function namedFiles(input: Json | undefined): FilePart[] {
  if (!isJsonObject(input) || !Array.isArray(input.files)) return [];
  return input.files.slice(0, maxFiles).flatMap((file): FilePart[] => {
    if (!isJsonObject(file) || typeof file.url !== "string" || file.url.length > maxFileChars) return [];
    if (fileData(file.url) === undefined) return [];
    return [
      {
        type: "file",
        url: file.url,
        ...(typeof file.name === "string" ? { name: visibleName(file.name.slice(0, 200)) } : {}),
      },
    ];
  });
}

/**
 * The files that come with an agent's input: `files`, a list of `{ "url", "name" }` with `data:` URLs of PDF, WAV or MP3.
 * Anything else in it is left out, and so is what exceeds `maxFiles`.
 */
export function attachedFiles(input: Json | undefined): FilePart[] {
  return namedFiles(input).filter(({ url }) => base64.test(fileData(url)?.data ?? ""));
}

/**
 * What is wrong with what a caller attaches to an input, in words that say what to send; undefined where all of it can be read. Absent
 * or null is nothing.
 */
export function attachmentProblem(input: Json): string | undefined {
  if (!isJsonObject(input)) return undefined;
  const { images, files } = input;
  const sent = (value: Json | undefined): value is Json => value !== undefined && value !== null;
  if (sent(images) && (!Array.isArray(images) || attachedImages(input).length < images.length))
    return `"images" has to be a list of at most ${maxImages} texts, each an https address or a data URL of a PNG, JPEG, WebP or GIF of at most 5 MB.`;
  if (sent(files) && (!Array.isArray(files) || attachedFiles(input).length < files.length))
    return `"files" has to be a list of at most ${maxFiles} objects { "url", "name" }, each with a data URL of a PDF, WAV or MP3 of at most 10 MB.`;
  return undefined;
}

/** What is attached to an input, by what it says it is: as it was sent, readable or not. */
const sentWith = ({ images, files }: JsonObject): Json[] => [images, files].flatMap((list) => list ?? []);

/** Whether an input is a message: it has words, or at least one picture or file. */
export function isMessage(input: Json | undefined): input is JsonObject {
  if (!isJsonObject(input)) return false;
  const { message = "" } = input;
  return typeof message === "string" && (message.trim() !== "" || sentWith(input).length > 0);
}

/** A message in one line: its words, or else the names of its files. Undefined for an input that is no message. */
export function messageLine(input: Json | undefined): string | undefined {
  if (!isMessage(input)) return undefined;
  const { message } = input;
  if (typeof message === "string" && message.trim() !== "") return message;
  const sent = sentWith(input);
  const names = sent.flatMap((file) =>
    isJsonObject(file) && typeof file.name === "string" ? visibleName(file.name) : [],
  );
  return names.join(", ") || (sent.length === 1 ? "1 file" : `${sent.length} files`);
}

/** Where what is attached to an input came from; somebody else may have written a file, whoever attaches it. */
export function taintOfAttachments(input: Json | undefined): Taint {
  const images = attachedImages(input).length > 0 ? ["an attached picture"] : [];
  return [
    ...images,
    ...namedFiles(input).map(({ name }) => sourceNamed(name ? `the file "${name}"` : "an attached file")),
  ];
}

/** The same of files of the run. */
export function taintOfFiles(files: readonly FileValue[]): Taint {
  return files.map(({ name }) => sourceNamed(`the file "${name}"`));
}

/** A warning for the log. */
interface Warning {
  message: string;
  hint: string;
}

/**
 * The user's message of a turn: the text first, then what is attached to it and this model can read. `unread` tells of what it
 * cannot. No vendor is sent an empty text: a message without words has no text.
 */
export function questionFor(
  { modelId, capabilities }: Pick<ChatModel, "modelId" | "capabilities">,
  text: string,
  { images = [], files = [] }: { images?: readonly ImagePart[] | undefined; files?: readonly FilePart[] | undefined },
): { question: UserMessage; unread: Warning[] } {
  const parts: UserMessage["parts"] = text.trim() === "" ? [] : [{ type: "text", text }];
  const unread: Warning[] = [];
  if (capabilities.vision) parts.push(...images);
  else if (images.length > 0)
    unread.push({
      message: `The model ${modelId} cannot see images, so they were not sent.`,
      hint: "Choose a model with vision, or send the message without images.",
    });
  for (const file of files) {
    const kind = fileData(file.url)?.kind;
    if (kind !== undefined && capabilities.files?.includes(kind)) parts.push(file);
    else
      unread.push({
        message: `The model ${modelId} cannot read ${file.name ?? "a file"}, so it was not sent.`,
        hint: "Choose a model that reads such files, or send the message without it.",
      });
  }
  return { question: { role: "user", parts }, unread };
}

/** What of an agent's input no model is sent, whatever it can read: attachments of the wrong type, size or number. */
export function leftOutWarnings(
  input: Json | undefined,
  taken: { images: readonly ImagePart[]; files: readonly FilePart[] },
): Warning[] {
  const sent = (key: string): number => {
    const value = isJsonObject(input) ? input[key] : undefined;
    if (value === undefined || value === null) return 0;
    // Files of the run go another way.
    return [value].flat().filter((each) => fileIdIn(each) === undefined).length;
  };
  const kinds = [
    {
      noun: "image",
      left: sent("images") - taken.images.length,
      hint: `Send PNG, JPEG, WebP or GIF, as a data URL of at most 5 MB or an https address, and at most ${maxImages} to a message.`,
    },
    {
      noun: "file",
      left: sent("files") - taken.files.length,
      hint: `Send PDF, WAV or MP3, each as { "url", "name" } with a data URL of at most 10 MB, and at most ${maxFiles} to a message.`,
    },
  ];
  return kinds
    .filter(({ left }) => left > 0)
    .map(({ noun, left, hint }) => ({
      message: left === 1 ? `1 attached ${noun} was not sent.` : `${left} attached ${noun}s were not sent.`,
      hint,
    }));
}
