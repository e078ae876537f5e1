import { guessEncoding } from "../../../../src/engine/text/guess-encoding.ts";

const encoder = new TextEncoder();

/**
 * The fields of an URL-encoded form in their order. Their encoding is the one of the content type; without one it is UTF-8, and
 * guessed where the bytes are none, as old senders write it.
 */
export function readFormFields(bytes: Uint8Array, charset: string | undefined): [string, string][] {
  const pairs = split(bytes, "&")
    .filter((pair) => pair.byteLength > 0)
    .map((pair) => {
      const at = pair.indexOf(equals);
      return at === -1 ? [pair, new Uint8Array()] : [pair.subarray(0, at), pair.subarray(at + 1)];
    })
    .map(([name = new Uint8Array(), value = new Uint8Array()]) => [decodePercent(name), decodePercent(value)] as const);
  const decoder = decoderFor(pairs.flat(), charset);
  return pairs.map(([name, value]) => [decoder.decode(name), decoder.decode(value)]);
}

const [equals = 0, plus = 0, percent = 0, blank = 0] = encoder.encode("=+% ");

function decoderFor(texts: readonly Uint8Array[], charset: string | undefined): TextDecoder {
  const named = charset === undefined ? undefined : textDecoder(charset);
  if (named) return named;
  const strict = new TextDecoder("utf-8", { fatal: true });
  const isUtf8 = texts.every((text) => {
    try {
      strict.decode(text);
      return true;
    } catch {
      return false;
    }
  });
  return new TextDecoder(isUtf8 ? "utf-8" : guessEncoding(joined(texts)));
}

/** Line by line, so that no letter goes over two of them. */
function joined(texts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(texts.reduce((sum, text) => sum + text.byteLength + 1, 0)).fill(0x0a);
  let at = 0;
  for (const text of texts) {
    all.set(text, at);
    at += text.byteLength + 1;
  }
  return all;
}

/** The decoder of an encoding; undefined for a name that no browser knows. */
export function textDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function split(bytes: Uint8Array, sign: string): Uint8Array[] {
  const [code] = encoder.encode(sign);
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at <= bytes.byteLength; at += 1) {
    if (at < bytes.byteLength && bytes[at] !== code) continue;
    parts.push(bytes.subarray(start, at));
    start = at + 1;
  }
  return parts;
}

/** As the URL standard decodes a form: `+` is a blank, `%` with two hexadecimal digits a byte. */
function decodePercent(bytes: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(bytes.byteLength);
  let length = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    const digits = byte === percent ? String.fromCharCode(...bytes.subarray(at + 1, at + 3)) : "";
    const isByte = /^[0-9a-f]{2}$/i.test(digits);
    decoded[length] = isByte ? Number.parseInt(digits, 16) : byte === plus ? blank : byte;
    if (isByte) at += 2;
    length += 1;
  }
  return decoded.subarray(0, length);
}
