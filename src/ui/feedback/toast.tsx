import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { classNames } from "../theme/class-names.ts";
import { Icon, type IconName } from "../icons/icon.tsx";
import { currentToasts, hideToast, onToasts, takeToastAction, type Toast, type ToastTone } from "./toast-store.ts";

export { showError, showToast } from "./toast-store.ts";

const marks: Record<ToastTone, { icon: IconName; tint: string } | null> = {
  plain: null,
  success: { icon: "circle-check", tint: "text-success" },
  warning: { icon: "triangle-alert", tint: "text-warning" },
  error: { icon: "circle-alert", tint: "text-danger" },
};

/** Pixels around toasts. */
const gap = 8;
/** Milliseconds after which a panel that was opened or dragged meanwhile is minded. */
const placedEvery = 250;

/** Puts toasts above the field of a chat below them, which makes room, so that they cover neither it nor the last answer. */
function placeToasts(region: HTMLElement): void {
  const own = region.getBoundingClientRect();
  let bottom = 2 * gap;
  for (const field of document.querySelectorAll<HTMLElement>("[data-composer]")) {
    const { left, right, top, height } = field.getBoundingClientRect();
    const isBelow = height > 0 && own.height > 0 && left < own.right && right > own.left;
    if (isBelow) bottom = Math.max(bottom, window.innerHeight - top + gap);
    field.style.setProperty("--toast-room", isBelow ? `${own.height + 2 * gap}px` : "0px");
  }
  region.style.bottom = `${bottom}px`;
}

/** Where toasts appear; mounted once. They stay while the pointer or the focus is on them. */
export function Toaster() {
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  const [held, setHeld] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const newest = toasts.at(-1)?.version ?? 0;

  // Above whatever opened since the last one.
  useLayoutEffect(() => {
    const node = region.current;
    if (node === null) return;
    if (node.matches(":popover-open")) node.hidePopover();
    if (newest > 0) node.showPopover();
  }, [newest]);
  useLayoutEffect(() => {
    const node = region.current;
    if (node === null) return undefined;
    placeToasts(node);
    if (toasts.length === 0) return undefined;
    const timer = setInterval(() => placeToasts(node), placedEvery);
    return () => clearInterval(timer);
  }, [toasts]);

  return (
    <div
      ref={region}
      popover="manual"
      role="region"
      aria-label="Notifications"
      className="inset-x-3 top-auto mx-auto w-auto flex-col gap-2 overflow-visible bg-transparent text-sm text-ink open:flex sm:w-[380px]"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toasts.map((toast) => (
        <ToastCard key={`${toast.id} ${toast.version}`} toast={toast} held={held} />
      ))}
    </div>
  );
}

function ToastCard({ toast, held }: { toast: Toast; held: boolean }) {
  const { id, message, tone, hint, action, durationMs } = toast;
  const mark = marks[tone];

  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => hideToast(id), durationMs);
    return () => clearTimeout(timer);
  }, [id, durationMs, held]);

  return (
    <div
      role={tone === "error" ? "alert" : "status"}
      className="flex animate-rise items-center gap-3 rounded-lg border bg-raised px-3 py-2.5 shadow-float"
    >
      {mark !== null && (
        <span className={classNames("self-start pt-0.5", mark.tint)}>
          <Icon name={mark.icon} />
        </span>
      )}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{message}</p>
        {hint !== undefined && <p className="text-muted">{hint}</p>}
      </div>
      {action !== undefined && (
        <button
          type="button"
          className="h-7 shrink-0 rounded-md border border-line-strong px-2 font-medium hover:bg-hover"
          onClick={() => takeToastAction(id)}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="-mr-1 inline-flex size-6 shrink-0 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
        onClick={() => hideToast(id)}
      >
        <Icon name="x" size={14} />
      </button>
    </div>
  );
}
