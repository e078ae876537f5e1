import { decodeText } from "../../../src/engine/text/decode-text.ts";
import { isTextType } from "../../../src/engine/text/text-type.ts";

/** A body as `decodeText` reads it, or a description such as `[binary, image/png, 1234 bytes]`. */
export function describeBody(body: Uint8Array, contentType: string | undefined, truncated: boolean): string {
  if (body.byteLength === 0) return "";
  const type = (contentType ?? "").split(";")[0]?.trim() ?? "";
  const text = type === "" || isTextType(type) ? decodeText(body, { contentType, truncated }) : undefined;
  const isNone = text === undefined || (type === "" && text.includes("\0"));
  return isNone ? `[binary, ${type === "" ? "unknown type" : type}, ${body.byteLength} bytes]` : text;
}
