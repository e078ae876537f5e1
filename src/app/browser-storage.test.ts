import { expect, it } from "vitest";
import { forgetAccountData } from "./browser-storage.ts";

function memoryStorage(entries: Record<string, string>): Storage {
  const map = new Map(Object.entries(entries));
  return {
    get length() {
      return map.size;
    },
    key: (index) => [...map.keys()][index] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  };
}

it("S42 leaves nothing of the account behind, and keeps what is the browser's", () => {
  const storage = memoryStorage({
    "switchyard:theme": "dark",
    "switchyard:guest": "{}",
    "switchyard:panel": "{}",
    "switchyard:removed-runs": "[]",
    "switchyard:draft:w1": "{}",
    "switchyard:draft:w2": "{}",
    "switchyard:chat-session:w1": "abc",
    "other-app": "stays",
  });
  forgetAccountData(storage);
  const left = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  expect(left).toEqual([
    "switchyard:theme",
    "switchyard:guest",
    "switchyard:panel",
    "switchyard:removed-runs",
    "other-app",
  ]);
  expect(() => forgetAccountData(null)).not.toThrow();
});
