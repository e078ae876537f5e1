/**
 * The text of a file, whatever wrote it: UTF-8 or UTF-16 by its mark, UTF-16 by its zeros, else UTF-8 unless more of it
 * breaks the rules of that than keeps them; then most likely Western European (Windows-1252).
 */
export function decodeText(bytes: Uint8Array): string {
  const wide = utf16Of(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  const text = new TextDecoder("utf-8").decode(bytes);
  const broken = countOf(text, /\uFFFD/g);
  if (broken === 0 || broken < countOf(text, /[^\p{ASCII}\uFFFD]/gu)) return text;
  return westernOf(bytes);
}

/** The letters of Windows-1252 from 0x80 to 0x9F; some runtimes take it for Latin-1, which has controls there. */
const inPlaceOfControls = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function westernOf(bytes: Uint8Array): string {
  const text = new TextDecoder("windows-1252").decode(bytes);
  return text.replace(/[\u0080-\u009f]/g, (control) => inPlaceOfControls[control.charCodeAt(0) - 0x80] ?? control);
}

/** Whether a file says by its first bytes that it is UTF-16. */
export function isMarkedUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Bytes; of fewer, zeros tell nothing. */
const shortest = 16;

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (isMarkedUtf16(bytes)) return bytes[0] === 0xff ? "utf-16le" : "utf-16be";
  const start = bytes.subarray(0, 2_000);
  if (start.length < shortest) return undefined;
  const zeros = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  // Letters of Latin script, spaces and line ends have a zero on one side; what is no text has them on both.
  const enough = start.length / 8;
  if (odd > enough && even * 20 < odd) return "utf-16le";
  return even > enough && odd * 20 < even ? "utf-16be" : undefined;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
