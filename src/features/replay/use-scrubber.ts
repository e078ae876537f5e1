import { useCallback, useEffect, useMemo, useState } from "react";
import { createTimeline } from "../../engine/run/replay/run-timeline.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { panelStore } from "../../state/editor/panel-store.ts";
import { runMoments } from "./run-moments.ts";

/** While playing, a stop is shown at least and at most this long, in milliseconds. */
const shortest = 40;
const longest = 1_200;

/** How much faster than it was a run can be played. */
export const speeds = [1, 4, 16] as const;
type Speed = (typeof speeds)[number];

/** Goes through a recorded run: canvas and panels show it as it was at the position. `whole` is its state at the end. */
export function useScrubber(runId: string, whole: RunState) {
  const { runs } = useEditor();
  const timeline = useMemo(() => createTimeline(runId, runs.events(runId)), [runs, runId]);
  const moments = useMemo(() => runMoments(timeline.events), [timeline]);
  const last = moments.length - 1;
  const [reached, setPosition] = useState(last);
  // Where another run took its place, this one is at its end again, and no longer plays.
  const isHeld = useRunStore(({ heldRun }) => heldRun?.runId === runId);
  const position = isHeld ? reached : last;
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);

  const goTo = useCallback(
    (wanted: number) => {
      const next = Math.max(0, Math.min(last, wanted));
      const moment = moments[next];
      if (moment === undefined) return;
      setPosition(next);
      const atEnd = next === last;
      const state = atEnd ? whole : timeline.stateAt(moment.seq);
      runs.getState().lookAt(state, atEnd ? null : moment.at);
      const { stepId, chooseStep } = panelStore.getState();
      // A step that has not happened yet cannot stay open; the list follows by itself.
      if (!state.steps.some(({ id }) => id === stepId)) chooseStep(null);
    },
    [last, moments, runs, timeline, whole],
  );

  // A visit before may have left the run at another position.
  useEffect(() => runs.getState().lookAt(whole, null), [runs, whole]);

  useEffect(() => {
    if (!playing) return undefined;
    const [from, to] = [moments[position], moments[position + 1]];
    if (from === undefined || to === undefined) return undefined;
    const pause = Math.min(longest, Math.max(shortest, (to.at - from.at) / speed));
    const timer = setTimeout(() => goTo(position + 1), pause);
    return () => clearTimeout(timer);
  }, [playing, position, moments, speed, goTo]);

  const play = () => {
    if (position === last) goTo(0);
    setPlaying(true);
  };
  return {
    moments,
    position,
    last,
    playing: playing && position < last,
    speed,
    setSpeed,
    goTo,
    play,
    pause: () => setPlaying(false),
  };
}
