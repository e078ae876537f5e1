import { useCallback } from "react";
import type { FileValue } from "../../engine/file/file.ts";
import { ServiceError } from "../../services/services.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import type { StoreFile } from "../../ui/fields/use-attachments.ts";
import { sendBytes } from "../../ui/files/send-bytes.ts";

/** Stores what is attached as a file of the account. */
export function useStoreFile(): StoreFile<FileValue> {
  const { files } = useServices();
  return useCallback(
    async (file, options) => {
      try {
        return await files.store(file, (url, headers) => sendBytes(url, file, { ...options, headers }));
      } catch (error) {
        options.signal.throwIfAborted();
        throw error instanceof ServiceError ? new Error(`${error.message} ${error.hint}`) : error;
      }
    },
    [files],
  );
}
