import { type ReactNode, useSyncExternalStore } from "react";
import { useServices } from "../services/services-context.tsx";
import { Icon } from "../ui/icons/icon.tsx";

const nothing: readonly string[] = [];
const noPause = { isAway: () => false, subscribe: () => () => undefined };
const noneStopped = { names: () => nothing, subscribe: () => () => undefined };

/** Says that the database restarts, and that nothing is lost by it; and which functions cannot be called at the moment. */
export function PauseBanners() {
  const { databasePause = noPause, stoppedFunctions = noneStopped } = useServices();
  const isAway = useSyncExternalStore(databasePause.subscribe, databasePause.isAway);
  const stopped = useSyncExternalStore(stoppedFunctions.subscribe, stoppedFunctions.names);
  return (
    <>
      {isAway && <Banner>The database is restarting… What you do is saved when it is back.</Banner>}
      {stopped.length > 0 && (
        <Banner>
          {stopped.length === 1 ? "A server function has" : "Server functions have"} stopped and will restart shortly:{" "}
          {stopped.join(", ")}. Steps that need {stopped.length === 1 ? "it" : "them"} fail until then.
        </Banner>
      )}
    </>
  );
}

function Banner({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex items-center justify-center gap-2 bg-warning-soft px-3 py-1.5 text-xs text-ink">
      <Icon name="triangle-alert" size={14} />
      <span>{children}</span>
    </div>
  );
}
