import { useEffect, useEffectEvent } from "react";
import { takeText } from "../../../ui/text/take-text.ts";

/** Whether a control or a dialog has the keyboard or the pointer already. */
function isTaken(target: EventTarget | null): boolean {
  const typing =
    target instanceof Element && target.closest("input, textarea, select, [contenteditable=true]") !== null;
  return typing || document.querySelector("[role=dialog], dialog[open], [role=menu]") !== null;
}

/** JSON, the first lines of a workflow in YAML, or code of the Agents SDK. */
const looksLikeWorkflow =
  /^\s*[[{]|^(?:app|kind|dependencies|workflow|openapi):(?:\s|$)|from\s*["']@openai\/agents["']/;

/** Hands over files dropped anywhere on the page, and pasted text that looks like a workflow. */
export function useIncomingText(onText: (text: string) => void): void {
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
        if (!isTaken(event.target) && looksLikeWorkflow.test(text)) receive(text);
      },
      { signal },
    );
    return () => leave.abort();
  }, []);
}
