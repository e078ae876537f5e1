import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { classNames } from "../../ui/theme/class-names.ts";

interface ProviderTilesProps {
  providers: readonly ProviderDefinition[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** One of the model providers, all of them in sight. */
export function ProviderTiles({ providers, chosen, onChoose }: ProviderTilesProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Provider</legend>
      <div className="grid grid-cols-2 gap-2">
        {providers.map(({ id, title, icon }) => (
          <label
            key={id}
            className={classNames(
              "flex h-10 min-w-0 cursor-pointer items-center gap-2 rounded-md border px-2.5 font-medium max-sm:gap-1.5 max-sm:px-2",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-select",
              id === chosen ? "border-accent bg-accent-soft" : "border-line-strong hover:bg-hover",
            )}
          >
            <input
              type="radio"
              name="provider"
              value={id}
              checked={id === chosen}
              className="sr-only"
              onChange={() => onChoose(id)}
            />
            <span className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm bg-role-model-soft text-role-model">
              <Icon name={icon} size={14} />
            </span>
            <span className="truncate">{title}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
