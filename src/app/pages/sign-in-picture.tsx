import { useEffect, useState } from "react";
import { sketchOf } from "../../features/library/sketch-of.ts";
import { askWithTools } from "../../features/library/templates/ask-with-tools.ts";
import { GraphSketch } from "../../ui/graph/graph-sketch.tsx";

const sketch = sketchOf(askWithTools("picture"));

/** Which nodes work at each step of the run, one after another; who works with the agent lights its wire. */
const steps: readonly (readonly string[])[] = [
  [],
  ["chat"],
  ["chat", "agent"],
  ["agent", "memory"],
  ["agent", "model"],
  ["agent", "calculator"],
  ["agent", "model"],
  ["agent"],
  [],
];
const stepMs = 650;
const last = steps.length - 1;

/** What has worked before step `at`, and does no more. */
function doneAt(at: number): ReadonlySet<string> {
  const working = new Set(steps[at]);
  return new Set(steps.slice(0, at).flatMap((step) => step.filter((id) => !working.has(id))));
}

/** A workflow that runs once, as one does in the studio; at rest it shows the run's end. */
export default function SignInPicture() {
  const [at, setAt] = useState(() => (window.matchMedia("(prefers-reduced-motion: reduce)").matches ? last : 0));
  useEffect(() => {
    if (at >= last) return undefined;
    const timer = setTimeout(() => setAt(at + 1), stepMs);
    return () => clearTimeout(timer);
  }, [at]);
  return (
    <div className="flex w-full max-w-[760px] flex-col gap-8">
      <GraphSketch sketch={sketch} working={new Set(steps[at])} done={doneAt(at)} className="w-full" />
      <div className="mx-auto flex w-full max-w-96 flex-col gap-2 text-base">
        <p className={bubble(at >= 1, "self-end bg-accent-soft")}>What is 15% of 240?</p>
        <p className={bubble(at >= last, "self-start border bg-surface")}>15% of 240 is 36.</p>
      </div>
    </div>
  );
}

function bubble(shown: boolean, looks: string): string {
  return `rounded-lg px-3 py-1.5 transition-opacity duration-300 ${shown ? "" : "opacity-0"} ${looks}`;
}
