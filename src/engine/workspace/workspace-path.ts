import { wellFormedText } from "../well-formed.ts";

/** The most characters of a path, and of names in it. */
const maxPathChars = 200;
const maxNames = 10;

/** A path as it is kept, or why it is refused, in words for a model. */
export type ReadPath = { ok: true; path: string } | { ok: false; message: string };

/** Characters that stand for nothing that can be seen, and spaces that only look like one. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** Characters with a meaning in names elsewhere. */
const reserved = /[\\:*?"<>|]/;
const letters = /[\p{L}\p{M}]+/gu;
const latin = /\p{Script=Latin}/u;
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/**
 * A path as a model writes it, in the one form in which it is kept: names joined by `/`. What leads out of the workspace, cannot
 * be seen, or looks like another name is refused.
 */
export function readWorkspacePath(text: string): ReadPath {
  const refuse = (message: string): ReadPath => ({ ok: false, message });
  const path = text.normalize("NFC");
  if (path.trim() === "") return refuse("The path is empty.");
  if (path.startsWith("/")) return refuse("Paths do not begin with a slash: notes/plan.md.");
  if (unseen.test(path) || wellFormedText(path) !== path) return refuse("The path has characters that cannot be seen.");
  if (reserved.test(path)) return refuse('These characters are not allowed in a path: \\ : * ? " < > |');
  if (path.normalize("NFKC") !== path)
    return refuse("The path has characters that look like others. Use plain letters.");
  if (path.length > maxPathChars) return refuse(`The path has more than ${maxPathChars} characters.`);
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) return refuse('A path cannot leave the workspace by "..".');
  if (names.length > maxNames) return refuse(`The path has more than ${maxNames} parts.`);
  if (names.length === 0 || path.endsWith("/")) return refuse("The path names no file.");
  for (const name of names) {
    if (name.trim() !== name || name.endsWith("."))
      return refuse("Names do not begin with a space or end with a space or a dot.");
    if (name.match(letters)?.some((word) => latin.test(word) && lookAlike.test(word)))
      return refuse(`"${name}" mixes letters of alphabets that look alike. Use one alphabet in a word.`);
  }
  return { ok: true, path: names.join("/") };
}

/** Why a new path would be mistaken for one that is there, in words for a model; undefined where it would not. */
export function pathClash(path: string, taken: Iterable<string>): string | undefined {
  const folded = foldedPath(path);
  for (const other of taken) {
    const known = foldedPath(other);
    if (known === folded) return `There is "${other}" already. Names that differ only in capitals are not allowed.`;
    if (folded.startsWith(`${known}/`)) return `"${other}" is a file, so it cannot hold files.`;
    if (known.startsWith(`${folded}/`)) return `"${path}" is a folder: it holds "${other}".`;
  }
  return undefined;
}

/**
 * A free path of a stem and a number, such as `results/search-3.json`; `results-search-3.json` where a file stands in the place
 * of the folder.
 */
export function freePath(stem: string, extension: string, taken: Iterable<string>): string {
  const files = new Set([...taken].map(foldedPath));
  const folders = new Set([...files].flatMap(foldersOf));
  const isBlocked = foldersOf(foldedPath(stem)).some((folder) => files.has(folder));
  const place = isBlocked ? stem.replaceAll("/", "-") : stem;
  for (let number = 1; ; number += 1) {
    const path = `${place}-${number}.${extension}`;
    const folded = foldedPath(path);
    if (!files.has(folded) && !folders.has(folded)) return path;
  }
}

/** The folders that a path lies in: `a` and `a/b` of `a/b/c`. */
function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

function foldedPath(path: string): string {
  return path.toLowerCase();
}
