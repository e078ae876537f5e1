import type { ListedModel, ModelList } from "./listed-model.ts";

/** Models by name, by list. */
export type ModelLists = Readonly<Record<string, ModelList>>;

/** What another copy of the lists says of a model. `refused`: a price that it had would fall to 0. */
export interface PriceChange {
  kind: "new" | "changed" | "gone" | "refused";
  list: string;
  name: string;
  /** Absent for a new one. */
  before?: ListedModel;
  /** Absent for one that is gone. */
  after?: ListedModel;
}

/**
 * What changes for people: models that come and go, and prices. Where the copy knows no price of a model that has one, nothing
 * changes. A price that falls to 0 is more often a mistake than a gift, and a spending limit would not count the model.
 */
export function priceChanges(before: ModelLists, after: ModelLists): PriceChange[] {
  return Object.keys({ ...before, ...after }).flatMap((list) => {
    const old = before[list] ?? {};
    const now = after[list] ?? {};
    return Object.keys({ ...old, ...now }).flatMap((name): PriceChange[] => {
      const one = Object.hasOwn(old, name) ? old[name] : undefined;
      const other = Object.hasOwn(now, name) ? now[name] : undefined;
      if (other === undefined) return one ? [{ kind: "gone", list, name, before: one }] : [];
      if (one === undefined) return [{ kind: "new", list, name, after: other }];
      if (other.input === undefined || priceText(one) === priceText(other)) return [];
      return [{ kind: fallsToZero(one, other) ? "refused" : "changed", list, name, before: one, after: other }];
    });
  });
}

/** What is kept of changes that a person accepts: new models whole, of the others the price alone; none that are gone or refused. */
export function acceptedModels(changes: readonly PriceChange[]): ModelLists {
  const lists: Record<string, Record<string, ListedModel>> = {};
  for (const { kind, list, name, before, after } of changes) {
    if (after === undefined || kind === "refused") continue;
    const { input, output, cached, long } = after;
    const price: ListedModel = {
      ...(input === undefined || output === undefined ? {} : { input, output }),
      ...(cached === undefined ? {} : { cached }),
      ...(long === undefined ? {} : { long }),
    };
    (lists[list] ??= {})[name] = before ? price : after;
  }
  return lists;
}

/** A model's prices per million tokens, as people read them. */
export function priceText(model: ListedModel | undefined): string {
  if (model?.input === undefined) return "no price";
  const { input, output, cached, long } = model;
  const parts = [`$${input} in`, `$${output} out`, ...(cached === undefined ? [] : [`$${cached} cached`])];
  if (long) parts.push(`above ${long[0].toLocaleString("en")} tokens $${long[1]} in, $${long[2]} out`);
  return parts.join(", ");
}

/** A line for each change. */
export function changeLine({ kind, list, name, before, after }: PriceChange): string {
  const where = `${list} ${name}`;
  switch (kind) {
    case "gone":
      return `− ${where}`;
    case "new":
      return `+ ${where}: ${priceText(after)}`;
    case "changed":
      return `~ ${where}: ${priceText(before)} → ${priceText(after)}`;
    case "refused":
      return `! ${where}: ${priceText(before)} → ${priceText(after)} (refused: a price falls to 0)`;
    default:
      return kind satisfies never;
  }
}

function fallsToZero(before: ListedModel, after: ListedModel): boolean {
  const fell = (one: number | undefined, other: number | undefined) => (one ?? 0) > 0 && other === 0;
  return (
    fell(before.input, after.input) ||
    fell(before.output, after.output) ||
    (after.long !== undefined && (fell(before.input, after.long[1]) || fell(before.output, after.long[2])))
  );
}
