import { useMemo } from "react";
import type { RunEvent } from "../../engine/run/events.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { type Editor, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { KnownNames } from "./known-names.ts";
import { type LogLine, LogReading } from "./log-lines.ts";

const readings = new WeakMap<readonly RunEvent[], LogReading>();
const namesByStore = new WeakMap<Editor["document"], KnownNames>();

/** The log of a run up to the moment that is looked at, with nodes named as they are now. */
export function useLogLines(run: RunState | undefined): readonly LogLine[] {
  const { runs, document: store } = useEditor();
  const known = useMemo(() => {
    const names = namesByStore.get(store) ?? new KnownNames();
    namesByStore.set(store, names);
    return names;
  }, [store]);
  const names = useDocumentStore(({ document }) => known.of(document));
  return useMemo(() => {
    if (run === undefined) return [];
    const events = runs.events(run.runId);
    const reading = readings.get(events) ?? new LogReading();
    readings.set(events, reading);
    return reading.upTo(run.nextSeq, events, names);
  }, [run, runs, names]);
}
