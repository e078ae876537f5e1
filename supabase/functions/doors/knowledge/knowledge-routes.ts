import { z } from "zod/mini";
import { fileName, mediaTypeOf } from "../../../../src/engine/file/file-name.ts";
import { onlyRead, tooMuchMetadata as limitError } from "../../../../src/engine/knowledge/knowledge-errors.ts";
import type { DoorCall, DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { isMedia } from "../../../../src/engine/file/is-media.ts";
import { startProblem } from "../../_shared/door-runs.ts";
import { discardFiles } from "../../_shared/files/door-files.ts";
import { createFileStorage } from "../../_shared/files/file-storage.ts";
import { startRefusal } from "../../_shared/sender-shares.ts";
import { SupabaseError } from "../../_shared/supabase-client.ts";
import { respondJson } from "../../_shared/respond.ts";
import { type ApiKey, openWithKey } from "../run/api-key.ts";
import { notReceived, readSentDocument } from "./sent-document.ts";

const collectionMissing = problems.notFound("collection");
const documentMissing = problems.notFound("document");

const forbidden: Problem = {
  status: 403,
  code: "forbidden",
  title: "Forbidden",
  detail: "This API key may not change documents. Make one that may under Settings → API keys.",
};

/** The key and the collection of a call. Throws DoorProblem. */
async function open(call: DoorCall, context: FunctionContext): Promise<{ key: ApiKey; collection: string }> {
  const key = await openWithKey(call, context);
  if (!key.mayWriteKnowledge) throw new DoorProblem(forbidden);
  const collection = z.uuid().safeParse(call.params["collection"]);
  if (!collection.success) throw new DoorProblem(collectionMissing);
  return { key, collection: collection.data };
}

const noDocument = "Pictures, recordings and videos hold no text to search. Send a document, or a text about them.";

const documentSchema = z.object({
  name: z.string(),
  status: z.enum(["pending", "ready", "failed"]),
  size: z.number(),
  chunks: z.number(),
  sha256: z.nullable(z.string()),
  source: z.string(),
  metadata: z.record(z.string(), z.json()),
  error: z.nullable(z.object({ message: z.string(), hint: z.string() })),
  updatedAt: z.string(),
});

const documentsSchema = z.nullable(z.array(documentSchema));

/** Documents on one page of the list. */
const pageSize = 500;

/**
 * `GET /api/knowledge/<collection>/documents`: `{ documents, next }` by name, 500 at a time; `?after=<next>` gives the rest. `sha256` is that of
 * the file that was sent.
 */
const listRoute: DoorRoute = {
  method: "GET",
  path: "/api/knowledge/:collection/documents",
  async handle(call, context) {
    const { key, collection } = await open(call, context);
    const after = call.url.searchParams.get("after");
    const asked = { p_owner: key.owner, p_collection_id: collection, p_name: null, p_after: after, p_limit: pageSize };
    const documents = documentsSchema.parse(
      await context.supabase.callAsService("studio_read_documents", asked, "reads"),
    );
    if (documents === null) throw new DoorProblem(collectionMissing);
    return respondJson({ documents, next: documents.length < pageSize ? null : (documents.at(-1)?.name ?? null) });
  },
};

/** What the database refuses of a document. */
function refusalOf(error: unknown): unknown {
  const refusal = error instanceof SupabaseError ? refusals[error.code ?? ""] : undefined;
  if (!refusal) return error;
  const { message, hint } = refusal().data;
  return new DoorProblem(problems.badRequest(`${message} ${hint}`));
}

/** By the code that the database gives them. */
const refusals: Readonly<Record<string, typeof limitError>> = { PT400: limitError, PT409: onlyRead };

const uploadSchema = z.nullable(
  z.union([
    z.object({ id: z.string(), status: z.enum(["pending", "ready", "failed"]), unchanged: z.boolean() }),
    startRefusal,
  ]),
);

/** Throws DoorProblem where the key may send no more today. What comes counts once it is known to be new. */
async function checkRoom(key: ApiKey, { supabase }: FunctionContext): Promise<void> {
  const asked = { p_key_id: key.id, p_bytes: 1, p_counts: false };
  const refused = startRefusal.safeParse(await supabase.callAsService("studio_take_key_upload", asked));
  if (refused.success) throw new DoorProblem(startProblem(refused.data));
}

/**
 * `POST /api/knowledge/<collection>/documents`: adds a document, or replaces the one of its name: the body is the file with `?name=`, a form with
 * `file`, or JSON `{ name, text, source?, metadata? }`. 202 with `{ name, status: "pending", sha256, size }` and its address in `Location`; a
 * worker reads it. 200 where the same file is there, or on its way, already. `metadata` are added to those of the document. What is not
 * taken is not kept.
 */
const addRoute: DoorRoute = {
  method: "POST",
  path: "/api/knowledge/:collection/documents",
  async handle(call, context) {
    const { key, collection } = await open(call, context);
    const { supabase } = context;
    // Before anything is received or stored.
    const asked = { p_owner: key.owner, p_collection_id: collection, p_name: null, p_after: null, p_limit: 0 };
    if ((await supabase.callAsService("studio_read_documents", asked, "reads")) === null) {
      throw new DoorProblem(collectionMissing);
    }
    await checkRoom(key, context);
    const { name, source, metadata, mediaType, bytes } = await readSentDocument(call);
    // Before it is stored: what can never be a document takes none of the account's room.
    if (isMedia(name, mediaTypeOf(mediaType))) throw new DoorProblem(problems.badRequest(noDocument));
    const storage = createFileStorage(context);
    const file = { name: fileName(name), mediaType: mediaTypeOf(mediaType), bytes };
    const kept = await storage.put(key.owner, file, call.request.signal).catch((error: unknown) => {
      throw notReceived(error);
    });
    context.background(storage.sweep());
    if (!kept.ok) {
      const isLarge = kept.error.code === "too_large";
      const detail = `${kept.error.message} ${kept.error.hint}`;
      throw new DoorProblem(
        isLarge ? { status: 413, code: "too_large", title: "Too large", detail } : problems.storageFull,
      );
    }
    const { $file, sha256, size } = kept.value;
    let isTaken = false;
    try {
      if (size === 0) throw new DoorProblem(problems.badRequest("The document is empty."));
      const given = {
        p_owner: key.owner,
        p_collection_id: collection,
        p_name: name,
        p_source: source,
        p_file: $file,
        p_untrusted: ["the knowledge API"],
        p_metadata: metadata ?? null,
        p_key: key.id,
      };
      const taken = supabase.callAsService("studio_upload_knowledge_document", given).catch((error: unknown) => {
        throw refusalOf(error);
      });
      const upload = uploadSchema.parse(await taken);
      if (upload === null) throw new DoorProblem(collectionMissing);
      if ("problem" in upload) throw new DoorProblem(startProblem(upload));
      isTaken = !upload.unchanged;
      const answer = respondJson({ name, status: upload.status, sha256, size }, upload.unchanged ? 200 : 202);
      answer.headers.set("location", `/api/knowledge/${collection}/documents/${encodeURIComponent(name)}`);
      return answer;
    } finally {
      if (!isTaken) await discardFiles(context, key.owner, [kept.value]);
    }
  },
};

/** `GET /api/knowledge/<collection>/documents/<name>`: how a document stands; `failed` says why in `error`. */
const statusRoute: DoorRoute = {
  method: "GET",
  path: "/api/knowledge/:collection/documents/:name",
  async handle(call, context) {
    const { key, collection } = await open(call, context);
    const name = call.params["name"] ?? "";
    const asked = { p_owner: key.owner, p_collection_id: collection, p_name: name, p_after: null, p_limit: 1 };
    const documents = documentsSchema.parse(
      await context.supabase.callAsService("studio_read_documents", asked, "reads"),
    );
    const [document] = documents ?? [];
    if (document === undefined) throw new DoorProblem(documents === null ? collectionMissing : documentMissing);
    return respondJson(document);
  },
};

/** `DELETE /api/knowledge/<collection>/documents/<name>`: `{ name, deleted }`. 200 as well where there is none, so that it can be repeated. */
const removeRoute: DoorRoute = {
  method: "DELETE",
  path: "/api/knowledge/:collection/documents/:name",
  async handle(call, context) {
    const { key, collection } = await open(call, context);
    const name = call.params["name"] ?? "";
    const asked = { p_owner: key.owner, p_collection_id: collection, p_name: name };
    const deleted = z
      .nullable(z.number())
      .parse(await context.supabase.callAsService("studio_remove_documents", asked));
    if (deleted === null) throw new DoorProblem(collectionMissing);
    return respondJson({ name, deleted });
  },
};

export const knowledgeRoutes: readonly DoorRoute[] = [listRoute, addRoute, statusRoute, removeRoute];
