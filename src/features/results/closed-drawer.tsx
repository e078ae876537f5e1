import { panelTabs, type PanelTab, usePanelStore } from "../../state/editor/panel-store.ts";

export const tabWords: Record<PanelTab, string> = {
  chat: "Chat",
  run: "Run",
  history: "History",
  memory: "Memory",
};

/** The run panel while it is closed: one row of tabs. Apart from the panel itself, which is loaded when it opens. */
export function ClosedDrawer({
  dock,
  tabs = panelTabs,
}: {
  dock: "bottom" | "right";
  /** The tabs that make sense here; all when absent. */
  tabs?: readonly PanelTab[];
}) {
  const show = usePanelStore((state) => state.show);
  const looks = dock === "bottom" ? "h-9 border-t px-2" : "w-9 border-l py-2 [writing-mode:vertical-rl]";
  return (
    <nav aria-label="Run panel" className={`${looks} flex shrink-0 items-center gap-1 bg-surface`}>
      {tabs.map((one) => (
        <button
          key={one}
          type="button"
          className={`rounded-md text-sm text-muted hover:bg-hover hover:text-ink ${dock === "bottom" ? "px-2 py-1" : "px-1 py-2"}`}
          onClick={() => show(one)}
        >
          {tabWords[one]}
        </button>
      ))}
    </nav>
  );
}
