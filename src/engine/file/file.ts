import { z } from "zod/mini";
import { isJsonObject, type Json } from "../json.ts";

/** The most bytes of one file. A hosted project may allow less, and says so when more is stored. */
export const maxFileBytes = 100 * 1024 * 1024;

/** What to do where a file's bytes are gone. */
export const goneFileHint = "Files are deleted with the runs that hold them. Get the file again.";

/** The most characters of a file's name. */
export const maxFileNameLength = 255;

/** A media type without parameters (RFC 6838, section 4.2), in lower case. */
const mediaType = z
  .string()
  .check(z.maxLength(127), z.regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/));

/** A file as it travels through ports, templates and logs; its bytes are in storage. */
export const fileSchema = z.strictObject({
  /** Id of the stored file, a UUID. */
  $file: z.uuid(),
  name: z.string().check(z.minLength(1), z.maxLength(maxFileNameLength)),
  mediaType,
  /** Bytes. */
  size: z.int().check(z.minimum(0)),
  /** SHA-256 of the bytes, in hex. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

/**
 * A reference to stored bytes. Holding one gives no right to them: `RunFiles` decides whether a run may use it, and what it says of the
 * file is never taken from the value.
 */
export type FileValue = z.infer<typeof fileSchema>;

/** The id that a value names as a file's; undefined for a value that is no reference. It may be forged. */
export function fileIdIn(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = value["$file"];
  return typeof id === "string" ? id : undefined;
}

/** All ids that a value names, at any depth, in its order. They may be forged. */
export function fileIdsIn(value: Json | undefined): string[] {
  const found = new Set<string>();
  const pending: Json[] = value === undefined ? [] : [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const id = fileIdIn(next);
    if (id !== undefined) found.add(id);
    for (const inner of Object.values(next).toReversed()) pending.push(inner);
  }
  return [...found];
}

/** Files as they stand in a value, at any depth and each once. Some may be forged. */
export function filesIn(value: Json | undefined): FileValue[] {
  const found = new Map<string, FileValue>();
  const look = (inner: Json): void => {
    if (typeof inner !== "object" || inner === null) return;
    const file = fileSchema.safeParse(inner);
    if (file.success) found.set(file.data.$file, file.data);
    else Object.values(inner).forEach(look);
  };
  if (value !== undefined) look(value);
  return [...found.values()];
}

/** A value with something else in place of each file that stands in it, at any depth. What stands there may be forged. */
export function mapFiles(value: Json, to: (file: FileValue) => Json): Json {
  if (Array.isArray(value)) return value.map((inner) => mapFiles(inner, to));
  if (!isJsonObject(value)) return value;
  const file = fileSchema.safeParse(value);
  if (file.success) return to(file.data);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapFiles(inner, to)]));
}
