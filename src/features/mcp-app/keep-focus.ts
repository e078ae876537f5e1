import { type RefObject, useEffect } from "react";

/**
 * Gives the focus back when a frame takes it by itself: code of strangers could otherwise catch what a person types elsewhere. The
 * person's own ways in are a pointer on the frame and the Tab key.
 */
export function useKeepFocus(frame: RefObject<HTMLIFrameElement | null>): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let left: EventTarget | null = null;
    let byKey = false;
    const giveBack = () => {
      const own = frame.current;
      if (own === null || document.activeElement !== own || byKey || own.matches(":hover, :active")) return;
      own.blur();
      if (left instanceof HTMLElement && left.isConnected) left.focus({ preventScroll: true });
    };
    const onLeave = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== frame.current) left = target;
      // Which element has the focus now is known once the event is over.
      setTimeout(giveBack);
    };
    const forgetKey = () => {
      byKey = false;
    };
    document.addEventListener("keydown", ({ key }) => void (byKey = key === "Tab"), { capture: true, signal });
    document.addEventListener("focusin", forgetKey, { signal });
    document.addEventListener("pointerdown", forgetKey, { capture: true, signal });
    document.addEventListener("focusout", onLeave, { signal });
    window.addEventListener("blur", onLeave, { signal });
    return () => controller.abort();
  }, [frame]);
}
