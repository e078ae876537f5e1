/** A part of a file's bytes: its first and its last one, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The part that a `Range` header asks for (RFC 9110, section 14). Undefined for one that is not understood and for several parts, where
 * the whole file is the answer; `unsatisfiable` where the file has none of the bytes.
 */
export function readRange(header: string, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header) ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return undefined;
  return first >= size ? "unsatisfiable" : { first, last };
}
