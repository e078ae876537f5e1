import { isJsonObject, type Json } from "../json.ts";
import type { ImagePart, UserMessage } from "../model/message.ts";

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

/** The user's message of a turn: its text, and the images where the model can see them. */
export function questionWith(text: string, images: readonly ImagePart[]): UserMessage {
  return { role: "user", parts: [{ type: "text", text }, ...images] };
}
