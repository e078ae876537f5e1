import type { ModelListing, ProviderDefinition } from "../engine/model/provider.ts";
import type { ComboboxOption } from "./combobox.tsx";

/** What the model field offers: the vendor's list, suggested ones first and retired ones last; else the suggestions. */
export function modelOptions(
  provider: Pick<ProviderDefinition, "suggestedModels"> | undefined,
  live: readonly ModelListing[] | undefined,
): ComboboxOption[] {
  const suggested = provider?.suggestedModels ?? [];
  if (live === undefined) return suggested.map((value) => ({ value }));
  const rank = ({ id, retired }: ModelListing) => (retired ? 2 : suggested.includes(id) ? 0 : 1);
  return live
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ id, title, retired }) => ({
      value: id,
      detail:
        [title === id ? undefined : title, retired ? "retired or retiring" : undefined].filter(Boolean).join(" · ") ||
        undefined,
    }));
}

/** What the vendor's list says of the chosen model that its user should know; undefined when all is well. */
export function modelWarning(model: string, live: readonly ModelListing[] | undefined): string | undefined {
  if (live === undefined || live.length === 0 || model === "") return undefined;
  const found = live.find(({ id }) => id === model);
  if (found === undefined) return "Not in the provider's list. It is sent as written.";
  return found.retired ? "The provider marks this model as retired or retiring. Choose another one." : undefined;
}
