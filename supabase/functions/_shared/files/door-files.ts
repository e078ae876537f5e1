import { maxInputMb } from "../../../../src/doors/door-limits.ts";
import { type FileValue, maxFileBytes } from "../../../../src/engine/file/file.ts";
import { DoorProblem, problems } from "../door-problem.ts";
import type { FunctionContext } from "../endpoint.ts";
import { toHex } from "../webhooks/signature-bytes.ts";
import { type SenderShare, shareProblem, startRefusal } from "../sender-shares.ts";
import { dropBody } from "../receive-body.ts";
import { SupabaseError } from "../supabase-client.ts";
import { createFileStorage } from "./file-storage.ts";

/** A file that came with a request. */
export interface SentFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file that is still on its way. */
export interface ArrivingFile extends Omit<SentFile, "bytes"> {
  bytes: AsyncIterable<Uint8Array>;
}

/** What is known of a file before it is stored, or where it is not to be: all but its id. */
export async function describeSent({ name, mediaType, bytes }: SentFile): Promise<Omit<FileValue, "$file">> {
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  return { name, mediaType, size: bytes.byteLength, sha256 };
}

/** For which publication bytes are stored, and who sends them. */
interface Upload {
  publication: { workflowId: string; owner: string };
  /** As the database counts them. */
  senders: readonly SenderShare[];
  /** What tells the request from others: one that came before is not counted again. */
  key?: string | undefined;
}

type Context = Pick<FunctionContext, "environment" | "supabase" | "background">;

/**
 * Counts bytes that are about to be stored among what their sender may send in a day. With `counts` false the start of a run counts
 * them, and it is only seen to that there is room. Throws DoorProblem.
 */
export async function takeUpload(
  { supabase }: Context,
  { publication, senders, key }: Upload,
  bytes: number,
  { counts = true } = {},
): Promise<void> {
  const asked = {
    p_workflow_id: publication.workflowId,
    p_senders: senders,
    p_bytes: bytes,
    p_counts: counts,
    p_known: key ?? null,
  };
  const refused = startRefusal.safeParse(await supabase.callAsService("studio_take_upload", asked));
  if (!refused.success) return;
  throw new DoorProblem(
    refused.data.problem === "share" ? shareProblem(refused.data) : problems.notFound("published version"),
  );
}

/**
 * Stores what came with a request as files of the publication's owner, all or none. Their bytes count with the run that they start.
 * Throws DoorProblem.
 */
export async function keepSent(
  context: Context,
  upload: Upload,
  sent: readonly SentFile[],
  signal: AbortSignal,
): Promise<FileValue[]> {
  if (sent.length === 0) return [];
  const size = sent.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  await takeUpload(context, upload, size, { counts: false });
  const { owner } = upload.publication;
  const kept: FileValue[] = [];
  try {
    for (const { bytes, ...file } of sent)
      kept.push(await keepFile(context, owner, { ...file, bytes: pieces(bytes) }, signal));
  } catch (error) {
    await discardFiles(context, owner, kept);
    throw error;
  }
  return kept;
}

/** The most bytes of a request whose files are stored as they come: one file, and the fields beside it. */
export const maxStreamedBytes = maxFileBytes + maxInputMb * 1024 * 1024;

/** The size of a body as its sender announces it; undefined where it is not said, or not in plain bytes. */
export function announcedBytes(headers: Headers): number | undefined {
  const size = Number(headers.get("content-length") ?? Number.NaN);
  return Number.isSafeInteger(size) && size > 0 && !headers.has("content-encoding") ? size : undefined;
}

/** Where the files of one request are stored as they come. */
interface OpenUpload {
  keep(file: ArrivingFile): Promise<FileValue>;
  /** Does what the files are for; where that throws, none of them is kept. */
  orNothing<Done>(work: () => Promise<Done>): Promise<Done>;
}

/**
 * Opens an upload of as many bytes as are announced. They count among what their sender may send in a day before the first is read,
 * whatever comes of them; a request that came before needs no room. Throws DoorProblem.
 */
export async function openUpload(
  context: Context,
  upload: Upload,
  bytes: number,
  request: Request,
): Promise<OpenUpload> {
  try {
    const most = Math.min(bytes, maxStreamedBytes);
    await takeUpload(context, upload, most).catch((error: unknown) => {
      if (upload.key === undefined) throw error;
      return takeUpload(context, upload, most, { counts: false });
    });
  } catch (error) {
    await dropBody(request);
    throw error;
  }
  const { owner } = upload.publication;
  const kept: FileValue[] = [];
  return {
    async keep(file) {
      const value = await keepFile(context, owner, file, request.signal);
      kept.push(value);
      return value;
    },
    async orNothing(work) {
      try {
        return await work();
      } catch (error) {
        await discardFiles(context, owner, kept);
        throw error;
      }
    },
  };
}

/** Stores bytes as they arrive. Throws DoorProblem where the owner has no room or the file is too large. */
export async function keepFile(
  context: Context,
  owner: string,
  file: ArrivingFile,
  signal: AbortSignal,
): Promise<FileValue> {
  const storage = createFileStorage(context);
  const kept = await storage.put(owner, file, signal);
  context.background(storage.sweep());
  if (kept.ok) return kept.value;
  if (kept.error.code !== "too_large") throw new DoorProblem(problems.storageFull);
  const { message, hint } = kept.error;
  throw new DoorProblem({ status: 413, code: "too_large", title: "File too large", detail: `${message} ${hint}` });
}

/**
 * Deletes files that were stored for something which did not come of them. Never throws: why it did not is what the sender is told, and
 * files that nobody holds are deleted a day later anyway.
 */
export async function discardFiles(
  { supabase }: Pick<Context, "supabase">,
  owner: string,
  files: readonly FileValue[],
): Promise<void> {
  if (files.length === 0) return;
  try {
    await supabase.callAsService("studio_discard_files", { p_owner: owner, p_files: files.map(({ $file }) => $file) });
  } catch (error) {
    console.error(`files not discarded: ${error instanceof SupabaseError ? error.message : "internal error"}`);
  }
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
