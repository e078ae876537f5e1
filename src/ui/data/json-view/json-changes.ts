/** One place where two JSON values differ; a side that has nothing there is absent. */
interface JsonChange {
  /** Such as `to.0.name`; empty for the whole value. */
  path: string;
  before?: unknown;
  after?: unknown;
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function at(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** Where `after` differs from `before`, place by place, in the order of their keys. */
export function jsonChanges(before: unknown, after: unknown, path = ""): JsonChange[] {
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      jsonChanges(at(before, key), at(after, key), path === "" ? key : `${path}.${key}`),
    );
  }
  if (before === after || JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}
