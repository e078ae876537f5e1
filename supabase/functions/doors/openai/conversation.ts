import { z } from "zod/mini";
import type { JsonObject } from "../../../../src/engine/json.ts";

/** Clients send a document as a `data:` URL, or as bare base64, which is a PDF then. */
function fileOf(data: string, name?: string): JsonObject {
  const url = data.startsWith("data:") ? data : `data:application/pdf;base64,${data}`;
  return name === undefined ? { url } : { url, name };
}

const textPart = z.object({ type: z.enum(["text", "input_text", "output_text"]), text: z.string() });
const imagePart = z.union([
  z.pipe(
    z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
    z.transform((part) => part.image_url.url),
  ),
  z.pipe(
    z.object({ type: z.literal("input_image"), image_url: z.string() }),
    z.transform((part) => part.image_url),
  ),
]);
const filePart = z.union([
  z.pipe(
    z.object({ type: z.literal("file"), file: z.object({ file_data: z.string(), filename: z.optional(z.string()) }) }),
    z.transform(({ file }) => fileOf(file.file_data, file.filename)),
  ),
  z.pipe(
    z.object({ type: z.literal("input_file"), file_data: z.string(), filename: z.optional(z.string()) }),
    z.transform((file) => fileOf(file.file_data, file.filename)),
  ),
  z.pipe(
    z.object({
      type: z.literal("input_audio"),
      input_audio: z.object({ data: z.string(), format: z.enum(["wav", "mp3"]) }),
    }),
    z.transform(({ input_audio: { data, format } }) =>
      fileOf(`data:audio/${format === "wav" ? "wav" : "mpeg"};base64,${data}`),
    ),
  ),
]);
const part = z.union([
  z.pipe(
    textPart,
    z.transform(({ text }) => ({ text })),
  ),
  z.pipe(
    imagePart,
    z.transform((image) => ({ image })),
  ),
  z.pipe(
    filePart,
    z.transform((file) => ({ file })),
  ),
]);
const content = z.union([
  z.pipe(
    z.string(),
    z.transform((text) => [{ text }]),
  ),
  z.array(part),
]);

/** A message as clients send it, in the form of Chat Completions or of Responses. */
export const sentMessage = z.pipe(
  z.object({ role: z.enum(["system", "developer", "user", "assistant"]), content }),
  z.transform(({ role, content: parts }) => ({
    role,
    text: parts.flatMap((one) => ("text" in one ? [one.text] : [])).join("\n"),
    images: parts.flatMap((one) => ("image" in one ? [one.image] : [])),
    files: parts.flatMap((one) => ("file" in one ? [one.file] : [])),
  })),
);
export type SentMessage = z.infer<typeof sentMessage>;

/** What a run is started with: one message, and the pictures and files that come with it. */
export interface Turn {
  message: string;
  images?: string[];
  /** Each with its `url` and, where it has one, its `name`. */
  files?: JsonObject[];
}

/**
 * The run's input for what a client sent; null where the last message is not a user's. In a session the workflow remembers what
 * was said before, so the last message is enough; without one, the messages before stand in it.
 */
export function turnOf(messages: readonly SentMessage[], hasSession: boolean): Turn | null {
  const last = messages.at(-1);
  if (last?.role !== "user" || (last.text.trim() === "" && last.images.length + last.files.length === 0)) return null;
  const text = last.text.trim() === "" ? (last.images.length > 0 ? "(a picture)" : "(a file)") : last.text;
  const before = hasSession ? [] : messages.slice(0, -1).filter((message) => message.text.trim() !== "");
  const told = before.map(({ role, text: said }) => `${names[role]}: ${said}`).join("\n\n");
  return {
    message: told === "" ? text : `The conversation so far:\n\n${told}\n\nThe user now says:\n\n${text}`,
    ...(last.images.length === 0 ? {} : { images: last.images }),
    ...(last.files.length === 0 ? {} : { files: last.files }),
  };
}

const names: Record<SentMessage["role"], string> = {
  system: "Instructions",
  developer: "Instructions",
  user: "User",
  assistant: "Assistant",
};
