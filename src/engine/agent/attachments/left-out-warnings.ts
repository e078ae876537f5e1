import { isJsonObject, type Json } from "../../json.ts";
import type { FilePart, ImagePart } from "../../model/message.ts";
import { maxFiles } from "./attached-files.ts";
import { maxImages } from "./attached-images.ts";

/** What of an agent's input no model is sent, whatever it can read: attachments of the wrong type, size or number. */
export function leftOutWarnings(
  input: Json | undefined,
  taken: { images: readonly ImagePart[]; files: readonly FilePart[] },
): { message: string; hint: string }[] {
  const sent = (key: string): number => {
    const value = isJsonObject(input) ? input[key] : undefined;
    if (value === undefined || value === null) return 0;
    return Array.isArray(value) ? value.length : 1;
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
