import { useEffect, useEffectEvent } from "react";
import { kindOfClip } from "../../../state/editing/node-clip.ts";
import { showToast } from "../../../ui/feedback/toast-store.ts";
import { takeText } from "../../../ui/text/take-text.ts";

/** Whether a control or a dialog has the keyboard or the pointer already. */
function isTaken(target: EventTarget | null): boolean {
  const typing =
    target instanceof Element && target.closest("input, textarea, select, [contenteditable=true]") !== null;
  return typing || document.querySelector("[role=dialog], dialog[open], [role=menu]") !== null;
}

/** Hands over files dropped anywhere on the page, and pasted text that looks like a workflow. */
export function useIncomingText(onText: (text: string, fileName?: string) => void): void {
  const receive = useEffectEvent(onText);
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true && !isTaken(null);
    window.addEventListener("dragover", (event) => void (hasFile(event) && event.preventDefault()), { signal });
    window.addEventListener(
      "drop",
      (event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        void takeText(event.dataTransfer?.files[0], receive);
      },
      { signal },
    );
    window.addEventListener(
      "paste",
      (event) => {
        const text = event.clipboardData?.getData("text/plain") ?? "";
        const kind = kindOfClip(text);
        if (isTaken(event.target) || kind === null) return;
        if (kind !== "words") receive(text);
        else
          showToast("What you pasted is not a workflow.", {
            id: "pasted-words",
            hint: "Copy a workflow as JSON, or choose Import.",
          });
      },
      { signal },
    );
    return () => leave.abort();
  }, []);
}
