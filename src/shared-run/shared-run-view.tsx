import { useState } from "react";
import { sharedId, type SharedRun } from "../engine/run/share/shared-run.ts";
import { StillCanvas } from "../features/canvas/still-canvas.tsx";
import { ReplayBar } from "../features/replay/replay-bar.tsx";
import { EditorProvider } from "../state/editor/editor-context.tsx";
import { formatMoment } from "../ui/text/format-moment.ts";
import { openSharedRun } from "./open-shared-run.ts";
import { SharedLog } from "./shared-log.tsx";

/**
 * A shared run as strangers see it: on its page, in its file, and in the preview before it is shared. Another copy of it needs
 * another key.
 */
export function SharedRunView({ shared }: { shared: SharedRun }) {
  const [{ editor, whole }] = useState(() => openSharedRun(shared));
  return (
    <EditorProvider editor={editor}>
      <div className="@container flex h-full min-h-0 flex-col bg-canvas text-sm text-ink">
        <header className="flex shrink-0 items-baseline gap-3 border-b bg-surface px-4 py-2.5">
          <div className="min-w-0 flex-1">
            <h1 className="truncate text-base font-semibold">{shared.title}</h1>
            {whole.startedAt !== undefined && (
              <p className="text-xs text-muted">
                Run of {formatMoment(whole.startedAt)}
                <span className="hidden @lg:inline"> · Drag the slider to see how it got there</span>
              </p>
            )}
          </div>
          <p className="shrink-0 text-xs text-muted">Made with Switchyard</p>
        </header>
        <ReplayBar runId={sharedId} whole={whole} />
        <div className="flex min-h-0 flex-1 flex-col @3xl:flex-row">
          <div className="relative h-[42%] min-h-0 shrink-0 @3xl:h-auto @3xl:flex-1">
            <StillCanvas />
          </div>
          <div
            tabIndex={0}
            role="region"
            aria-label="What the run did"
            className="min-h-0 flex-1 overflow-y-auto border-t @3xl:w-[400px] @3xl:flex-none @3xl:border-t-0 @3xl:border-l"
          >
            <SharedLog parts={shared.parts} />
          </div>
        </div>
      </div>
    </EditorProvider>
  );
}
