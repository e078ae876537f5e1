/** The own member of a record under a key that a file gives: names of prototypes, such as `constructor`, are none. */
export function lookup<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
