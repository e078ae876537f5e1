import { type Allowable, type AllowedValue, allowedPathWords } from "../../engine/trust/allowed-values.ts";
import { visibleName } from "../../engine/text/visible-name.ts";

interface AlwaysChoicesProps {
  allowable: Pick<Allowable, "values" | "isAll">;
  chosen: ReadonlySet<AllowedValue>;
  disabled: boolean;
  onChange: (chosen: ReadonlySet<AllowedValue>) => void;
}

/** Which values of a call need not be asked about again. */
export function AlwaysChoices({ allowable: { values, isAll }, chosen, disabled, onChange }: AlwaysChoicesProps) {
  function toggle(value: AllowedValue) {
    const next = new Set(chosen);
    if (!next.delete(value)) next.add(value);
    onChange(next);
  }
  return (
    <div className="flex min-w-0 basis-full flex-col gap-1">
      {values.map((value, index) => (
        <label key={index} className="flex min-w-0 items-start gap-2 text-sm max-sm:min-h-11 max-sm:items-center">
          <input
            type="checkbox"
            className="mt-1 max-sm:mt-0"
            checked={chosen.has(value)}
            disabled={disabled}
            onChange={() => toggle(value)}
          />
          <span className="min-w-0 wrap-anywhere">
            Always allow <bdi className="font-medium">{visibleName(value.value)}</bdi> as{" "}
            <span className="font-mono text-xs">{allowedPathWords(value.path)}</span> in this workflow
          </span>
        </label>
      ))}
      {chosen.size > 0 && (
        <p className="text-xs text-muted">
          {isAll
            ? "Only this exact value, tool and argument. You can revoke it in Settings."
            : "You will still be asked about the other values. You can revoke it in Settings."}
        </p>
      )}
    </div>
  );
}
