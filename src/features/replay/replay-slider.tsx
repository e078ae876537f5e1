import type { KeyboardEvent, Ref } from "react";
import type { RunMoment } from "./run-moments.ts";

interface ReplaySliderProps {
  moments: readonly RunMoment[];
  position: number;
  /** What happened at the position, for screen readers. */
  words: string;
  slider?: Ref<HTMLInputElement>;
  onMove: (to: number) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** The timeline of a run, with the browser's own keys: arrows, Home, End, Page Up and Down. */
export function ReplaySlider({ moments, position, words, slider, onMove, onKeyDown }: ReplaySliderProps) {
  return (
    <div className="relative mx-1 min-w-40 flex-1">
      <Marks moments={moments} />
      <input
        ref={slider}
        type="range"
        aria-label="Position in the run"
        aria-valuetext={words}
        min={0}
        max={moments.length - 1}
        value={position}
        className="relative block h-5 w-full rounded-sm accent-accent outline-offset-2"
        onChange={(event) => onMove(Number(event.target.value))}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Where models were asked and tools were called; more than a few hundred would be a bar. */
const mostMarks = 300;

function Marks({ moments }: { moments: readonly RunMoment[] }) {
  const marks = moments.flatMap(({ kind, seq }, index) => (kind === "other" ? [] : [{ kind, seq, index }]));
  if (marks.length > mostMarks) return null;
  return (
    <span aria-hidden className="pointer-events-none absolute inset-x-2 -top-0.5 h-1.5">
      {marks.map(({ kind, seq, index }) => (
        <span
          key={seq}
          className={`absolute h-1.5 w-0.5 rounded-full ${kind === "model" ? "bg-role-model" : "bg-role-tool"}`}
          style={{ left: `${(index / Math.max(1, moments.length - 1)) * 100}%` }}
        />
      ))}
    </span>
  );
}
