import { useMemo } from "react";
import type { RunEvent } from "../../engine/run/events.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import { logLine, type LogLine } from "./log-lines.ts";

interface Reading {
  /** Events of the run that have been turned into lines. */
  read: number;
  lines: readonly LogLine[];
}

const readings = new WeakMap<readonly RunEvent[], Reading>();

/** The log of a run; each event is turned into a line once, however often the run changes. */
export function useLogLines(run: RunState | undefined): readonly LogLine[] {
  const { runs, document } = useEditor();
  return useMemo(() => {
    if (run === undefined) return [];
    const events = runs.events(run.runId);
    const { nodes } = document.getState().document;
    const before = readings.get(events) ?? { read: 0, lines: [] };
    const added = events.slice(before.read).flatMap((event) => {
      const line = logLine(event, (nodeId) => nodes[nodeId]?.title ?? nodeId);
      return line === null ? [] : [line];
    });
    const lines = added.length === 0 ? before.lines : [...before.lines, ...added];
    readings.set(events, { read: events.length, lines });
    return lines;
  }, [run, runs, document]);
}
