import { createContext, useContext, useState } from "react";

/** The log that a row belongs to; null outside of one. */
export const LogScope = createContext<object | null>(null);

/**
 * A `useState` for what is inside a row of a virtual log: the value outlives the row's leaving and coming back, for as long
 * as the log lives. The hook takes a key that is unique in its log.
 */
export function keptState<Value>(initial: Value): (key: string) => [Value, (next: Value) => void] {
  const kept = new WeakMap<object, Map<string, Value>>();
  return function useKeptState(key) {
    const scope = useContext(LogScope);
    const [value, setValue] = useState(() => (scope && kept.get(scope)?.get(key)) ?? initial);
    const change = (next: Value) => {
      setValue(next);
      if (scope === null) return;
      const values = kept.get(scope) ?? new Map<string, Value>();
      kept.set(scope, values.set(key, next));
    };
    return [value, change];
  };
}
