import { lazy, useEffect, useState } from "react";

const load = () => import("../../ui/code-editor/template-editor.tsx");

let isLoaded = false;

/** The editor of templates; shown once `useTemplateEditorReady` says so. */
export const TemplateEditor = lazy(load);

/**
 * Whether the editor of templates has come; until then a plain input does its work. `beforeSwap` is asked just before the
 * editor takes the input's place.
 */
export function useTemplateEditorReady(beforeSwap: () => void): boolean {
  const [ready, setReady] = useState(isLoaded);
  useEffect(() => {
    if (ready) return undefined;
    let isWanted = true;
    void load().then(
      () => {
        isLoaded = true;
        if (!isWanted) return;
        beforeSwap();
        setReady(true);
      },
      // The plain input stays.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [ready, beforeSwap]);
  return ready;
}
