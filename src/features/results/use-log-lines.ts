import { useMemo } from "react";
import type { RunEvent } from "../../engine/run/events.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import { type LogLine, LogReading } from "./log-lines.ts";
import type { LogNames } from "./log-words.ts";

const readings = new WeakMap<readonly RunEvent[], LogReading>();

/** The log of a run up to the moment that is looked at; each event is turned into a line once, however often the run changes. */
export function useLogLines(run: RunState | undefined): readonly LogLine[] {
  const { runs, document } = useEditor();
  return useMemo(() => {
    if (run === undefined) return [];
    const events = runs.events(run.runId);
    const { nodes, edges } = document.getState().document;
    const node = (id: string) => nodes[id]?.title ?? id;
    const names: LogNames = {
      node,
      edge: (id) => {
        const edge = edges[id];
        return edge && { from: node(edge.from.node), to: node(edge.to.node) };
      },
    };
    let reading = readings.get(events);
    if (reading === undefined) {
      reading = new LogReading();
      readings.set(events, reading);
    }
    return reading.upTo(run.nextSeq, events, names);
  }, [run, runs, document]);
}
