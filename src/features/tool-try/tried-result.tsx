import { useEffect, useRef } from "react";
import type { TriedCall } from "../../engine/run/open-tools.ts";
import { useFilesOf } from "../../state/file/use-files.ts";
import { FileList } from "../../ui/files/file-list.tsx";
import { Badge } from "../../ui/feedback/badge.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { formatSize } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { ChangeView } from "../../ui/data/json-view/change-view.tsx";

/** What a call gave: its state, time and size, the result, and what it wrote. */
export function TriedResult({ tried, logs }: { tried: TriedCall | undefined; logs: readonly string[] }) {
  const section = useRef<HTMLElement>(null);
  const files = useFilesOf(tried?.output);
  // It stands under the button, which may be the last thing in view.
  useEffect(() => {
    if (tried !== undefined) section.current?.scrollIntoView({ block: "nearest" });
  }, [tried]);

  if (tried === undefined && logs.length === 0) return null;
  return (
    <section
      ref={section}
      aria-label="Result"
      aria-live="polite"
      className="flex scroll-mb-4 flex-col gap-2 border-t pt-3"
    >
      {tried && (
        <>
          <header className="flex flex-wrap items-center gap-2">
            <Badge tone={tried.ok ? "success" : "danger"} icon={tried.ok ? "check" : "circle-x"}>
              {tried.ok ? "Succeeded" : "Failed"}
            </Badge>
            <span className="text-xs text-muted numeric">
              {formatDuration(tried.durationMs)} · {formatSize(tried.size)}
              {tried.truncated && " · the model would see it cut"}
            </span>
            <span className="ml-auto">
              <CopyButton text={() => JSON.stringify(tried.output, null, 2)} label="Copy the result" />
            </span>
          </header>
          <ChangeView value={tried.output} label="Result" />
          <FileList label="Files of the result" {...files} />
        </>
      )}
      {logs.length > 0 && (
        <pre
          aria-label="Log"
          className="max-h-40 overflow-auto rounded-md bg-canvas p-2 font-mono text-xs whitespace-pre-wrap"
        >
          {logs.join("\n")}
        </pre>
      )}
    </section>
  );
}
