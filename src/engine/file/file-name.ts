import { visibleName } from "../text/visible-name.ts";
import { firstChars, wellFormedText } from "../well-formed.ts";
import { fileSchema, maxFileNameLength } from "./file.ts";

/** The type of bytes that nothing is known about. */
export const unknownType = "application/octet-stream";

/** Control characters, and those that separate folders or have a meaning in names on Windows. */
// oxlint-disable-next-line no-control-regex -- They are what is replaced.
const unfit = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|]/g;

/**
 * A name from outside as the name of a file: one without folders, control characters and characters that turn the text around them;
 * `fallback` where nothing is left. A name that is too long keeps its ending.
 */
export function fileName(text: string, fallback = "file"): string {
  const last = text.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? "";
  const name = visibleName(wellFormedText(last).normalize("NFC")).replace(unfit, "_").trim().replace(/^\.+$/, "");
  if (name === "") return fallback;
  if (name.length <= maxFileNameLength) return name;
  const ending = /\.[^.]{1,20}$/.exec(name)?.[0] ?? "";
  return `${firstChars(name, maxFileNameLength - ending.length)}${ending}`;
}

/** The media type of a `Content-Type` header without its parameters, in lower case; `unknownType` for one that cannot be read. */
export function mediaTypeOf(contentType: string | null | undefined): string {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return fileSchema.shape.mediaType.safeParse(type).success ? type : unknownType;
}
