import type { ToolResult } from "../../engine/tool/tool.ts";
import { ChangeView } from "../../ui/data/json-view/change-view.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** What the call would do; undefined while that is not known for the arguments as they are now. */
export function CallPreview({ result }: { result: ToolResult | undefined }) {
  return (
    <div aria-live="polite">
      {result === undefined ? (
        <p className="text-xs text-muted">The arguments were edited. Preview them to see what the call would do now.</p>
      ) : result.ok ? (
        <ChangeView value={result.output} label="What the call would do" />
      ) : (
        <Notice tone="danger" title={result.error.message}>
          {result.error.hint}
        </Notice>
      )}
    </div>
  );
}
