import { isJsonObject, type Json } from "../../engine/json.ts";

/** What a person sends: words and images (`data:` or https URLs). */
export interface ChatMessage {
  text: string;
  images: readonly string[];
}

/** The input of a run that answers a message. */
export function inputOf({ text, images }: ChatMessage, sessionId: string): Json {
  return images.length === 0 ? { message: text, sessionId } : { message: text, sessionId, images: [...images] };
}

/** The message that a run answers. */
export function messageOfInput(input: Json | undefined): ChatMessage {
  if (!isJsonObject(input)) return { text: "", images: [] };
  const images = Array.isArray(input.images) ? input.images.filter((url) => typeof url === "string") : [];
  return { text: typeof input.message === "string" ? input.message : "", images };
}
