import type { RunErrorData } from "../../engine/errors.ts";
import { useWhy } from "../../state/assistant/use-why.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { GoToNode } from "./go-to-node.tsx";
import { LazyDetails } from "./lazy-details.tsx";

/** What went wrong, what to do, and where; with `runId`, the assistant can be asked why. */
export function ErrorNotice({ error, runId = "" }: { error: RunErrorData; runId?: string }) {
  const why = useWhy(runId);
  return (
    <Notice
      tone="danger"
      title={error.message}
      action={
        <div className="flex flex-wrap gap-2">
          <GoToNode nodeId={error.nodeId} framed />
          {why && (
            <Button size="sm" icon="sparkles" onClick={why}>
              Why did this fail?
            </Button>
          )}
        </div>
      }
    >
      {error.hint !== "" && <p>{error.hint}</p>}
      <LazyDetails summary={<span className="text-xs">Details</span>}>
        {() => (
          <JsonTree
            label="Details of the error"
            value={{ code: error.code, retryable: error.retryable, cause: error.cause ?? null }}
          />
        )}
      </LazyDetails>
    </Notice>
  );
}
