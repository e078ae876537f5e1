import { Button } from "../buttons/button.tsx";
import { errorHint } from "./error-hint.ts";
import { Notice } from "./notice.tsx";

/** Why something could not be loaded, what to do, and another try. */
export function LoadFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Notice
      tone="danger"
      title={error.message}
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {errorHint(error)}
    </Notice>
  );
}
