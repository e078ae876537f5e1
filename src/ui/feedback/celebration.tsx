import { type ReactNode, useState } from "react";

const sparks = ["main", "model", "memory", "tool"] as const;
const count = 12;
/** Whoever comes back to it later does not see it again. */
const freshMs = 1_500;

/** A word of joy with a few sparks that fly off once. `at`: since when there is something to celebrate, by `performance.now()`. */
export function Celebration({ at, children }: { at: number; children: ReactNode }) {
  const [isFresh] = useState(() => performance.now() - at < freshMs);
  return (
    <span className="relative ml-1 font-medium text-accent">
      {children}
      {isFresh &&
        Array.from({ length: count }, (_, index) => (
          <span
            key={index}
            aria-hidden
            className="spark"
            style={{
              "--turn": `${(index / count) * 360}deg`,
              "--far": `${index % 2 === 0 ? 34 : 22}px`,
              background: `var(--color-role-${sparks[index % sparks.length] ?? "main"})`,
            }}
          />
        ))}
    </span>
  );
}
