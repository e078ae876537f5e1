import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Readable as NodeReadable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ByteRange } from "../../functions/_shared/files/byte-range.ts";
import { systemErrorCode } from "../start-error.ts";

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const objectName = new RegExp(`^(${uuid})/(${uuid})$`);

/** Bytes on disk, by name: the owner's id, a slash, and an id. Any other name has none. */
export interface StoredObjects {
  /** Writes an object; one that is there stays as it is. Nothing is kept where the bytes break off. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<"written" | "exists" | "no-name">;
  /** Undefined where there is none; `part` chooses some of its bytes by its size. */
  read(
    name: string,
    part?: (size: number) => ByteRange | undefined,
  ): Promise<{ size: number; bytes: Readable; part?: ByteRange } | undefined>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
}

/** Objects below a folder, a folder for each owner. */
export function createStoredObjects(root: string): StoredObjects {
  const placeOf = (name: string) => {
    const [, owner, id] = objectName.exec(name) ?? [];
    return owner === undefined || id === undefined
      ? undefined
      : { folder: join(root, owner), file: join(root, owner, id) };
  };
  return {
    async write(name, bytes) {
      const place = placeOf(name);
      if (!place) return "no-name";
      await mkdir(place.folder, { recursive: true, mode: 0o700 });
      if ((await sizeOf(place.file)) !== undefined) return "exists";
      const draft = `${place.file}.part`;
      // Whoever writes first has it. It is open before a byte comes, so that none that breaks off early leaves one behind.
      const handle = await openNew(draft);
      if (!handle) return "exists";
      try {
        await pipeline(NodeReadable.from(bytes), handle.createWriteStream({ flush: true }));
        await rename(draft, place.file);
        return "written";
      } catch (error) {
        await handle.close();
        await rm(draft, { force: true });
        throw error;
      }
    },
    async read(name, choose) {
      const place = placeOf(name);
      const size = place && (await sizeOf(place.file));
      if (!place || size === undefined) return undefined;
      const part = choose?.(size);
      if (!part) return { size, bytes: createReadStream(place.file) };
      return { size, part, bytes: createReadStream(place.file, { start: part.first, end: part.last }) };
    },
    async remove(name) {
      const place = placeOf(name);
      if (!place) return false;
      // What was left of a write that a stop broke off.
      await rm(`${place.file}.part`, { force: true });
      if ((await sizeOf(place.file)) === undefined) return false;
      await rm(place.file, { force: true });
      return true;
    },
  };
}

async function openNew(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, "wx", 0o600);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return undefined;
    throw error;
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
