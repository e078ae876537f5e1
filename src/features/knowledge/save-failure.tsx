import { ServiceError } from "../../services/services.ts";
import { Notice } from "../../ui/feedback/notice.tsx";

/** Why something was not stored, above the buttons that stored it; nothing while there is no failure. */
export function SaveFailure({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Notice tone="danger" title={error.message}>
      {error instanceof ServiceError && error.hint}
    </Notice>
  );
}
