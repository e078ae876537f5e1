import { useSyncExternalStore } from "react";
import { useServices } from "../stores/services-context.tsx";
import { Icon } from "../ui/icon.tsx";

const never = { isAway: () => false, subscribe: () => () => undefined };

/** Says that the database restarts, and that nothing is lost by it. */
export function DatabaseBanner() {
  const { databasePause = never } = useServices();
  if (!useSyncExternalStore(databasePause.subscribe, databasePause.isAway)) return null;
  return (
    <div role="status" className="flex items-center justify-center gap-2 bg-warning-soft px-3 py-1.5 text-xs text-ink">
      <Icon name="triangle-alert" size={14} />
      The database is restarting… What you do is saved when it is back.
    </div>
  );
}
