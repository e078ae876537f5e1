import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LeaveShell } from "../shell/leave-shell.tsx";

/** Shown when a build was given no backend. */
export function SetupPage() {
  return (
    <main>
      <LeaveShell />
      <EmptyState isPage icon="unplug" title="This build is not connected to Supabase">
        Start the studio with <code className="font-mono text-xs">npm start</code>, or build the site with{" "}
        <code className="font-mono text-xs">VITE_SUPABASE_URL</code> and{" "}
        <code className="font-mono text-xs">VITE_SUPABASE_KEY</code> set.
      </EmptyState>
    </main>
  );
}
