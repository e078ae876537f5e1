import { toast, Toaster as Sonner } from "sonner";
import { Icon } from "./icon.tsx";

export interface ToastOptions {
  /** What to do, or more about it. */
  hint?: string;
  action?: { label: string; onClick: () => void };
  /** A second toast with the same id replaces the first. */
  id?: string;
  /** Milliseconds; 5 s when absent, 8 s with an action. */
  durationMs?: number;
}

type ToastTone = "plain" | "success" | "warning" | "error";

const kinds = { plain: toast, success: toast.success, warning: toast.warning, error: toast.error };

/** A short message at the lower edge, for what just happened. */
export function showToast(message: string, options: ToastOptions = {}, tone: ToastTone = "plain"): void {
  kinds[tone](message, {
    id: options.id,
    description: options.hint,
    action: options.action,
    duration: options.durationMs ?? (options.action === undefined ? 5_000 : 8_000),
  });
}

/** A failure with its hint; anything that is not an Error gets general words. */
export function showError(error: unknown, options: Omit<ToastOptions, "hint"> = {}): void {
  const message = error instanceof Error && error.message !== "" ? error.message : "Something went wrong.";
  const hint =
    error instanceof Error && "hint" in error && typeof error.hint === "string"
      ? error.hint
      : "Try again; if it happens again, reload the page.";
  showToast(message, { durationMs: 8_000, ...options, hint }, "error");
}

export function hideToast(id: string): void {
  toast.dismiss(id);
}

/** Where toasts appear; mounted once. */
export function Toaster({ theme }: { theme: "system" | "light" | "dark" }) {
  return (
    <Sonner
      theme={theme}
      position="bottom-center"
      gap={8}
      offset={16}
      mobileOffset={{ bottom: 72, left: 12, right: 12 }}
      icons={{
        success: <Icon name="circle-check" />,
        warning: <Icon name="triangle-alert" />,
        error: <Icon name="circle-alert" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-3 font-sans rounded-lg border bg-raised px-3 py-2.5 text-sm text-ink shadow-float sm:w-[356px]",
          content: "min-w-0 flex-1",
          title: "font-medium",
          description: "text-muted",
          icon: "self-start pt-0.5",
          success: "[&_[data-icon]]:text-success",
          warning: "[&_[data-icon]]:text-warning",
          error: "[&_[data-icon]]:text-danger",
          actionButton: "h-7 shrink-0 rounded-md border border-line-strong px-2 text-sm font-medium hover:bg-hover",
        },
      }}
    />
  );
}
