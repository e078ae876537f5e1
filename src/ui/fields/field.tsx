import { useId, type ReactNode } from "react";
import { classNames } from "../theme/class-names.ts";
import { Icon } from "../icons/icon.tsx";
import { Tooltip } from "../overlays/tooltip.tsx";

/** What a control inside a field spreads on itself, so that label, help and error belong to it. */
export interface FieldControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
  "aria-required": boolean | undefined;
}

interface FieldProps {
  label: string;
  /** One muted line under the control. */
  help?: ReactNode;
  /** The help is nobody's first question: it waits behind a sign beside the label, where there is a mouse to point at it. */
  quietHelp?: boolean;
  /** What is wrong and what to do; takes the place of the help. */
  error?: string;
  required?: boolean;
  /** Stands at the right of the label: a reset button, a mark. */
  aside?: ReactNode;
  /** Label and control in one row, for switches. */
  inline?: boolean;
  /** The control is a group of several, each with a name of its own: the label names none of them. */
  group?: boolean;
  children: (control: FieldControlProps) => ReactNode;
}

/** Label, control, help and error of one setting, joined for screen readers. */
export function Field({
  label,
  help,
  quietHelp = false,
  error,
  required = false,
  aside,
  inline = false,
  group = false,
  children,
}: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = error !== undefined || help !== undefined;
  const control = children({
    id,
    "aria-describedby": hasNote ? noteId : undefined,
    "aria-invalid": error === undefined ? undefined : true,
    "aria-required": required || undefined,
  });
  const words = classNames("min-w-0 flex-1 text-sm font-medium", required && "required-mark");
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-5 items-center gap-2">
        {group ? (
          <span className={words}>{label}</span>
        ) : (
          <label htmlFor={id} className={words}>
            {label}
          </label>
        )}
        {aside}
        {quietHelp && help !== undefined && (
          <Tooltip content={help} side="left">
            <span className="hidden shrink-0 cursor-help text-faint hover:text-muted [@media(hover:hover)]:inline-flex">
              <Icon name="info" size={14} />
            </span>
          </Tooltip>
        )}
        {inline && control}
      </div>
      {!inline && control}
      {error !== undefined ? (
        <p id={noteId} role="alert" className="flex gap-1 text-xs text-danger">
          <Icon name="circle-alert" size={14} />
          <span>{error}</span>
        </p>
      ) : (
        help !== undefined && (
          <p id={noteId} className={classNames("text-xs text-muted", quietHelp && "[@media(hover:hover)]:sr-only")}>
            {help}
          </p>
        )
      )}
    </div>
  );
}
