import { type ReactNode, useEffect } from "react";
import type { RunEvent } from "../../engine/run/events.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { isOnePane } from "../../state/editor/one-pane.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { wordsOf } from "./run-moments.ts";
import { ReplaySlider } from "./replay-slider.tsx";
import { useScrubber } from "./use-scrubber.ts";

interface TurnReplayProps {
  run: RunState;
  /** What led to it, for one that the tab may let go of. */
  events?: readonly RunEvent[];
  /** Shows the moment where the canvas cannot be seen meanwhile. */
  picture: ReactNode;
}

/** Goes through a finished run right under its answer; the canvas shows it as it was. */
export function TurnReplay({ run, events, picture }: TurnReplayProps) {
  const { runs, document } = useEditor();
  const { runId } = run;
  const { moments, position, last, playing, goTo, play, pause } = useScrubber(runId, run);
  // Whoever closes it sees the run at its end again. On a phone the canvas, which takes its place, shows the moment.
  useEffect(
    () => () => {
      if (!isOnePane() && runs.getState().heldRun?.runId === runId) runs.getState().show(runId);
    },
    [runs, runId],
  );
  const moment = moments[position];
  if (moment === undefined) return null;
  const { nodes } = document.getState().document;
  const words = wordsOf(moment.event, (nodeId) => nodes[nodeId]?.title ?? nodeId);
  const passed = formatDuration(moment.at - (moments[0]?.at ?? moment.at));
  /** Another run may be on display: this one takes its place. */
  const begin = (then: () => void) => {
    const { currentRunId, runs: held, show, open } = runs.getState();
    if (events !== undefined && held[runId] === undefined) open(run, events);
    else if (currentRunId !== runId) show(runId);
    then();
  };
  return (
    <section
      aria-label="Replay"
      className="flex min-w-0 flex-wrap items-center gap-x-2 rounded-lg border bg-canvas px-2 py-1 @container"
    >
      <p className="shrink-0 px-1 text-xs font-medium">Drag to see how it got there</p>
      <div className="flex min-w-56 flex-1 items-center gap-1">
        <IconButton
          size="sm"
          icon={playing ? "pause" : "play"}
          label={playing ? "Pause" : "Play"}
          onClick={() => (playing ? pause() : begin(play))}
        />
        <ReplaySlider
          moments={moments}
          position={position}
          words={`${words}, after ${passed}`}
          onMove={(to) =>
            begin(() => {
              pause();
              goTo(to);
            })
          }
        />
      </div>
      {isOnePane() && picture}
      <p className="w-full truncate px-1 text-xs text-muted @xl:w-52" title={words}>
        <span className="numeric text-faint">
          {position + 1}/{last + 1} · {passed}
        </span>{" "}
        {words}
      </p>
    </section>
  );
}
