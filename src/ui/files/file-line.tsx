import type { ReactNode } from "react";
import { visibleName } from "../../engine/text/visible-name.ts";
import { Icon } from "../icons/icon.tsx";
import { formatBytes } from "../text/format-bytes.ts";
import { fileIcons, lookOf, type ShownFile } from "./file-look.ts";

/** A file in one line: its name, its size, and what can be done with it. */
export function FileLine({ file, children }: { file: ShownFile; children?: ReactNode }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-2 text-sm">
      <Icon name={fileIcons[lookOf(file.mediaType)]} size={14} />
      <span className="min-w-0 wrap-anywhere">{visibleName(file.name)}</span>
      <span className="shrink-0 text-xs text-muted numeric">{formatBytes(file.size)}</span>
      {children}
    </span>
  );
}
