import { useApprovalStore } from "../../stores/editor-context.tsx";
import { ApprovalCard } from "./approval-card.tsx";

/** Every tool call that waits for a person, each with its buttons; nothing while none waits. */
export function ApprovalList() {
  const pending = useApprovalStore((state) => state.pending);
  if (pending.length === 0) return null;
  return (
    <section aria-label="Waiting for approval" className="max-h-[60%] shrink-0 overflow-y-auto border-t">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 p-3">
        {pending.map((request) => (
          <ApprovalCard key={request.callId} request={request} />
        ))}
      </div>
    </section>
  );
}
