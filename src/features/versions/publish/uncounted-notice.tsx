import { Notice } from "../../../ui/feedback/notice.tsx";

/** Marks a publication whose limits in dollars leave out some of its models. */
export function UncountedNotice({ models }: { models: readonly string[] }) {
  return (
    <Notice tone="warning" title={`No price for ${models.join(", ")}`}>
      The limits in dollars do not count {models.length === 1 ? "this model" : "these models"} until you enter a price
      on the node (0 for a server of your own) and publish again.
    </Notice>
  );
}
