import { useEffect, useMemo, useState } from "react";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { VirtualList } from "../../ui/data/virtual-list.tsx";
import { NoRun } from "./no-run.tsx";
import { useShownRun } from "./use-shown-run.ts";
import { StabilityMark } from "./stability-mark.tsx";
import { StateMark } from "./state-mark.tsx";
import { stepLook } from "./step-look.ts";
import { timeTicks, waterfallBars, type WaterfallBar } from "./waterfall-bars.ts";

const tickMs = 200;
/** Where there is little room, names get more of it than bars: each bar's time stands beside it. */
const columns =
  "grid h-full grid-cols-[44%_1fr_52px] items-center gap-3 px-3 text-sm @md:grid-cols-[minmax(96px,30%)_1fr_64px]";

/** When each model call, tool call and memory access ran, on one time axis; a bar leads to its step. */
export function WaterfallPanel() {
  const run = useShownRun();
  const choose = usePanelStore((state) => state.chooseStep);
  const show = usePanelStore((state) => state.show);
  const stepId = usePanelStore((state) => state.stepId);
  const heldAt = useRunStore((state) => state.heldAt);
  const present = useNow(run?.status === "running" && heldAt === null);
  const now = heldAt ?? present;
  const chart = useMemo(() => (run ? waterfallBars(run, now) : { bars: [], totalMs: 0, gapMs: 0 }), [run, now]);
  if (run === undefined) return <NoRun />;

  const { bars, totalMs, gapMs } = chart;
  const selected = bars.findIndex((bar) => bar.step.id === stepId);
  return (
    <div className="@container flex h-full min-h-0 flex-col">
      <div aria-hidden className={classNames(columns, "h-7! shrink-0 border-b text-xs text-faint numeric")}>
        <span />
        <span className="relative h-full">
          {timeTicks(totalMs).map((at) => (
            <span
              key={at}
              className="absolute top-1.5 -translate-x-1/2 whitespace-nowrap first:translate-x-0 not-nth-[2n+1]:hidden @md:not-nth-[2n+1]:inline"
              style={{ left: `${(at / totalMs) * 100}%` }}
            >
              {formatDuration(at)}
            </span>
          ))}
        </span>
        <span />
      </div>
      {gapMs > 0 && <GapLine gapMs={gapMs} totalMs={totalMs} />}
      <VirtualList
        label="Waterfall"
        count={bars.length}
        rowHeight={28}
        className="min-h-0 flex-1"
        renderRow={(index) => {
          const bar = bars[index];
          return bar && <BarLine runId={run.runId} bar={bar} totalMs={totalMs} selected={index === selected} />;
        }}
        rowKey={(index) => bars[index]?.step.id ?? String(index)}
        selected={selected < 0 ? null : selected}
        onSelect={(index) => choose(bars[index]?.step.id ?? null)}
        onOpen={() => show("steps")}
      />
    </div>
  );
}

const fills: Record<WaterfallBar["step"]["kind"], string> = {
  model: "bg-role-model",
  tool: "bg-role-tool",
  note: "bg-role-memory",
};

/** What passes before the first step: nodes are prepared, and code that they need is loaded. */
function GapLine({ gapMs, totalMs }: { gapMs: number; totalMs: number }) {
  return (
    <div className={classNames(columns, "h-7! shrink-0 text-muted")} title="Preparing the nodes and loading their code">
      <span className="truncate pl-[22px]">Preparing</span>
      <span className="relative h-2.5">
        <span
          className="absolute inset-y-0 left-0 rounded-xs border border-dashed border-line-strong"
          style={{ width: `max(3px, ${(gapMs / totalMs) * 100}%)` }}
        />
      </span>
      <span className="text-right text-xs numeric">{formatDuration(gapMs)}</span>
    </div>
  );
}

interface BarLineProps {
  runId: string;
  bar: WaterfallBar;
  totalMs: number;
  selected: boolean;
}

function BarLine({ runId, bar, totalMs, selected }: BarLineProps) {
  const look = stepLook(bar.step, bar.open ? "running" : "completed");
  const left = (bar.startMs / totalMs) * 100;
  const width = (bar.durationMs / totalMs) * 100;
  return (
    <div className={classNames(columns, "cursor-pointer", selected ? "bg-accent-soft" : "hover:bg-hover")}>
      <span className="flex min-w-0 items-center gap-2">
        <span className={look.tint}>
          <Icon name={look.icon} size={14} />
        </span>
        <span className="truncate">{look.title}</span>
        {look.state === "failed" && <StateMark state="failed" />}
        {bar.step.kind === "model" && <StabilityMark runId={runId} callId={bar.step.id} />}
      </span>
      <span className="relative h-2.5">
        <span
          className={classNames("absolute inset-y-0 rounded-xs", fills[bar.step.kind], bar.open && "animate-pulse")}
          style={{ left: `${left}%`, width: `max(3px, ${width}%)` }}
        />
      </span>
      <span className="text-right text-xs text-muted numeric">{formatDuration(bar.durationMs)}</span>
    </div>
  );
}

/** The present, often enough for bars that still grow; stands still when nothing does. */
function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return undefined;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
