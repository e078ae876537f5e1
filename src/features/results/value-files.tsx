import { useMemo } from "react";
import { filesIn } from "../../engine/file/file.ts";
import type { Json } from "../../engine/json.ts";
import { useFiles } from "../../state/file/use-files.ts";
import { FileList } from "../../ui/files/file-list.tsx";

/** Files that are shown of one value. */
const mostFiles = 20;

/** The files that a value holds. */
export function ValueFiles({ value }: { value: Json | undefined }) {
  const files = useMemo(() => filesIn(value).slice(0, mostFiles), [value]);
  return <FileList label="Files" {...useFiles(files)} />;
}
