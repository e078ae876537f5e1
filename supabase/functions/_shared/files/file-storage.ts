import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod/mini";
import { type FileValue, fileSchema, maxFileBytes } from "../../../../src/engine/file/file.ts";
import { failure, type Outcome, success } from "../failure.ts";
import type { FunctionEnvironment } from "../function-environment.ts";
import { serviceHeaders, type SupabaseClient, SupabaseError } from "../supabase-client.ts";
import { filesBucket } from "./bucket.ts";
import type { ByteRange } from "./byte-range.ts";

/** A stored file and its bytes as they arrive. */
export interface OpenedFile {
  file: FileValue;
  /** Where the bytes are not all of the file's. */
  part?: ByteRange;
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** By whose right a file is read: its owner's, or that of a run which received or made it. */
export type FileHolder = { owner: string } | { run: string };

/** Files in storage, by owner. Bytes pass without being held; nothing is kept of a file that was not stored to its end. */
export interface FileStorage {
  /**
   * Stores bytes as they arrive. Fails with `too_large` above 100 MB or what the project allows, and with `invalid_config` where the
   * account's storage is full. Rejects when `bytes` does.
   */
  put(
    owner: string,
    file: { name: string; mediaType: string; bytes: AsyncIterable<Uint8Array> },
    signal: AbortSignal,
  ): Promise<Outcome<FileValue>>;
  /** A file and its bytes, or the part of them where storage gives parts. Null where there is none. */
  open(whose: FileHolder, id: string, signal: AbortSignal, part?: ByteRange): Promise<OpenedFile | null>;
  /** What a file is, without its bytes. */
  describe(whose: FileHolder, id: string): Promise<FileValue | null>;
  /** Deletes bytes that no file holds any more: some at a time, of whichever account. Never rejects. */
  sweep(): Promise<void>;
}

const room = z.coerce.number();
const found = z.nullable(z.object({ folder: z.uuid(), blob: z.uuid(), file: fileSchema }));
const refusal = z.object({ statusCode: z.optional(z.union([z.string(), z.number()])), error: z.optional(z.string()) });
const dueBlobs = z.array(z.object({ folder: z.uuid(), blob: z.uuid() }));

export function createFileStorage({
  environment,
  supabase,
}: {
  environment: FunctionEnvironment;
  supabase: SupabaseClient;
}): FileStorage {
  const headers = serviceHeaders(environment.serviceRoleKey);
  const addressOf = (folder: string, blob: string) =>
    `${environment.supabaseUrl}/storage/v1/object/${filesBucket}/${folder}/${blob}`;
  const remove = async (folder: string, blob: string) => {
    const response = await fetch(addressOf(folder, blob), { method: "DELETE", headers, redirect: "error" });
    const said = await response.text();
    if (response.ok || response.status === 404 || (response.status === 400 && isNotFound(said))) return;
    throw new SupabaseError("delete a file", response.status, null);
  };
  /** One that cannot be deleted holds up none of the others, now or later. */
  const sweepOne = async (folder: string, blob: string) => {
    const note = await remove(folder, blob).then(
      () => "studio_forget_blob",
      () => "studio_postpone_blob",
    );
    await supabase.callAsService(note, { p_folder: folder, p_blob: blob });
  };
  const find = async (whose: FileHolder, id: string) => {
    if (!z.uuid().safeParse(id).success) return null;
    const asked = { p_file: id, ...("owner" in whose ? { p_owner: whose.owner } : { p_run: whose.run }) };
    return found.parse(await supabase.callAsService("studio_read_file", asked, "reads"));
  };

  return {
    async put(owner, { name, mediaType, bytes }, signal) {
      const blob = crypto.randomUUID();
      const left = room.parse(await supabase.callAsService("studio_begin_blob", { p_owner: owner, p_blob: blob }));
      const meter = createMeter(bytes, Math.min(left, maxFileBytes));
      let response: Response;
      try {
        // Without `duplex` no runtime sends a body before it has all of it.
        const sent: RequestInit & { duplex: "half" } = {
          method: "POST",
          headers: { ...headers, "content-type": "application/octet-stream" },
          body: meter.stream,
          duplex: "half",
          redirect: "error",
          signal,
        };
        response = await fetch(addressOf(owner, blob), sent);
        await response.body?.cancel();
      } catch (error) {
        if (meter.exceeded()) return left < maxFileBytes ? full() : tooLarge(name);
        if (meter.failure() !== undefined || signal.aborted) throw meter.failure() ?? error;
        throw new SupabaseError("store a file", 503, null);
      }
      if (response.status === 413) return tooLarge(name);
      if (!response.ok) throw new SupabaseError("store a file", response.status, null);
      const { size, hash } = meter.end();
      const content = { p_owner: owner, p_blob: blob, p_size: size, p_sha256: hash };
      try {
        const added = { ...content, p_name: name, p_media_type: mediaType };
        return success(fileSchema.parse(await supabase.callAsService("studio_add_file", added)));
      } catch (error) {
        if (error instanceof SupabaseError && error.isFull) return full();
        throw error;
      }
    },
    async open(whose, id, signal, part) {
      const known = await find(whose, id);
      if (known === null) return null;
      const response = await fetch(addressOf(known.folder, known.blob), {
        headers: part ? { ...headers, range: `bytes=${part.first}-${part.last}` } : headers,
        redirect: "error",
        signal,
      });
      if (response.ok && response.body) {
        const isPart = part !== undefined && response.status === 206;
        return { file: known.file, bytes: response.body, ...(isPart ? { part } : {}) };
      }
      await response.body?.cancel();
      throw new SupabaseError("read a file", response.status, null);
    },
    describe: async (whose, id) => (await find(whose, id))?.file ?? null,
    async sweep() {
      try {
        const due = dueBlobs.parse(await supabase.callAsService("studio_due_blobs", { p_limit: 20 }, "reads"));
        for (const { folder, blob } of due) await sweepOne(folder, blob);
      } catch {
        // What is left comes due again with the next file.
      }
    },
  };
}

/** Supabase's Storage answers with 400 for an object that is not there, and says so in the body alone. */
function isNotFound(body: string): boolean {
  try {
    const { statusCode, error } = refusal.parse(JSON.parse(body));
    return String(statusCode) === "404" || error === "not_found";
  } catch {
    return false;
  }
}

/** Counts and hashes bytes on their way; the stream breaks above `maxBytes`. */
function createMeter(bytes: AsyncIterable<Uint8Array>, maxBytes: number) {
  const hash = sha256.create();
  const iterator = bytes[Symbol.asyncIterator]();
  let size = 0;
  let failed: unknown;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const next = await iterator.next();
          if (next.done === true) return controller.close();
          size += next.value.byteLength;
          if (size > maxBytes) throw new Error("The file is too large.");
          const chunk = new Uint8Array(next.value);
          hash.update(chunk);
          controller.enqueue(chunk);
        } catch (error) {
          failed = error;
          await iterator.return?.();
          controller.error(error);
        }
      },
      cancel: async () => void (await iterator.return?.()),
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    exceeded: () => size > maxBytes,
    failure: () => failed,
    end: () => ({ size, hash: bytesToHex(hash.digest()) }),
  };
}

function tooLarge(name: string): Outcome<never> {
  const message = `"${name}" is too large: at most ${maxFileBytes / 1024 / 1024} MB, or what the project allows, can be kept.`;
  return failure("too_large", message, "Use a smaller file, or one part of it.");
}

function full(): Outcome<never> {
  const hint = "Settings shows what your account holds. Delete something, or ask the operator for more.";
  return failure("invalid_config", "Your account's storage is full, so the file was not kept.", hint);
}
