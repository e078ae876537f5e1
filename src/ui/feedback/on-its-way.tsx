import { Spinner } from "./spinner.tsx";

/** In the place of a page whose code is on its way. */
export function PageOnItsWay() {
  return (
    <div className="flex h-full items-center justify-center">
      <Spinner size={20} label="Loading the page" />
    </div>
  );
}

/** In the place of a panel whose code is on its way. */
export function PanelOnItsWay() {
  return (
    <div className="flex h-full min-h-24 min-w-[280px] items-center justify-center bg-surface">
      <Spinner label="Loading the panel" />
    </div>
  );
}

/** Where a dialog will stand once its code is there. Like each spinner it stays away for the first 300 ms. */
export function DialogOnItsWay() {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center">
      <span className="flex animate-[spinner-appear_1ms_300ms_both] items-center gap-2 rounded-lg border bg-raised px-4 py-3 text-sm shadow-float">
        <Spinner now label="Loading the dialog" />
        <span aria-hidden>Loading</span>
      </span>
    </div>
  );
}
