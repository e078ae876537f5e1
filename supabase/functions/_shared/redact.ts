import { Buffer } from "node:buffer";
import { firstCharacters, matchAt, type Needle, needlesOf } from "./secret-needles.ts";

/** Shorter texts would be found everywhere by chance, so they are left alone. */
const minSecretCharacters = 4;
const mark = "[redacted]";

/**
 * Takes secrets out of what leaves a function, in the spellings that a server is likely to echo them in. This is best
 * effort: a server that wants to can always write a secret in a way that nobody thought of, such as backwards or encrypted.
 * The wall is that a secret is only sent to the hosts that its owner allowed.
 */
export interface Redactor {
  text(value: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  /** For a body that passes through; a secret cut in two by chunk borders is found as well. Bytes keep their order. */
  stream(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
}

/** A redactor of these secrets; those under four characters are left alone. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const long = [...new Set(secrets.filter((secret) => secret.length >= minSecretCharacters))];
  const search = long
    .flatMap(needlesOf)
    .toSorted((a, b) => b.length - a.length)
    .map((needle) => ({ needle, starts: firstCharacters(needle) }));
  const text = (value: string): string => redacted(value, search, true).text;
  return {
    text,
    headers: (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)])),
    stream: () => redactingStream(search),
  };
}

interface SearchedNeedle {
  needle: Needle;
  starts: ReadonlySet<number>;
}

/** The text without secrets, up to where a secret may have begun whose end is not there yet, and the rest. */
function redacted(text: string, search: readonly SearchedNeedle[], whole: boolean): { text: string; rest: string } {
  const clean = withoutEncoded(text, search);
  const lower = clean.toLowerCase();
  // Lower case may be longer for a few letters; then places would not agree.
  const compared = lower.length === clean.length ? lower : clean;
  const open = whole ? clean.length : endOfWhole(clean);
  let result = "";
  let copied = 0;
  for (let place = 0; place < clean.length; place += 1) {
    const code = clean.charCodeAt(place);
    let end = 0;
    for (const { needle, starts } of search) {
      if (!starts.has(code)) continue;
      const found = matchAt(clean, compared, place, needle);
      if (found === "partial") {
        const from = Math.max(copied, Math.min(place, open));
        if (!whole) return { text: result + clean.slice(copied, from), rest: clean.slice(from) };
      } else if (found) end = Math.max(end, found.end);
    }
    if (end === 0) continue;
    result += clean.slice(copied, place) + mark;
    copied = end;
    place = end - 1;
  }
  const held = Math.max(copied, open);
  return { text: result + clean.slice(copied, held), rest: clean.slice(held) };
}

/** Runs of base64 that are decoded and looked into; in a stream, those at its end wait for what follows. */
const encodedRun = /[A-Za-z0-9+/_-]{24,16384}={0,2}/g;
const openRun = /[A-Za-z0-9+/_-]+={0,2}$/;
const longestTail = 16_384;

function endOfWhole(text: string): number {
  const tail = text.slice(-longestTail);
  const run = openRun.exec(tail);
  // One that is longer than a secret could make it is a picture or a file.
  return run && run[0].length < longestTail ? text.length - run[0].length : text.length;
}

/** Base64 of something that holds a secret in another spelling, base64 included, goes as a whole. */
function withoutEncoded(text: string, search: readonly SearchedNeedle[]): string {
  if (search.length === 0) return text;
  return text.replace(encodedRun, (run) => {
    const decoded = Buffer.from(run, "base64").toString("latin1");
    const twice = /^[A-Za-z0-9+/_=\s-]{16,}$/.test(decoded) ? Buffer.from(decoded, "base64").toString("latin1") : "";
    return holds(decoded, search) || holds(twice, search) ? mark : run;
  });
}

function holds(text: string, search: readonly SearchedNeedle[]): boolean {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return false;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    for (const { needle, starts } of search) {
      if (!starts.has(code)) continue;
      const found = matchAt(text, lower, place, needle);
      if (found !== undefined && found !== "partial") return true;
    }
  }
  return false;
}

function redactingStream(
  search: readonly SearchedNeedle[],
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let held = "";
  return new TransformStream({
    transform(chunk, controller) {
      if (search.length === 0) return controller.enqueue(chunk);
      const { text, rest } = redacted(held + Buffer.from(chunk).toString("latin1"), search, false);
      held = rest;
      if (text !== "") controller.enqueue(toBytes(text));
    },
    flush(controller) {
      const { text } = redacted(held, search, true);
      if (text !== "") controller.enqueue(toBytes(text));
    },
  });
}

function toBytes(latin1: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(latin1, "latin1"));
}
