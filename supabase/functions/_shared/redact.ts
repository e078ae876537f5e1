import { Buffer } from "node:buffer";

/** Shorter texts would be found everywhere by chance, so they are left alone. */
const MIN_SECRET_CHARACTERS = 4;
const MARK = "[redacted]";

/** Takes secrets out of what leaves a function, in every spelling a server is likely to echo them in. */
export type Redactor = {
  text(value: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  /** For a body that passes through; a secret cut in two by chunk borders is found as well. Bytes keep their order. */
  stream(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
};

/** A redactor of these secrets; those under four characters are left alone. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = [...new Set(secrets.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS).flatMap(spellings))];
  // The longest first, so that a part of a spelling does not hide the whole.
  patterns.sort((a, b) => b.length - a.length);
  const text = (value: string): string => replaceAll(value, patterns);
  return {
    text,
    headers: (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)])),
    stream: () => redactingStream(patterns.map((pattern) => Buffer.from(pattern, "utf8").toString("latin1"))),
  };
}

/** As it is, percent-encoded, as a form field, inside JSON, inside HTML, hexadecimal, and base64 at every alignment. */
function spellings(secret: string): string[] {
  // Half a surrogate pair cannot be percent-encoded; it is never sent as such either.
  const encoded = encodeURIComponent(Buffer.from(secret, "utf8").toString("utf8"));
  const strict = encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const bytes = Buffer.from(secret, "utf8");
  const variants = [
    secret,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (mark) => mark.toLowerCase()),
    encoded.replace(/%20/g, "+"),
    strict,
    encodeURIComponent(encoded),
    json,
    json.replace(/\//g, "\\/"),
    JSON.stringify(json).slice(1, -1),
    html,
    html.replace(/"/g, "&quot;").replace(/'/g, "&#39;"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ];
  return variants.filter((variant) => variant.length >= MIN_SECRET_CHARACTERS);
}

/**
 * The characters of base64 that depend on the secret alone when it starts `offset` bytes into what was encoded; those at
 * either end also depend on its neighbours and are left out.
 */
function base64At(bytes: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const start = offset === 0 ? 0 : offset + 1;
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const core = whole.slice(start, end);
  // A core much shorter than the secret would match by chance.
  return core.length < 8 ? [] : [core, core.replace(/\+/g, "-").replace(/\//g, "_")];
}

function redactingStream(
  patterns: readonly string[],
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let held = "";
  return new TransformStream({
    transform(chunk, controller) {
      if (patterns.length === 0) return controller.enqueue(chunk);
      const text = replaceAll(held + Buffer.from(chunk).toString("latin1"), patterns);
      const keep = startedLength(text, patterns);
      held = text.slice(text.length - keep);
      if (keep < text.length) controller.enqueue(toBytes(text.slice(0, text.length - keep)));
    },
    flush(controller) {
      if (held !== "") controller.enqueue(toBytes(held));
    },
  });
}

/** How many characters at the end may be the start of a pattern; only those wait for the next chunk. */
function startedLength(text: string, patterns: readonly string[]): number {
  let longest = 0;
  for (const pattern of patterns) {
    for (let length = Math.min(pattern.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(pattern.slice(0, length))) {
        longest = length;
        break;
      }
    }
  }
  return longest;
}

function replaceAll(value: string, patterns: readonly string[]): string {
  let redacted = value;
  for (const pattern of patterns) redacted = redacted.replaceAll(pattern, () => MARK);
  return redacted;
}

function toBytes(latin1: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(latin1, "latin1"));
}
