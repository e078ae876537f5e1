import { z } from "zod/mini";
import { type FileValue, fileSchema } from "../../../engine/file/file.ts";
import { fileNameHeader } from "../../../engine/studio-headers.ts";
import { type FileService, ServiceError } from "../../../services/services.ts";
import type { FunctionAccess } from "../../shared/storage/model-fetch.ts";
import { thrownFailure } from "../../shared/storage/service-failure.ts";
import { createFileStore } from "./file-store.ts";

const refusal = z.object({ error: z.object({ message: z.string(), hint: z.string() }) });

/** The files of the signed-in user, for pages that show and send them. */
export function createFileService(access: FunctionAccess): FileService {
  const store = createFileStore(access);
  return {
    async open(id, signal) {
      const opened = await store.open(id, { signal });
      if (opened.ok) return new Response(opened.value).blob();
      const { message, hint, retryable } = opened.error;
      throw new ServiceError(retryable ? "server" : "not-found", message, hint);
    },
    async add(file, signal) {
      const created = await store.create(file, { signal });
      if (created.ok) return created.value;
      const { message, hint, retryable } = created.error;
      throw new ServiceError(retryable ? "server" : "invalid", message, hint);
    },
    async store(file, send): Promise<FileValue> {
      const token = await access.accessToken();
      const headers = {
        apikey: access.publishableKey,
        "content-type": file.type || "application/octet-stream",
        [fileNameHeader]: encodeURIComponent(file.name || "file"),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      };
      const { status, body } = await send(`${access.functionsUrl}/files`, headers).catch((error: unknown) => {
        throw thrownFailure("store the file", error);
      });
      const kept = fileSchema.safeParse(body);
      if (status === 200 && kept.success) return kept.data;
      const refused = refusal.safeParse(body);
      const { message, hint } = refused.success
        ? refused.data.error
        : { message: `“${file.name}” could not be stored.`, hint: "Try again." };
      throw new ServiceError(status < 500 ? "invalid" : "server", message, hint);
    },
  };
}
