/** Milliseconds of hovering before a tooltip shows; none when another one was there this shortly before. */
const delay = 400;
const skipDelay = 300;

/** When any tooltip was last hidden, in milliseconds since 1970. */
let lastHidden = 0;

/** Decides when one tooltip shows and hides. */
interface HoverTimer {
  /** The pointer has come. */
  enter(): void;
  /** At once, for the keyboard. */
  show(): void;
  hide(): void;
}

/** `onShown` hears of every change. */
export function createHoverTimer(onShown: (shown: boolean) => void): HoverTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = false;

  function set(next: boolean) {
    clearTimeout(timer);
    if (shown === next) return;
    if (shown) lastHidden = Date.now();
    shown = next;
    onShown(next);
  }

  return {
    enter() {
      clearTimeout(timer);
      timer = setTimeout(() => set(true), Date.now() - lastHidden < skipDelay ? 0 : delay);
    },
    show: () => set(true),
    hide: () => set(false),
  };
}
