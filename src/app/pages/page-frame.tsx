import type { ReactNode } from "react";
import { classNames } from "../../ui/theme/class-names.ts";
import { usePageTitle } from "../page-title.ts";

/** A page with a heading, its actions at the right, and a column of content. */
export function PageFrame({
  title,
  heading,
  above,
  lead,
  actions,
  narrow = false,
  wide = false,
  children,
}: {
  title: string;
  /** Stands in place of the title, such as an input that renames it. */
  heading?: ReactNode;
  /** The way to the page above. */
  above?: ReactNode;
  /** One muted sentence under the heading. */
  lead?: ReactNode;
  actions?: ReactNode;
  narrow?: boolean;
  /** For cards, of which more stand beside each other on a wide screen. */
  wide?: boolean;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <main className="h-full overflow-y-auto [scrollbar-gutter:stable]">
      <div
        className={`mx-auto flex flex-col gap-5 px-4 pt-6 pb-16 sm:px-8 sm:pt-10 ${narrow ? "max-w-[720px]" : wide ? "max-w-[1024px] min-[1600px]:max-w-[1640px]" : "max-w-[1024px]"}`}
      >
        <header className="grid grid-cols-[minmax(8rem,1fr)_auto] items-start gap-x-4">
          <div>
            {above}
            <h1 className={heading ? "sr-only" : "text-2xl font-semibold tracking-tight wrap-anywhere"}>{title}</h1>
            {heading}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2 sm:row-span-2">{actions}</div>}
          {/* Beside the actions there is no room for a sentence on a phone. */}
          {lead !== undefined && (
            <div
              className={classNames(
                "text-muted max-sm:col-span-2 max-sm:mt-2 sm:mt-0.5",
                actions === undefined && "col-span-2",
              )}
            >
              {lead}
            </div>
          )}
        </header>
        {children}
      </div>
    </main>
  );
}
