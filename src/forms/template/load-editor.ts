import { type ComponentType, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { TemplateEditorProps } from "../../ui/fields/code-editor/template-editor.tsx";

/** The editor of templates once it has come; nothing is shown meanwhile in its place but the plain input that works. */
export const loaded: { Editor?: ComponentType<TemplateEditorProps> } = {};

/**
 * Whether the editor has come; until then a plain input does its work. `beforeSwap` is asked just before the editor takes the
 * input's place, so that the focus can go on there.
 */
export function useTemplateEditorReady(beforeSwap: () => void): boolean {
  const [ready, setReady] = useState(loaded.Editor !== undefined);
  useEffect(() => {
    if (ready) return undefined;
    let isWanted = true;
    void import("../../ui/fields/code-editor/template-editor.tsx").then(
      (module) => {
        loaded.Editor = module.default;
        if (!isWanted) return;
        // At once: a key that came between the two would leave the cursor behind what it wrote.
        flushSync(() => {
          beforeSwap();
          setReady(true);
        });
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
