import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useServices } from "../services/services-context.tsx";
import { nearestLimit, storageKey } from "../services/storage-limits.ts";
import { useIdle } from "./use-idle.ts";
import { Icon } from "../ui/icons/icon.tsx";

/** How often it is looked at while somebody works, in milliseconds. */
const interval = 5 * 60_000;

/** Says in time that the account's storage is nearly full, or that it is full. */
export function StorageBanner() {
  const { storage } = useServices();
  const isIdle = useIdle();
  const use = useQuery({
    queryKey: storageKey,
    queryFn: () => storage.use(),
    refetchInterval: interval,
    enabled: isIdle,
  });
  const limit = nearestLimit(use.data ?? []);
  if (limit === null) return null;
  const isFull = limit.used >= limit.most;
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center justify-center gap-x-2 px-3 py-1.5 text-xs text-ink ${isFull ? "bg-danger-soft" : "bg-warning-soft"}`}
    >
      <Icon name="triangle-alert" size={14} />
      {isFull
        ? "Your storage is full: some of what you do is not saved."
        : `Your storage is nearly full (${Math.floor((limit.used / limit.most) * 100)} %).`}
      <Link href="/settings" className="font-medium underline">
        Free up space
      </Link>
    </div>
  );
}
