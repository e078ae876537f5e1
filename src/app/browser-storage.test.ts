import { expect, it } from "vitest";
import { claimBrowser, forgetAccountData } from "./browser-storage.ts";

const keysOf = (storage: Storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index));

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
    "switchyard:signed-out": "ada",
    "switchyard:draft:w1": "{}",
    "switchyard:draft:w2": "{}",
    "switchyard:chat-session:w1": "abc",
    "other-app": "stays",
  });
  forgetAccountData(storage);
  expect(keysOf(storage)).toEqual([
    "switchyard:theme",
    "switchyard:guest",
    "switchyard:panel",
    "switchyard:removed-runs",
    "switchyard:signed-out",
    "other-app",
  ]);
  expect(() => forgetAccountData(null)).not.toThrow();
});

it("S42 keeps what an account whose session ended left behind for that account alone", () => {
  const storage = memoryStorage({});
  claimBrowser(storage, "ada");
  storage.setItem("switchyard:draft:w1", "{}");
  claimBrowser(storage, "ada");
  expect(keysOf(storage)).toContain("switchyard:draft:w1");
  claimBrowser(storage, "grace");
  expect(keysOf(storage)).toEqual(["switchyard:owner"]);
  expect(storage.getItem("switchyard:owner")).toBe("grace");
  expect(() => claimBrowser(null, "ada")).not.toThrow();
});
