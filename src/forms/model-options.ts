import { findModel } from "../engine/models/known-models.ts";
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

/** Names of models that do not talk. */
const notForChat = /embed|bge-|minilm|e5-|rerank|whisper|tts/i;

/** The model to begin with: a suggested one that the vendor lists, or else its first that talks. Empty when it lists none. */
export function preferredModel(suggested: readonly string[], live: readonly ModelListing[]): string {
  const fitting = live.filter(({ id, retired }) => !retired && !notForChat.test(id)).map(({ id }) => id);
  return suggested.find((id) => fitting.includes(id)) ?? fitting[0] ?? live[0]?.id ?? "";
}

/**
 * What its user should know of the chosen model: what the vendor's list says, and when it is retired by the list of known models
 * (`catalog`). Undefined when all is well.
 */
export function modelWarning(
  model: string,
  live: readonly ModelListing[] | undefined,
  catalog: string,
): string | undefined {
  const { retires, deprecated } = findModel(catalog, model) ?? {};
  if (retires !== undefined) return retirement(model, retires);
  if (deprecated) return `${model} is deprecated by its vendor or no longer answers. Choose a newer model.`;
  if (live === undefined || live.length === 0 || model === "") return undefined;
  const found = live.find(({ id }) => id === model);
  if (found === undefined) return "Not in the provider's list. It is sent as written.";
  return found.retired ? "The provider marks this model as retired or retiring. Choose another one." : undefined;
}

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

function retirement(model: string, retires: string): string {
  const at = Date.parse(retires);
  return at > Date.now()
    ? `${model} will be retired on ${day.format(at)}. Choose a newer model before then.`
    : `${model} was retired on ${day.format(at)}. Choose a newer model.`;
}
