import { expect, it } from "vitest";
import { doWork } from "../../documents/do-work.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import type { Services } from "../../services/services.ts";
import { readWorkspaceFile } from "./read-workspace-file.ts";

/** Services in which each file has this content. */
const servicesWith = (content: string): Pick<Services, "files" | "createHost"> => ({
  files: {
    open: () => Promise.resolve(new Blob([content])),
    add: () => Promise.reject(new Error("Nothing is added.")),
    store: () => Promise.reject(new Error("Nothing is stored.")),
  },
  createHost: () => testHost({ documents: (work) => doWork(work) }),
});

const read = (content: string, path: string, mediaType: string) =>
  readWorkspaceFile(servicesWith(content), { workflowId: "w", id: "f", path, mediaType }, new AbortController().signal);

it("reads the rows of a table, and the text of anything else", async () => {
  const table = await read("city,n\nOslo,1\n", "a.csv", "text/csv");
  expect(table.rows).toEqual([{ city: "Oslo", n: "1" }]);
  expect(table.text).toBe("city,n\nOslo,1\n");
  expect(await read("Hello", "a.md", "text/markdown")).toMatchObject({ text: "Hello" });
  expect(await read('a,"b', "broken.csv", "text/csv")).toMatchObject({ text: 'a,"b' });
});

it("only offers a large file for download", async () => {
  const large = await read("x".repeat(2_000_001), "a.txt", "text/plain");
  expect(large.text).toBeUndefined();
  expect(large.blob.size).toBe(2_000_001);
});
