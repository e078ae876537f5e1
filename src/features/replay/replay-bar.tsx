import { type KeyboardEvent, useEffect, useRef } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { nextFrame } from "../../state/run/next-frame.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { ReplaySlider } from "./replay-slider.tsx";
import { wordsOf } from "./run-moments.ts";
import { speeds, useScrubber } from "./use-scrubber.ts";

/**
 * The timeline of a recorded run. The slider has the browser's own keys (arrows, Home, End, Page Up and Down); Space plays
 * and pauses. `whole` is the run at its end.
 */
export function ReplayBar({ runId, whole }: { runId: string; whole: RunState }) {
  const { moments, position, last, playing, speed, setSpeed, goTo, play, pause } = useScrubber(runId, whole);
  const { document } = useEditor();
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    let gone = false;
    const focus = () => {
      const { activeElement, body } = window.document;
      // Who was quicker keeps the focus.
      if (!gone && activeElement === body) slider.current?.focus({ preventScroll: true });
    };
    // Once the page is drawn: before, the browser would have to lay it out for this alone.
    nextFrame(() => setTimeout(focus));
    return () => {
      gone = true;
    };
  }, []);
  const moment = moments[position];
  if (moment === undefined) return null;
  const { nodes } = document.getState().document;
  const words = wordsOf(moment.event, (nodeId) => nodes[nodeId]?.title ?? nodeId);
  const passed = formatDuration(moment.at - (moments[0]?.at ?? moment.at));
  const step = (to: number) => {
    pause();
    goTo(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== " ") return;
    event.preventDefault();
    if (playing) pause();
    else play();
  };
  return (
    <section
      aria-label="Replay"
      className="flex shrink-0 items-center gap-2 border-b bg-surface px-2 py-1.5 max-sm:flex-wrap"
    >
      <div className="flex items-center">
        <IconButton
          size="sm"
          icon="step-back"
          label="One step back"
          disabled={position === 0}
          onClick={() => step(position - 1)}
        />
        <IconButton
          size="sm"
          icon={playing ? "pause" : "play"}
          label={playing ? "Pause" : "Play"}
          shortcut="space"
          onClick={playing ? pause : play}
        />
        <IconButton
          size="sm"
          icon="step-forward"
          label="One step forward"
          disabled={position === last}
          onClick={() => step(position + 1)}
        />
      </div>
      <ReplaySlider
        slider={slider}
        moments={moments}
        position={position}
        words={`${words}, after ${passed}`}
        onMove={step}
        onKeyDown={onKeyDown}
      />
      <p className="w-72 min-w-0 truncate text-xs text-muted max-sm:order-last max-sm:w-full" title={words}>
        <span className="numeric text-faint">
          {position + 1}/{last + 1} · {passed}
        </span>{" "}
        {words}
      </p>
      <Select
        size="sm"
        aria-label="Speed"
        className="w-auto!"
        value={String(speed)}
        options={speeds.map((each) => ({ value: String(each), label: `${each}×` }))}
        onValueChange={(value) => setSpeed(speeds.find((each) => String(each) === value) ?? 1)}
      />
    </section>
  );
}
