import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Button } from "./button.tsx";

/**
 * A list and the chosen entry's detail: side by side where there is room, one at a time where there is not. `chosen` says
 * whether the reader picked an entry; before that the narrow form shows the list.
 */
export function MasterDetail(props: { list: ReactNode; detail: ReactNode; chosen: boolean; onBack: () => void }) {
  const { list, detail, chosen, onBack } = props;
  return (
    <div className="@container flex h-full min-h-0">
      <div
        className={classNames(
          "flex h-full min-h-0 w-full min-w-0 flex-col @2xl:flex @2xl:w-[44%] @2xl:max-w-lg @2xl:border-r",
          chosen && "hidden",
        )}
      >
        {list}
      </div>
      <div
        className={classNames(
          "h-full min-h-0 min-w-0 flex-1 flex-col overflow-y-auto @2xl:flex",
          chosen ? "flex" : "hidden",
        )}
      >
        <div className="sticky top-0 z-1 border-b bg-surface p-1 @2xl:hidden">
          <Button size="sm" variant="ghost" icon="chevron-left" onClick={onBack}>
            All
          </Button>
        </div>
        {detail}
      </div>
    </div>
  );
}
