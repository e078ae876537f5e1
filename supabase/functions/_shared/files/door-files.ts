import type { FileValue } from "../../../../src/engine/file/file.ts";
import type { JsonObject } from "../../../../src/engine/json.ts";
import { DoorProblem, problems } from "../door-problem.ts";
import type { FunctionContext } from "../endpoint.ts";
import { type SenderShare, shareProblem, startRefusal } from "../sender-shares.ts";
import { toHex } from "../webhooks/signature-bytes.ts";
import { createFileStorage } from "./file-storage.ts";

/** A file that came with a request. */
export interface SentFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What is known of a file before it is stored, or where it is not to be: all but its id. */
export async function describeSent({ name, mediaType, bytes }: SentFile): Promise<JsonObject> {
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
      kept.push(await keepFile(context, owner, { ...file, bytes: [bytes] }, signal));
  } catch (error) {
    await discardFiles(context, owner, kept);
    throw error;
  }
  return kept;
}

/** Stores bytes as they arrive. Throws DoorProblem where the owner has no room or the file is too large. */
export async function keepFile(
  context: Context,
  owner: string,
  { bytes, ...file }: Omit<SentFile, "bytes"> & { bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[] },
  signal: AbortSignal,
): Promise<FileValue> {
  const storage = createFileStorage(context);
  const kept = await storage.put(owner, { ...file, bytes: pieces(bytes) }, signal);
  context.background(storage.sweep());
  if (kept.ok) return kept.value;
  if (kept.error.code !== "too_large") throw new DoorProblem(problems.storageFull);
  const { message, hint } = kept.error;
  throw new DoorProblem({ status: 413, code: "too_large", title: "File too large", detail: `${message} ${hint}` });
}

/** Deletes files that were stored for a run which was not started. */
export async function discardFiles({ supabase }: Context, owner: string, files: readonly FileValue[]): Promise<void> {
  if (files.length === 0) return;
  await supabase.callAsService("studio_discard_files", { p_owner: owner, p_files: files.map(({ $file }) => $file) });
}

async function* pieces(bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}
