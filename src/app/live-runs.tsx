import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { useStore } from "zustand";
import { type EndedRun, forgetEnded, type LiveRun, runSessions } from "../state/run/run-sessions.ts";
import { classNames } from "../ui/theme/class-names.ts";
import { Icon } from "../ui/icons/icon.tsx";
import { Menu } from "../ui/overlays/menu.tsx";
import { showToast, type ToastTone } from "../ui/feedback/toast-store.ts";
import { Tooltip } from "../ui/overlays/tooltip.tsx";

const endings: Partial<Record<EndedRun["status"], { words: string; tone: ToastTone }>> = {
  completed: { words: "finished", tone: "success" },
  failed: { words: "failed", tone: "error" },
};

/** Says how a run ended that nobody was looking at, and has memories read anew. */
function useEndsElsewhere(navigate: (to: string) => void): void {
  const queries = useQueryClient();
  const ended = useStore(runSessions, (state) => state.ended);
  useEffect(() => {
    if (ended.length === 0) return;
    for (const { home, name, status } of ended) {
      const { words, tone } = endings[status] ?? { words: "was stopped", tone: "plain" };
      showToast(`“${name}” ${words}.`, { action: { label: "Show", onClick: () => navigate(home) } }, tone);
    }
    forgetEnded();
    void queries.invalidateQueries({ queryKey: ["memory"] });
  }, [ended, navigate, queries]);
}

const pill =
  "flex shrink-0 items-center justify-center rounded-md text-[11px] leading-3 font-medium sm:w-11 sm:flex-col sm:gap-0.5 sm:py-1.5 max-sm:flex-1 max-sm:flex-col max-sm:gap-0.5";

function Face({ runs }: { runs: readonly LiveRun[] }) {
  const waiting = runs.filter((run) => run.waiting).length;
  return (
    <>
      {waiting > 0 ? (
        <Icon name="hand" size={16} />
      ) : (
        <span className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-none" />
      )}
      <span className="numeric">{waiting > 0 ? `${waiting} waiting` : `${runs.length} running`}</span>
    </>
  );
}

const wordsOf = ({ name, waiting }: LiveRun) => (waiting ? `${name} is waiting for you` : `${name} is running`);

/** Leads back to the runs that go on while another page is open. */
export function LiveRuns() {
  const [path, navigate] = useLocation();
  const live = useStore(runSessions, (state) => state.live);
  useEndsElsewhere(navigate);
  // What stands after # is a part of the page.
  const away = live.filter(({ home }) => home.split("#")[0] !== path);
  const [only, ...others] = away;
  if (only === undefined) return null;
  const look = classNames(
    pill,
    away.some((run) => run.waiting) ? "bg-warning-soft text-warning" : "bg-accent-soft text-accent",
  );
  if (others.length === 0) {
    return (
      <Tooltip content={wordsOf(only)} side="right">
        <Link href={only.home} className={look} aria-label={wordsOf(only)}>
          <Face runs={away} />
        </Link>
      </Tooltip>
    );
  }
  return (
    <Menu
      side="right"
      align="start"
      trigger={
        <button type="button" className={look} aria-label={`${away.length} workflows are running`}>
          <Face runs={away} />
        </button>
      }
      items={away.map((run) => ({
        label: wordsOf(run),
        icon: run.waiting ? "hand" : "play",
        onSelect: () => navigate(run.home),
      }))}
    />
  );
}
