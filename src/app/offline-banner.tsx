import { useSyncExternalStore } from "react";
import { Icon } from "../ui/icons/icon.tsx";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** True when the page came from this machine: then no network is needed to reach the server. */
const local = ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);

/** Says that the browser has no network, and what still works. */
export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online || local) return null;
  return (
    <div role="status" className="flex items-center justify-center gap-2 bg-warning-soft px-3 py-1.5 text-xs text-ink">
      <Icon name="wifi-off" size={14} />
      You are offline. Edits are kept in this browser and saved when the connection is back.
    </div>
  );
}
