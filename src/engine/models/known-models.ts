import type { ModelPrice } from "../model/chat-model.ts";
import type { ListedModel, ModelList } from "./listed-model.ts";
import modelsDev from "./models-dev.json" with { type: "json" };
import { comparedOn, newerModels, retirements } from "./newer-models.ts";
import type { ModelLists } from "./price-changes.ts";

/** What may follow a listed name and still mean the same model: a date, a revision, `latest` or `preview`. */
const sameModel = /^$|^[-@](\d{3,}(-\d+)*|latest|preview([-\d]*))$/;

function isSame(name: string, listed: string): boolean {
  return name.startsWith(listed) && sameModel.test(name.slice(listed.length));
}

const listed: ModelLists = modelsDev.lists as unknown as Record<string, ModelList>;

/** The day of what this version knows by itself. */
export const listDate = [modelsDev.asOf, comparedOn].toSorted().at(-1) ?? comparedOn;

let lists = listsWith({});

function listsWith(accepted: ModelLists): ModelLists {
  return Object.fromEntries(
    Object.keys(listed).map((id) => {
      const own: ModelList = { ...listed[id], ...newerModels[id] };
      // Of a model that is known, a price is accepted and the rest stays.
      const later = Object.entries(accepted[id] ?? {}).map(([name, model]): [string, ListedModel] => [
        name,
        Object.hasOwn(own, name) ? { ...withoutPrice(own[name]), ...model } : model,
      ]);
      return [id, withRetirements(id, { ...own, ...Object.fromEntries(later) })];
    }),
  );
}

function withoutPrice({
  input: _input,
  output: _output,
  cached: _cached,
  long: _long,
  ...rest
}: ListedModel = {}): ListedModel {
  return rest;
}

/**
 * From now on this process knows what the operator of the studio accepted on that day (`2026-11-28`), beside what this version knows
 * by itself, and prices by it. An older acceptance than `listDate` counts for nothing: a new version knows more.
 */
export function acceptModels(accepted: ModelLists, acceptedOn: string): void {
  lists = listsWith(acceptedOn < listDate ? {} : accepted);
}

/** All that is known, by list. */
export function knownLists(): ModelLists {
  return lists;
}

function withRetirements(id: string, list: ModelList): ModelList {
  const days = Object.entries(retirements[id] ?? {});
  // Of some that are gone nothing else is known.
  const gone = Object.fromEntries(days.flatMap(([, names]) => names.map((name): [string, ListedModel] => [name, {}])));
  return Object.fromEntries(
    Object.entries({ ...gone, ...list }).map(([name, model]) => {
      const day = days.find(([, names]) => names.some((retired) => isSame(name, retired)))?.[0];
      return [name, day === undefined ? model : { ...model, retires: day }];
    }),
  );
}

/** The models of a list: a vendor's, or a compatible server's; none where the list is not known. */
export function modelList(list: string): ModelList {
  return Object.hasOwn(lists, list) ? (lists[list] ?? {}) : {};
}

/**
 * What is known of a model: of the longest listed name that its name is, or extends by a date or the like. Undefined when there is
 * none: a near name is another model.
 */
export function findModel(list: string, name: string): ListedModel | undefined {
  const models = modelList(list);
  if (Object.hasOwn(models, name)) return models[name];
  let best: string | undefined;
  for (const listed of Object.keys(models))
    if (isSame(name, listed) && (best === undefined || listed.length > best.length)) best = listed;
  return best === undefined ? undefined : models[best];
}

/** The list price of a chat or embedding model; null where it is not known. */
export function listPrice({ input, output, cached, long }: ListedModel): ModelPrice | null {
  if (input === undefined || output === undefined) return null;
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cachedInput: cached }),
    ...(long ? { long: { aboveTokens: long[0], input: long[1], output: long[2], cachedInput: long[3] } } : {}),
  };
}
