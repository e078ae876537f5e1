import { z } from "zod/mini";

/** One value that this browser keeps under a key. */
export interface Stored<Value> {
  /** Null when nothing is kept, the page may not store anything, or what is kept does not fit the schema. */
  read(): Value | null;
  /** False when it could not be kept: storage is switched off or full. */
  write(value: Value): boolean;
  remove(): void;
}

/** A value kept in `localStorage` as JSON; what fits the schema only in part is taken as the schema mends it. */
export function stored<Value>(key: string, schema: z.ZodMiniType<Value>): Stored<Value> {
  const text = storedText(key);
  return {
    ...text,
    read() {
      const kept = text.read();
      if (kept === null) return null;
      try {
        return schema.safeParse(JSON.parse(kept)).data ?? null;
      } catch {
        return null;
      }
    },
    write: (value) => text.write(JSON.stringify(value)),
  };
}

/** A list of which what does not fit is left out, and the rest stays. */
export function listOf<Item>(item: z.ZodMiniType<Item>): z.ZodMiniType<Item[]> {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((items) =>
      items.flatMap((each) => {
        const { success, data } = item.safeParse(each);
        return success ? [data] : [];
      }),
    ),
  );
}

/** A text kept in `localStorage` as it is. */
export function storedText(key: string): Stored<string> {
  return {
    read() {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write(value) {
      try {
        localStorage.setItem(key, value);
        return true;
      } catch {
        return false;
      }
    },
    remove() {
      try {
        localStorage.removeItem(key);
      } catch {
        // Nothing can be kept there either.
      }
    },
  };
}
