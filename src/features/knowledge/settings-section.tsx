import { type ReactNode, useId } from "react";

/** A headed part of a collection's settings, sent as a form. */
export function SettingsSection(props: {
  title: string;
  lead: string;
  children: ReactNode;
  /** Buttons, and what they will do. */
  actions: ReactNode;
  onSubmit: (form: HTMLFormElement) => void;
}) {
  const { title, lead, children, actions, onSubmit } = props;
  const id = useId();
  return (
    <form
      noValidate
      aria-labelledby={id}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      <div>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="text-muted">{lead}</p>
      </div>
      {children}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">{actions}</div>
    </form>
  );
}
