import { useCallback, useMemo } from "react";
import type { FileValue } from "../../engine/file/file.ts";
import { useServices } from "../../services/services-context.tsx";

/** A file as lists of files show it. */
export function shownFile({ $file: id, name, mediaType, size }: FileValue) {
  return { id, name, mediaType, size };
}

/** What a list of files needs to show those of the account: `files` as it takes them, and how to read one. */
export function useFiles(files: readonly FileValue[]) {
  const { files: service } = useServices();
  const open = useCallback((id: string, signal: AbortSignal) => service.open(id, signal), [service]);
  const shown = useMemo(() => files.map(shownFile), [files]);
  return { files: shown, open };
}
