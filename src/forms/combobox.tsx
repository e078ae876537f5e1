import { useMergeRefs } from "@floating-ui/react";
import { useId, useState } from "react";
import { createPortal } from "react-dom";
import { classNames } from "../ui/theme/class-names.ts";
import type { FieldControlProps } from "../ui/fields/field.tsx";
import { Input } from "../ui/fields/input.tsx";
import { isEnter } from "../ui/fields/composing.ts";
import { type Float, floatHome, showOnTop, useFloat } from "../ui/overlays/use-float.ts";

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
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = matchingOptions(options, value, typed);
  const isListed = open && (shown.length > 0 || note !== undefined);
  // In the top layer, so that no dialog or panel around it cuts it off.
  const float = useFloat({
    open: isListed,
    elements: { reference: anchor },
    side: "bottom",
    align: "start",
    gap: 4,
    fits: true,
  });

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
    <div ref={setAnchor}>
      <Input
        {...control}
        role="combobox"
        aria-expanded={isListed}
        aria-controls={isListed ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isListed && active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
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
            // The browser would close the dialog around it.
            event.preventDefault();
            event.stopPropagation();
            close();
          }
        }}
      />
      {isListed && (
        <Suggestions
          id={listId}
          float={float}
          options={shown}
          value={value}
          active={active}
          note={note}
          onChoose={choose}
        />
      )}
    </div>
  );
}

interface SuggestionsProps {
  id: string;
  float: Float;
  options: readonly ComboboxOption[];
  value: string;
  /** Place of the row that Enter chooses; -1 for none. */
  active: number;
  note: string | undefined;
  onChoose(option: ComboboxOption): void;
}

function Suggestions({ id, float, options, value, active, note, onChoose }: SuggestionsProps) {
  const ref = useMergeRefs([float.refs.setFloating, showOnTop]);
  return createPortal(
    <div
      ref={ref}
      popover="manual"
      style={float.floatingStyles}
      className="inset-auto flex-col overflow-hidden rounded-lg border bg-raised text-ink shadow-float open:flex"
    >
      <ul id={id} role="listbox" aria-label="Suggestions" className="max-h-60 min-h-0 flex-1 overflow-y-auto p-1">
        {options.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={option.value === value}
            onPointerDown={(event) => {
              event.preventDefault();
              onChoose(option);
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
    </div>,
    floatHome(float.elements.domReference),
  );
}
