import { useId, useState } from "react";
import { classNames } from "../ui/theme/class-names.ts";
import type { FieldControlProps } from "../ui/fields/field.tsx";
import { Input } from "../ui/fields/input.tsx";
import { isEnter } from "../ui/fields/composing.ts";

export interface ComboboxOption {
  value: string;
  /** Shown muted behind the value. */
  detail?: string;
}

interface ComboboxProps {
  control: FieldControlProps;
  value: string;
  onChange(value: string): void;
  options: readonly ComboboxOption[];
  placeholder?: string;
  /** One line under the list: where it comes from, or why it is short. */
  note?: string;
}

/** At most this many rows are drawn. */
const shownLimit = 100;

/** The options that a typed text narrows down to; all of them while the text is the chosen value. */
export function matchingOptions(options: readonly ComboboxOption[], text: string, typed: boolean): ComboboxOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = typed
    ? options.filter(({ value, detail }) =>
        words.every((word) => `${value} ${detail ?? ""}`.toLowerCase().includes(word)),
      )
    : [...options];
  return found.slice(0, shownLimit);
}

/** A text input with suggestions: any text is allowed, arrows and Enter choose from the list. */
export function Combobox({ control, value, onChange, options, placeholder, note }: ComboboxProps) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = matchingOptions(options, value, typed);
  const isListed = open && (shown.length > 0 || note !== undefined);

  function close() {
    setOpen(false);
    setTyped(false);
    setActive(-1);
  }
  function choose(option: ComboboxOption) {
    onChange(option.value);
    close();
  }
  function move(by: number) {
    setOpen(true);
    setActive((shown.length + (active < 0 && by < 0 ? 0 : active) + by) % Math.max(1, shown.length));
  }

  return (
    <div className="relative">
      <Input
        {...control}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={close}
        onChange={(event) => {
          setTyped(true);
          setOpen(true);
          setActive(-1);
          onChange(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            move(event.key === "ArrowDown" ? 1 : -1);
          } else if (isEnter(event) && open) {
            const option = shown[active];
            if (option !== undefined) choose(option);
            else close();
          } else if (event.key === "Escape" && isListed) {
            event.stopPropagation();
            close();
          }
        }}
      />
      {isListed && (
        <div className="absolute inset-x-0 top-full z-20 mt-1 flex max-h-64 flex-col rounded-lg border bg-raised shadow-float">
          <ul id={listId} role="listbox" aria-label="Suggestions" className="min-h-0 flex-1 overflow-y-auto p-1">
            {shown.map((option, index) => (
              <li
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={option.value === value}
                onPointerDown={(event) => {
                  event.preventDefault();
                  choose(option);
                }}
                className={classNames(
                  "flex min-h-7 cursor-pointer items-center gap-2 rounded-md px-2 text-sm hover:bg-hover",
                  index === active && "bg-hover",
                  option.value === value && "text-accent",
                )}
              >
                <span className="truncate">{option.value}</span>
                {option.detail !== undefined && <span className="truncate text-xs text-muted">{option.detail}</span>}
              </li>
            ))}
          </ul>
          {note !== undefined && <p className="border-t px-3 py-1.5 text-xs text-muted">{note}</p>}
        </div>
      )}
    </div>
  );
}
