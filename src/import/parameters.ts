import { isJsonObject, type Json, type JsonObject } from "../engine/json.ts";

/** A value in a node's parameters that is neither a list nor an object. */
export interface Leaf {
  /** Its keys, outermost first; places in lists count from 0. */
  keys: readonly string[];
  value: string | number | boolean;
  /** The list or object it stands in. */
  parent: JsonObject | Json[];
}

/** Why nothing stands for a parameter, in the words of the report, and whether that makes no difference. */
export interface Reason {
  why: string;
  isWithoutEffect: boolean;
}

/** Keys as people write them: `rules.values[0].name`. */
export function pathOf(keys: readonly string[]): string {
  return keys.reduce((path, key) => {
    if (/^\d+$/.test(key)) return `${path}[${key}]`;
    return path === "" ? key : `${path}.${key}`;
  }, "");
}

/** What stands under a key of an object or at a place of a list. */
function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A value and where it stands. */
interface Located {
  value: Json | undefined;
  keys: readonly string[];
}

/**
 * The parameters of a node of another builder, which remember what was read of them. What nobody read is left over, so that
 * a reader cannot lose a parameter by forgetting it.
 */
export class Parameters {
  /** The parameters as they are, to be kept as a whole; reading them leaves no trace. */
  readonly raw: JsonObject;
  /** The same values. Each leaf that is taken out of it counts as read. */
  readonly read: JsonObject;
  private readonly seen = new Set<string>();
  private readonly told: { at: string; reason: Reason }[] = [];

  constructor(raw: JsonObject) {
    this.raw = raw;
    this.read = this.watched(raw, []);
  }

  /** The value below some keys, without a trace. */
  find(keys: readonly string[]): Located {
    let value: Json | undefined = this.raw;
    for (const key of keys) value = memberOf(value, key);
    return { value, keys };
  }

  /** The value below some keys; each leaf that is taken out of it counts as read, and so does a leaf itself. */
  take(keys: readonly string[]): Json | undefined {
    if (this.find(keys).value === undefined) return undefined;
    return keys.reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), this.read);
  }

  /** Counts what stands below some keys as read. */
  mark(keys: readonly string[]): void {
    const { value } = this.find(keys);
    if (value === undefined) return;
    for (const leaf of leavesOf(value, keys)) this.seen.add(idOf(leaf.keys));
  }

  /** Why nothing stands for what is below some keys. */
  tell(keys: readonly string[], reason: Reason): void {
    this.told.push({ at: idOf(keys), reason });
  }

  wasRead(leaf: Leaf): boolean {
    return this.seen.has(idOf(leaf.keys));
  }

  /** Why nothing stands for a leaf, as far as its reader knows. */
  reasonOf(leaf: Leaf): Reason | undefined {
    const id = idOf(leaf.keys);
    return this.told.find(({ at }) => id === at || id.startsWith(at + between))?.reason;
  }

  /** All that the parameters say; what is empty says nothing. */
  leaves(): Leaf[] {
    return [...leavesOf(this.raw, [])];
  }

  private watched<Value extends JsonObject | Json[]>(target: Value, keys: readonly string[]): Value {
    const watched = new Proxy(target, {
      get: (of, key, receiver) => {
        const value: unknown = Reflect.get(of, key, receiver);
        if (typeof key === "symbol" || !Object.hasOwn(of, key)) return value;
        const at = [...keys, key];
        if (typeof value === "object" && value !== null) return this.watched(value as JsonObject | Json[], at);
        this.seen.add(idOf(at));
        return value;
      },
    });
    behind.set(watched, target);
    return watched;
  }
}

/** What stands behind watched values. */
const behind = new WeakMap<object, JsonObject | Json[]>();

/** A value as it is, to look something up in the whole of it without a trace. */
export function untraced<Value extends Json>(value: Value): Value {
  const known = typeof value === "object" && value !== null ? behind.get(value) : undefined;
  return (known ?? value) as Value;
}

/**
 * One of the choices that are known, from a row or an object of the parameters; `usual` where it has none of them. Another
 * value stays unread, so that the report tells it.
 */
export function choiceIn<const Choice extends string>(
  object: JsonObject,
  key: string,
  known: readonly Choice[],
  usual: NoInfer<Choice>,
): Choice {
  const plain = untraced(object)[key];
  if (typeof plain !== "string" && plain !== undefined) return usual;
  const chosen = known.find((one) => one === plain?.replace(/^=/, ""));
  return chosen !== undefined && object[key] === plain ? chosen : usual;
}

const between = "\u0000";
const idOf = (keys: readonly string[]) => keys.join(between);

function* leavesOf(value: Json, keys: readonly string[], parent: JsonObject | Json[] = []): Generator<Leaf> {
  if (value === null || value === "") return;
  if (typeof value !== "object") {
    yield { keys, value, parent };
    return;
  }
  for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, [...keys, key], value);
}
