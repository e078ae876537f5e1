import { goneFileHint, maxFileBytes } from "../../../src/engine/file/file.ts";
import { fileName, mediaTypeOf } from "../../../src/engine/file/file-name.ts";
import { fileNameHeader } from "../../../src/engine/studio-headers.ts";
import type { CallContext, Endpoint } from "../_shared/endpoint.ts";
import type { Caller } from "../_shared/authenticate.ts";
import { createFileStorage } from "../_shared/files/file-storage.ts";
import { serveFile } from "../_shared/files/serve-file.ts";
import { failure } from "../_shared/failure.ts";
import { BodyRefused, bodyRefusal, receiveBody } from "../_shared/receive-body.ts";
import { respondFailure, respondJson } from "../_shared/respond.ts";
import { whenEnded } from "../_shared/when-ended.ts";

/**
 * `POST /functions/v1/files`: stores the body as a file of the signed-in user. `content-type` is its type, `x-switchyard-file-name` its
 * name, percent-encoded. Response: 200 with `{ "$file", name, mediaType, size, sha256 }`.
 *
 * `GET /functions/v1/files/<id>`: the bytes of one of the user's files, or the part that `Range` asks for, with headers under
 * which nothing in them runs. `GET …/<id>?about` says what it is:
 * `{ file }`, null where the user has no such file.
 *
 * Errors: 400 `invalid_config` (no name, or the account's storage is full), 401, 404, 413, 429, 502 `too_large`, 500.
 */
export const filesEndpoint: Endpoint = {
  methods: ["GET", "POST"],
  rateLimit: { bucket: "files", perMinute: 240, concurrent: 20, slotSeconds: 150 },
  async handle(request, caller, context, release) {
    context.share.giveBack();
    try {
      const response =
        request.method === "GET" ? await send(request, caller, context) : await keep(request, caller, context);
      return whenEnded(response, release);
    } catch (error) {
      if (!(error instanceof BodyRefused)) throw error;
      const { status, retryAfter, message, hint } = bodyRefusal(error.problem, { maxBytes: maxFileBytes });
      release();
      const options = { status, ...(retryAfter === undefined ? {} : { retryAfter }) };
      return respondFailure(failure("invalid_config", message, hint).error, options);
    }
  },
};

async function send(request: Request, caller: Caller, context: CallContext): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const id = pathname.split("/").at(-1) ?? "";
  const [storage, whose] = [createFileStorage(context), { owner: caller.userId }];
  if (searchParams.has("about")) return respondJson({ file: await storage.describe(whose, id) });
  const answer = await serveFile(request, storage, whose, id);
  if (answer !== null) return answer;
  return respondFailure(failure("invalid_config", "There is no such file.", goneFileHint).error, { status: 404 });
}

async function keep(request: Request, caller: Caller, context: CallContext): Promise<Response> {
  const name = decoded(request.headers.get(fileNameHeader));
  if (name === undefined) {
    const hint = `Send the name in the header ${fileNameHeader}, percent-encoded.`;
    return respondFailure(failure("invalid_config", "The file has no name.", hint).error);
  }
  const storage = createFileStorage(context);
  const file = {
    name: fileName(name),
    mediaType: mediaTypeOf(request.headers.get("content-type")),
    bytes: receiveBody(request, { maxBytes: maxFileBytes }),
  };
  const kept = await storage.put(caller.userId, file, request.signal);
  context.background(storage.sweep());
  return kept.ok ? respondJson(kept.value) : respondFailure(kept.error);
}

function decoded(text: string | null): string | undefined {
  try {
    return text === null || text === "" ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
