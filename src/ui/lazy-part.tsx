import { type ComponentType, lazy, useEffect, useState } from "react";
import { loadMoreIcons } from "./icon.tsx";
import { showToast } from "./toast-store.ts";

/** A component that suspends while its code is loaded. */
export interface LazyPart<Props extends object> {
  (props: Props): React.JSX.Element;
  /** Loads it before it is shown; never rejects. */
  preload(): Promise<void>;
}

/** Milliseconds for which the way to try again stays. */
const retryTime = 60_000;

/**
 * A part of the page whose code is loaded when it is first shown. When it cannot be loaded, nothing stands in its place
 * and a message offers to try again; shown anew later, it tries again by itself.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const listeners = new Set<() => void>();
  let loaded: ComponentType<Props> | undefined;
  let pending = begin();
  const current = () => loaded ?? pending;

  function begin(): ComponentType<Props> {
    return lazy(async () => {
      await preload();
      return { default: loaded ?? Missing };
    });
  }

  async function preload(): Promise<void> {
    try {
      const [part] = await Promise.all([load(), loadMoreIcons()]);
      loaded = part;
    } catch {
      // Said where the part is shown.
    }
  }

  function tryAgain(): void {
    pending = begin();
    for (const listener of listeners) listener();
  }

  function Missing() {
    useEffect(() => {
      showToast(
        "A part of the page could not be loaded.",
        {
          id: "part-missing",
          hint: "You may be offline, or Switchyard was updated. Your saved work is safe; if trying again does not help, reload the page.",
          action: { label: "Try again", onClick: tryAgain },
          durationMs: retryTime,
        },
        "error",
      );
      return () => {
        pending = begin();
      };
    }, []);
    return null;
  }

  function Part(props: Props) {
    // Kept while it is shown: what loads ahead meanwhile may not take the place of what a person works in.
    const [Shown, setShown] = useState(current);
    useEffect(() => {
      const change = () => setShown(current);
      listeners.add(change);
      return () => void listeners.delete(change);
    }, []);
    return <Shown {...props} />;
  }

  return Object.assign(Part, { preload });
}
