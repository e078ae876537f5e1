import { isJsonObject, type Json } from "../../json.ts";
import type { FilePart, ImagePart, UserMessage } from "../../model/message.ts";

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

/** The user's message of a turn: its text, and what is attached to it and the model can read. */
export function questionWith(text: string, attached: readonly (ImagePart | FilePart)[]): UserMessage {
  return { role: "user", parts: [{ type: "text", text }, ...attached] };
}
