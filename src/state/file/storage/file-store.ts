import { z } from "zod/mini";
import { type RunErrorCode, type RunErrorData, runErrorCodes } from "../../../engine/errors.ts";
import { fileSchema, maxFileBytes } from "../../../engine/file/file.ts";
import type { FileStore } from "../../../engine/file/file-store.ts";
import { readBytes } from "../../../engine/file/read-bytes.ts";
import { fileNameHeader } from "../../../engine/studio-headers.ts";
import type { FunctionAccess } from "../../shared/storage/model-fetch.ts";

const refusal = z.object({
  error: z.object({
    code: z.optional(z.string()),
    message: z.string(),
    hint: z.string(),
    retryable: z._default(z.boolean(), false),
  }),
});

const about = z.object({ file: z.nullable(fileSchema) });

/** `Host.files` over the function `files`, as the signed-in user. */
export function createFileStore(access: FunctionAccess): FileStore {
  const send = access.fetch ?? fetch.bind(globalThis);
  const ask = async (path: string, init: RequestInit): Promise<Response | RunErrorData> => {
    const token = await access.accessToken();
    const headers = new Headers(init.headers);
    headers.set("apikey", access.publishableKey);
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    try {
      const response = await send(`${access.functionsUrl}/files${path}`, { ...init, headers, credentials: "omit" });
      return response.ok ? response : await toError(response);
    } catch (error) {
      init.signal?.throwIfAborted();
      const message = `The file could not be ${init.method === "POST" ? "stored" : "read"}: the server did not answer.`;
      const hint = "Check that the studio runs and that you are online, then try again.";
      return { code: "internal", message, hint, retryable: true, cause: String(error) };
    }
  };
  return {
    async find(id, { signal }) {
      const answer = await ask(`/${encodeURIComponent(id)}?about`, { signal });
      if (!(answer instanceof Response)) return { ok: false, error: answer };
      return { ok: true, value: about.parse(await answer.json()).file ?? undefined };
    },
    async open(id, { signal }) {
      const answer = await ask(`/${encodeURIComponent(id)}`, { signal });
      if (!(answer instanceof Response)) return { ok: false, error: answer };
      return { ok: true, value: answer.body ?? new Blob([]).stream() };
    },
    async create({ name, mediaType, bytes }, { signal }) {
      const body = bytes instanceof Uint8Array ? bytes : await readBytes(bytes, maxFileBytes);
      if (body === undefined) return { ok: false, error: tooLarge(name) };
      const headers = { "content-type": mediaType, [fileNameHeader]: encodeURIComponent(name) };
      const answer = await ask("", { method: "POST", headers, body: new Blob([body]), signal });
      if (!(answer instanceof Response)) return { ok: false, error: answer };
      return { ok: true, value: fileSchema.parse(await answer.json()) };
    },
  };
}

function tooLarge(name: string): RunErrorData {
  const message = `"${name}" is larger than 100 MB.`;
  return { code: "invalid_config", message, hint: "Make a smaller file, or several.", retryable: false };
}

async function toError(response: Response): Promise<RunErrorData> {
  const said = refusal.safeParse(await response.json().catch(() => null));
  const retryable = response.status === 429 || response.status === 503;
  if (said.success) {
    const { code, ...words } = said.data.error;
    return { ...words, code: codeOf(code, response.status) };
  }
  const message = `The function "files" answered with status ${response.status}.`;
  return { code: "internal", message, hint: "Try again. If it keeps happening, look at the server's log.", retryable };
}

/** What the function says, where runs know it; what it refuses for another reason, such as `too_large`, is up to the workflow. */
function codeOf(said: string | undefined, status: number): RunErrorCode {
  if (status === 429) return "rate_limit";
  if (status === 401) return "invalid_credentials";
  return (
    runErrorCodes.find((code) => code === said) ??
    (status === 413 || said === "too_large" || status < 500 ? "invalid_config" : "internal")
  );
}
