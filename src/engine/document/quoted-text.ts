/** A string of an expression: `mark` is the quote around it, `text` what it stands for, `bytes` whether it is of bytes. */
interface QuotedText {
  mark: '"' | "'";
  text: string;
  bytes: boolean;
}

const named: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const escapes = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{3})|([^]))/gi;

/** Reads a string as CEL writes it, with its quotes and what stands before them. */
export function readQuoted(token: string): QuotedText {
  const [prefix = ""] = /^[a-z]*/i.exec(token) ?? [];
  const mark = token[prefix.length] === "'" ? "'" : '"';
  const inner = token.slice(prefix.length + 1, -1);
  return { mark, text: /r/i.test(prefix) ? inner : unescaped(inner), bytes: /b/i.test(prefix) };
}

/** Writes a string so that `readQuoted` gives it again. */
export function writeQuoted({ mark, text, bytes }: QuotedText): string {
  const inner = text
    .replace(/\\/g, "\\\\")
    .replaceAll(mark, `\\${mark}`)
    .replace(/\n/g, "\\n")
    .replace(/\r/g, "\\r")
    .replace(/\t/g, "\\t");
  return `${bytes ? "b" : ""}${mark}${inner}${mark}`;
}

function unescaped(inner: string): string {
  return inner.replace(escapes, (all, x?: string, u?: string, long?: string, octal?: string, one?: string) => {
    const hex = x ?? u ?? long;
    if (one !== undefined) return Object.hasOwn(named, one) ? (named[one] ?? one) : one;
    const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
