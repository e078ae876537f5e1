import { expect, test } from "vitest";
import { fileStore } from "../in-memory/file-store.ts";
import { findGivenFiles, type GivenValue } from "./given-files.ts";

async function setUp(files: number) {
  const store = fileStore();
  const kept = await Promise.all(Array.from({ length: files }, (_, n) => store.put(`${n}.txt`, "text/plain", `${n}`)));
  let [asked, open, most] = [0, 0, 0];
  const counting: typeof store = {
    ...store,
    async find(...args) {
      asked += 1;
      most = Math.max(most, (open += 1));
      await undefined;
      open -= 1;
      return store.find(...args);
    },
  };
  const { signal } = new AbortController();
  const find = (given: GivenValue[]) => findGivenFiles(given, { known: new Map(), store: counting, signal });
  return { kept, find, asked: () => asked, most: () => most };
}

test("a file counts and is looked for once, however often it is named, and ten are at a time", async () => {
  const { kept, find, asked, most } = await setUp(100);
  const outputs = Array.from({ length: 20 }, (_, n) => ({ nodeId: `n${n}`, value: { files: kept } }));
  const { found, problems } = await find([...outputs, { nodeId: "last", value: kept, pinnedIn: "Last" }]);
  expect(problems).toEqual([]);
  expect(found.map(({ file }) => file)).toEqual(kept);
  expect([asked(), most()]).toEqual([100, 10]);
});

test("a file that a pinned output and others name in vain is a problem of the node with the pin", async () => {
  const { kept, find } = await setUp(1);
  const forged = kept.map((file) => ({ ...file, sha256: "0".repeat(64) }));
  const given = [
    { nodeId: "before", value: forged },
    { nodeId: "start", value: forged, pinnedIn: "Start" },
    { nodeId: "after", value: kept },
  ];
  const { found, problems } = await find(given);
  expect(problems).toMatchObject([{ nodeId: "start", message: expect.stringContaining('pinned output of "Start"') }]);
  expect(found).toEqual([{ nodeId: "after", file: kept[0] }]);
});
