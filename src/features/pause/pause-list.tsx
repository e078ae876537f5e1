import { usePauseStore } from "../../state/editor/editor-context.tsx";
import { PauseCard } from "./pause-card.tsx";

/** Every place where a run is held, each with its buttons; nothing while none is. */
export function PauseList() {
  const pending = usePauseStore((state) => state.pending);
  if (pending.length === 0) return null;
  return (
    <section aria-label="Paused" className="max-h-[60%] shrink-0 overflow-y-auto border-t">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 p-3">
        {pending.map((request) => (
          <PauseCard key={request.pauseId} request={request} />
        ))}
      </div>
    </section>
  );
}
