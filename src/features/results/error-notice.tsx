import type { RunErrorData } from "../../engine/run/errors.ts";
import { JsonTree } from "../../ui/json-tree.tsx";
import { Notice } from "../../ui/notice.tsx";
import { GoToNode } from "./go-to-node.tsx";
import { LazyDetails } from "./lazy-details.tsx";

/** What went wrong, what to do, and where. */
export function ErrorNotice({ error }: { error: RunErrorData }) {
  return (
    <Notice tone="danger" title={error.message} action={<GoToNode nodeId={error.nodeId} />}>
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
