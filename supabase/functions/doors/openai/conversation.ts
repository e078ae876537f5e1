import { z } from "zod/mini";
import type { JsonObject } from "../../../../src/engine/json.ts";

/** Clients send a document as a `data:` URL, or as bare base64, which is a PDF then. */
function fileOf(data: string, name?: string): JsonObject {
  const url = data.startsWith("data:") ? data : `data:application/pdf;base64,${data}`;
  return name === undefined ? { url } : { url, name };
}

const textPart = z.union([
  z.object({ type: z.enum(["text", "input_text", "output_text"]), text: z.string() }),
  z.pipe(
    z.object({ type: z.literal("refusal"), refusal: z.string() }),
    z.transform(({ refusal }) => ({ text: refusal })),
  ),
]);
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

/** What a client sends, as it is told to a workflow. `tool`: what a tool of the client gave. */
export type SentMessage = Omit<z.infer<typeof sentMessage>, "role"> & {
  role: z.infer<typeof sentMessage>["role"] | "tool";
};

/** What a run is started with: one message, and the pictures and files that come with it. */
export interface Turn {
  message: string;
  images?: string[];
  /** Each with its `url` and, where it has one, its `name`. */
  files?: JsonObject[];
}

/**
 * The run's input for what a client sent; null where the last message is neither a user's nor what a tool gave. In a session the
 * workflow remembers what was said before, so the last message is enough; without one, the messages before stand in it.
 */
export function turnOf(messages: readonly SentMessage[], hasSession: boolean): Turn | null {
  // A client that has called tools of its own asks to go on with the same question.
  const isDone = messages.at(-1)?.role === "tool";
  const at = isDone ? messages.findLastIndex(({ role }) => role === "user") : messages.length - 1;
  const last = messages[at];
  // What came of a call of an earlier answer, to which the session goes back.
  if (isDone && last === undefined && hasSession) return { message: told(messages) };
  if (last?.role !== "user" || (last.text.trim() === "" && last.images.length + last.files.length === 0)) return null;
  const text = last.text.trim() === "" ? "" : last.text;
  const before = told(hasSession ? [] : messages.slice(0, at));
  const done = told(messages.slice(at + 1));
  const asked =
    before === ""
      ? text
      : `The conversation so far:\n\n${before}\n\nThe user now says:\n\n${text || (last.images.length > 0 ? "(a picture)" : "(a file)")}`;
  return {
    message: done === "" ? asked : `${asked}\n\nDone for this since:\n\n${done}`,
    ...(last.images.length === 0 ? {} : { images: last.images }),
    ...(last.files.length === 0 ? {} : { files: last.files }),
  };
}

function told(messages: readonly SentMessage[]): string {
  return messages
    .filter(({ text }) => text.trim() !== "")
    .map(({ role, text }) => `${names[role]}: ${text}`)
    .join("\n\n");
}

const names: Record<SentMessage["role"], string> = {
  system: "Instructions",
  developer: "Instructions",
  user: "User",
  assistant: "Assistant",
  tool: "Result of the tool",
};
