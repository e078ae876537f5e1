import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { classNames } from "../../ui/theme/class-names.ts";

/** The switch of a row. */
interface RowSwitch {
  checked: boolean;
  busy: boolean;
  onChange: (checked: boolean) => void;
}

interface DoorRowProps {
  icon: IconName;
  title: string;
  /** What it is while it is off, how it stands while it is on. */
  line: string;
  /** The line says that something is wrong. */
  warns?: boolean;
  /** Absent where nothing can be switched. */
  toggle?: RowSwitch | undefined;
  isOn: boolean;
  /** Links, addresses and code to copy; shown while it is on, or open. */
  copies?: ReactNode;
  /** Stands also while the row is closed. */
  notices?: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The settings. They stay as they are typed while the row is closed again. */
  children: ReactNode;
}

/** One way in which others reach the published workflow: a switch, what to copy, and settings under it. */
export function DoorRow(props: DoorRowProps) {
  const { icon, title, line, warns = false, toggle, isOn, copies, notices, isOpen, onOpenChange } = props;
  const id = useId();
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <li ref={row} className="border-b last:border-b-0">
      <div className="flex items-center gap-3 pr-5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-settings`}
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-line`}
          onClick={() => onOpenChange(!isOpen)}
          className="group flex min-w-0 flex-1 items-center gap-3 rounded-md py-3 pl-5 text-left outline-offset-[-2px]"
        >
          <span
            className={classNames(
              "inline-flex size-8 shrink-0 items-center justify-center rounded-md",
              isOn ? "bg-accent-soft text-accent" : "bg-hover text-muted",
            )}
          >
            <Icon name={icon} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-1">
              <span id={`${id}-title`} className="font-semibold">
                {title}
              </span>
              <span className="text-faint group-hover:text-ink">
                <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />
              </span>
            </span>
            <span
              id={`${id}-line`}
              className={classNames("block numeric wrap-anywhere", warns ? "text-warning" : "text-muted")}
            >
              {line}
            </span>
          </span>
        </button>
        {toggle !== undefined && (
          <Switch
            aria-label={title}
            aria-describedby={`${id}-line`}
            checked={toggle.checked}
            busy={toggle.busy}
            onCheckedChange={toggle.onChange}
          />
        )}
      </div>
      {(isOn || isOpen) && copies !== undefined && (
        <div className="flex flex-col gap-1 px-5 pb-3 pl-16 max-sm:pl-5">{copies}</div>
      )}
      {notices !== undefined && (
        <div className="flex flex-col gap-2 px-5 pb-3 pl-16 empty:hidden max-sm:pl-5">{notices}</div>
      )}
      <div
        id={`${id}-settings`}
        role="group"
        aria-label={`Settings: ${title}`}
        hidden={!isOpen}
        className="border-t bg-canvas"
      >
        {wasOpen && props.children}
      </div>
    </li>
  );
}

interface CopyLineProps {
  /** Says which of several it is. */
  label?: string;
  text: string;
  /** What the button is called. */
  copyLabel: string;
  /** It is a page that can be opened. */
  opens?: boolean;
}

/** A link or an address to copy. */
export function CopyLine({ label, text, copyLabel, opens = false }: CopyLineProps) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2">
      {label !== undefined && <span className="w-32 shrink-0 text-muted max-sm:w-full">{label}</span>}
      <code className="min-w-0 font-mono text-xs wrap-anywhere">{text}</code>
      <CopyButton text={() => text} label={copyLabel} />
      {opens && (
        <Button size="sm" icon="arrow-up-right" asChild>
          <a href={text} target="_blank" rel="noopener">
            Open
          </a>
        </Button>
      )}
    </p>
  );
}
