import { GraphSketch } from "../../ui/graph/graph-sketch.tsx";
import { runBeganAt } from "../shell/leave-shell.tsx";
import { signInRun, signInSketch } from "./sign-in-sketch.ts";

/** A workflow that runs once, as one does in the studio, timed by `played-run.css`; at rest it shows the run's end. */
export function SignInPicture({ passed }: { passed: number | null }) {
  const played = passed === null ? {} : { "data-played": "", style: { "--passed": `${Math.round(passed)}ms` } };
  return (
    <div data-picture="" className="flex w-full max-w-[600px] flex-col gap-8" {...played}>
      <GraphSketch sketch={signInSketch} run={signInRun} className="w-full" />
      <div className="mx-auto flex w-full max-w-96 flex-col gap-2 text-base max-lg:hidden">
        <Bubble at={1} looks="self-end bg-accent-soft">
          What is 15% of 240?
        </Bubble>
        <Bubble at={8} looks="self-start border bg-surface">
          15% of 240 is 36.
        </Bubble>
      </div>
    </div>
  );
}

function Bubble({ at, looks, children }: { at: number; looks: string; children: string }) {
  return (
    <p className={`run-arrival rounded-lg px-3 py-1.5 ${looks}`} style={{ "--until": at }}>
      {children}
    </p>
  );
}

/** Milliseconds after which the run is over. */
const playedMs = 6_000;

/** Milliseconds for which the run has played; null once it is over. */
export function passedOfRun(): number | null {
  const passed = performance.now() - runBeganAt();
  return passed < playedMs ? passed : null;
}
