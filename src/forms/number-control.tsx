import { formatDuration } from "../ui/text/format-duration.ts";
import { Input } from "../ui/fields/input.tsx";
import type { ControlProps } from "./control-props.ts";
import { useTextDraft } from "./use-text-draft.ts";
import { isLargeInteger } from "../engine/lossless-json.ts";

function textOf(value: ControlProps["value"]): string {
  return value === undefined || value === null ? "" : String(value);
}

/** What a typed number is stored as: nothing for an empty input, its digits where it is too large, the text itself while it is no number. */
export function numberFrom(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (isLargeInteger(trimmed)) return trimmed;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

/** Milliseconds as people say them, for a field whose label ends in the unit; nothing where the number says it itself. */
function durationOf(label: string, text: string): string | undefined {
  const milliseconds = numberFrom(text);
  if (!label.endsWith("(ms)") || typeof milliseconds !== "number" || milliseconds < 1000) return undefined;
  return formatDuration(milliseconds).replace(/ 00 s$/, "");
}

/** A number with its bounds as a hint; what is not a number is kept and shown as the field's error. */
export function NumberControl({ field, value, onChange, control }: ControlProps) {
  const [text, setText] = useTextDraft(textOf(value === undefined ? field.default : value));
  const bounds = [field.min, field.max].every((bound) => bound !== undefined)
    ? `${field.min} – ${field.max}`
    : undefined;
  const duration = durationOf(field.label, text);
  return (
    <div className="relative">
      <Input
        {...control}
        inputMode={field.integer ? "numeric" : "decimal"}
        className="numeric"
        value={text}
        placeholder={field.placeholder ?? bounds ?? "none"}
        autoComplete="off"
        onChange={(event) => {
          const next = numberFrom(event.target.value);
          setText(event.target.value, next === undefined ? textOf(field.default) : String(next));
          onChange(next);
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
          const current = numberFrom(text);
          if (typeof current !== "number") return;
          event.preventDefault();
          const range = field.max === undefined || field.min === undefined ? 100 : field.max - field.min;
          const step = field.integer ? 1 : range <= 4 ? 0.1 : 1;
          const moved = current + (event.key === "ArrowUp" ? step : -step) * (event.shiftKey ? 10 : 1);
          const next = Math.min(field.max ?? Infinity, Math.max(field.min ?? -Infinity, Number(moved.toFixed(4))));
          setText(String(next), String(next));
          onChange(next);
        }}
      />
      {duration !== undefined && (
        <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-xs text-faint numeric">
          = {duration}
        </span>
      )}
    </div>
  );
}
