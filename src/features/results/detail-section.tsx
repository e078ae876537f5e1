import type { ReactNode, Ref } from "react";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";

interface DetailSectionProps {
  title: string;
  aside?: ReactNode;
  /** Text for a button that copies it. */
  copy?: () => string;
  /** For who leads to the section: it can take the focus. */
  section?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A headed part of a detail view. */
export function DetailSection({ title, aside, copy, section, children }: DetailSectionProps) {
  return (
    <section
      ref={section}
      tabIndex={section ? -1 : undefined}
      aria-label={section ? title : undefined}
      className="flex flex-col gap-1 border-b px-4 py-3 outline-none last:border-b-0"
    >
      <header className="flex min-h-7 items-center gap-2">
        <h3 className="shrink-0 text-xs font-semibold text-muted">{title}</h3>
        {aside !== undefined && <span className="text-xs text-faint numeric">{aside}</span>}
        {copy && (
          <span className="ml-auto">
            <CopyButton text={copy} label={`Copy: ${title.toLowerCase()}`} />
          </span>
        )}
      </header>
      {children}
    </section>
  );
}

/** Small facts in a row, such as model, time and tokens; empty ones are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string | undefined])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1">
      {facts.map(
        ([name, value]) =>
          value !== undefined &&
          value !== "" && (
            <div key={name} className="min-w-0">
              <dt className="text-xs text-faint">{name}</dt>
              <dd className="numeric wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
