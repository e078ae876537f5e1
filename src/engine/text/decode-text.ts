import { guessEncoding } from "./guess-encoding.ts";

/** What is known of a text besides its bytes. */
interface TextFacts {
  /** The media type with its parameters, as a server or a file says it: `text/html; charset=gbk`. */
  contentType?: string | undefined;
  /** The bytes end somewhere; a letter that is cut off is dropped. */
  truncated?: boolean;
}

/**
 * The text of bytes, whatever wrote them, without a byte order mark. In the order of the HTML standard
 * (https://html.spec.whatwg.org/#determining-the-character-encoding): a byte order mark, the charset of the content type, what an
 * HTML or XML document says of itself (a quoted `<meta>` in other text says nothing), else UTF-8 where the bytes are that; then UTF-16 by its zeros, and a guess. A charset of
 * UTF-8 that most letters contradict does not count. Undefined for what is no text.
 */
export function decodeText(
  bytes: Uint8Array,
  { contentType = "", truncated = false }: TextFacts = {},
): string | undefined {
  const marked = markOf(bytes);
  if (marked !== undefined) return decode(bytes, marked, truncated);
  const named = charsetOf(contentType) ?? declaredIn(bytes, contentType);
  const text =
    named !== undefined && named !== "utf-8"
      ? decode(bytes, named, truncated)
      : (asUtf8(bytes, truncated) ?? decode(bytes, wideOf(bytes) ?? guessEncoding(bytes, { truncated }), truncated));
  return isText(text) ? text : undefined;
}

/** The text of a file that a person chose, as `decodeText` reads it. Rejects where the file cannot be read or is no text. */
export async function readTextFile(file: Pick<Blob, "arrayBuffer" | "type">): Promise<string> {
  const text = decodeText(new Uint8Array(await file.arrayBuffer()), { contentType: file.type });
  if (text === undefined) throw new Error("The file is no text.");
  return text;
}

/** The name under which `TextDecoder` knows a charset; undefined where it does not. */
function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The charset of a media type; undefined for none, and for one that no browser knows. */
function charsetOf(contentType: string): string | undefined {
  const label = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
  return label === undefined ? undefined : known(label);
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Bytes at the beginning in which a document may say its encoding, as browsers have it. */
const prescanned = 1_024;

/** Types that say a document is HTML or XML, and types that say nothing of what a text is. */
const markup = /^(?:text\/(?:html|xml)|application\/xml|[^/]+\/[^/]+\+xml)$/;
const unspecific = /^(?:|text\/plain|application\/octet-stream)$/;
const beginsAsMarkup = /^\s*<(?:!doctype\s+html|\?xml|html|head|meta|title|body)\b/i;

function declaredIn(bytes: Uint8Array, contentType: string): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, prescanned)).replace(/<!--[\s\S]*?-->/g, "");
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (!markup.test(type) && !(unspecific.test(type) && beginsAsMarkup.test(start))) return undefined;
  const label =
    /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']+)["']/i.exec(start)?.[1] ??
    /<meta\s(?:[^>]*?[\s"'])?(?:charset\s*=\s*|content\s*=\s*["'][^"'>]*?charset\s*=\s*)["']?\s*([^\s"'/>;]+)/i.exec(
      start,
    )?.[1];
  const encoding = label === undefined ? undefined : known(label);
  // What could be read so far is no UTF-16.
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

/** The letters of windows-1252 from 0x80 to 0x9F; some runtimes take it for Latin-1, which has controls there. */
const inPlaceOfControls = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function decode(bytes: Uint8Array, encoding: string, truncated: boolean): string {
  const text = new TextDecoder(encoding).decode(bytes, { stream: truncated });
  if (encoding !== "windows-1252") return text;
  return text.replace(/[\u0080-\u009f]/g, (control) => inPlaceOfControls[control.charCodeAt(0) - 0x80] ?? control);
}

/** Undefined where more letters break the rules of UTF-8 than keep them. */
function asUtf8(bytes: Uint8Array, truncated: boolean): string | undefined {
  const zero = bytes.subarray(0, 2_000).includes(0);
  const text = decode(bytes, "utf-8", truncated);
  if (zero && wideOf(bytes) !== undefined) return undefined;
  if (!text.includes("\uFFFD")) return text;
  const broken = countOf(text, /\uFFFD/g);
  return broken < countOf(text, /[^\p{ASCII}\uFFFD]/gu) ? text : undefined;
}

/** Bytes; of fewer, zeros tell nothing. */
const shortest = 8;

/** UTF-16 without a mark: spaces, line ends and Latin letters have a zero on one side. */
function wideOf(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const start = bytes.subarray(0, 2_000);
  if (start.length < shortest) return undefined;
  const zeros = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const least = Math.max(start.length / 100, 1);
  // A few letters of other scripts have their zero on the other side.
  const likely = odd >= least && odd > even * 2 ? "utf-16le" : even >= least && even > odd * 2 ? "utf-16be" : undefined;
  return likely !== undefined && isWide(bytes, likely) ? likely : undefined;
}

/** Whether every letter is one, and none a control character. */
function isWide(bytes: Uint8Array, encoding: string): boolean {
  try {
    return isText(new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, 4_000), { stream: true }));
  } catch {
    return false;
  }
}

/** Text has hardly any control characters. */
function isText(text: string): boolean {
  const start = text.slice(0, 100_000);
  // oxlint-disable-next-line no-control-regex
  return countOf(start, /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g) * 50 <= start.length;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
