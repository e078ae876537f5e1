const textTypes =
  /^(text\/|application\/(.*\+)?(json|xml|javascript|ecmascript|x-ndjson|jsonl|x-www-form-urlencoded|yaml|x-yaml|toml|graphql|sql|csv)\b|image\/svg\+xml)/i;

/** A body as text in its charset, or a description such as `[binary, image/png, 1234 bytes]`. */
export function describeBody(body: Uint8Array, contentType: string | undefined, truncated: boolean): string {
  if (body.byteLength === 0) return "";
  const type = (contentType ?? "").split(";")[0]?.trim() ?? "";
  if (type !== "" && !textTypes.test(type)) return binary(body, type);
  const text = decodeText(body, charset(contentType), truncated);
  if (text === null || (type === "" && text.includes("\0"))) return binary(body, type === "" ? "unknown type" : type);
  return text;
}

function binary(body: Uint8Array, type: string): string {
  return `[binary, ${type}, ${body.byteLength} bytes]`;
}

function charset(contentType: string | undefined): string {
  return /charset="?([\w-]+)"?/i.exec(contentType ?? "")?.[1] ?? "utf-8";
}

/** `null` for bytes that are no UTF-8 although no other charset is named. A letter cut off at the end is dropped. */
function decodeText(body: Uint8Array, label: string, truncated: boolean): string | null {
  const isUtf8 = /^utf-?8$/i.test(label);
  try {
    return new TextDecoder(label, { fatal: isUtf8 }).decode(body, { stream: truncated });
  } catch {
    return isUtf8 ? null : decodeText(body, "utf-8", truncated);
  }
}
