import { type ComponentType, useEffect, useState } from "react";
import { showToast } from "./toast-store.ts";

/** A component whose code comes when it is first shown. */
export interface LazyPart<Props extends object> {
  (props: Props): React.JSX.Element | null;
  /** Loads it before it is shown; never rejects. */
  preload(): Promise<void>;
}

/** Milliseconds for which the way to try again stays. */
const retryTime = 60_000;

/**
 * A heavy part of a page, whose code is loaded when it is first shown, with `Meanwhile`, or nothing, in its place until then. Unlike `lazy` it
 * does not suspend: React holds back what comes after a fallback for 300 ms, however soon the code is there. When it cannot be
 * loaded, a message offers to try again; shown anew later, it tries again by itself.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType = () => null,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  /** What shows it and could not. */
  const missing = new Set<() => void>();

  async function preload(): Promise<void> {
    try {
      loaded = await load();
    } catch {
      // Said where the part is shown.
    }
  }

  function sayMissing(): void {
    showToast(
      "A part of the page could not be loaded.",
      {
        id: "part-missing",
        hint: "You may be offline, or Switchyard was updated. Your saved work is safe; if trying again does not help, reload the page.",
        action: { label: "Try again", onClick: () => missing.forEach((tryAgain) => tryAgain()) },
        durationMs: retryTime,
      },
      "error",
    );
  }

  function Part(props: Props) {
    // Kept while it is shown: what loads ahead meanwhile may not take the place of what a person works in.
    const [Shown, setShown] = useState(() => loaded);
    useEffect(() => {
      if (Shown) return undefined;
      let isGone = false;
      const begin = async () => {
        missing.delete(tryAgain);
        await preload();
        if (isGone) return;
        if (loaded) return setShown(() => loaded);
        missing.add(tryAgain);
        sayMissing();
      };
      const tryAgain = () => void begin();
      tryAgain();
      return () => {
        isGone = true;
        missing.delete(tryAgain);
      };
    }, [Shown]);
    return Shown ? <Shown {...props} /> : <Meanwhile />;
  }

  return Object.assign(Part, { preload });
}
