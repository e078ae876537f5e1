import { useState } from "react";
import type { JsonObject } from "../../engine/json.ts";
import { Button } from "../../ui/buttons/button.tsx";
import type { FieldControlProps } from "../../ui/fields/field.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { SecretInput } from "./secret-input.tsx";

interface Pair {
  key: number;
  name: string;
  value: string;
}

/** Names with secret values, such as headers. Pairs without a name are left out. */
export function SecretPairs({
  control,
  onChange,
}: {
  control: FieldControlProps;
  onChange: (pairs: JsonObject | undefined) => void;
}) {
  const [pairs, setPairs] = useState<readonly Pair[]>([{ key: 0, name: "", value: "" }]);

  function change(next: readonly Pair[]) {
    setPairs(next);
    const named = next.filter((pair) => pair.name.trim() !== "");
    onChange(named.length === 0 ? undefined : Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])));
  }

  const edit = (key: number, part: Partial<Pair>) =>
    change(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)));

  return (
    <div className="flex flex-col gap-1.5">
      {pairs.map((pair, index) => (
        <div key={pair.key} className="grid grid-cols-[1fr_1.4fr_auto] gap-1.5">
          <Input
            {...(index === 0 ? control : {})}
            aria-label={`Header ${index + 1}: name`}
            placeholder="Authorization"
            value={pair.name}
            onChange={(event) => edit(pair.key, { name: event.target.value })}
          />
          <SecretInput
            aria-label={`Header ${index + 1}: value`}
            value={pair.value}
            onChange={(event) => edit(pair.key, { value: event.target.value })}
          />
          <IconButton
            icon="trash-2"
            label={`Remove header ${index + 1}`}
            onClick={() => change(pairs.filter((other) => other.key !== pair.key))}
          />
        </div>
      ))}
      <Button
        size="sm"
        variant="ghost"
        icon="plus"
        className="self-start"
        onClick={() =>
          change([...pairs, { key: Math.max(-1, ...pairs.map((pair) => pair.key)) + 1, name: "", value: "" }])
        }
      >
        Add a header
      </Button>
    </div>
  );
}
