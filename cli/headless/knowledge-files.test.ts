import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { knowledgeStore } from "../../src/engine/in-memory/knowledge-store.ts";
import { noCredentials } from "./credentials-file.ts";
import { readKnowledgeFiles } from "./knowledge-files.ts";
import { createNodeHost } from "./node-host.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "switchyard-knowledge-"));
});

afterAll(() => rm(directory, { recursive: true }));

async function file(name: string, content: unknown): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

const exported = {
  format: "switchyard-knowledge",
  version: 1,
  id: "handbook",
  name: "Handbook",
  documents: [
    {
      name: "rules.md",
      chunks: [
        { heading: "Holidays", content: "Thirty days a year.", metadata: { page: 1 } },
        { heading: "Office › Parking", content: "Free for visitors.", metadata: {} },
      ],
    },
  ],
};

it("lets a run without the studio search an exported collection by keyword", async () => {
  const knowledge = await readKnowledgeFiles([await file("handbook.json", exported)]);
  const workflows = { load: () => Promise.reject(new Error("No workflow is loaded here.")) };
  const host = createNodeHost({
    credentials: noCredentials,
    policy: { allowHosts: [] },
    approve: false,
    workflows,
    knowledge,
  });
  expect(await host.knowledge.collection("handbook")).toMatchObject({ name: "Handbook", embedding: null });
  const query = {
    collection: "handbook",
    text: "parking for visitors",
    mode: "hybrid" as const,
    limit: 3,
    minScore: 0.7,
  };
  expect(await host.knowledge.search(query)).toMatchObject([
    {
      content: "Free for visitors.",
      score: 1,
      metadata: { document: "rules.md", heading: "Office › Parking", position: 1 },
    },
  ]);
  await expect(host.knowledge.search({ ...query, collection: "other" })).rejects.toMatchObject({
    data: { code: "invalid_config" },
  });
  await expect(host.knowledge.search({ ...query, mode: "semantic" })).rejects.toMatchObject({
    data: { message: "A semantic search needs an embedding of the question." },
  });
});

it("gives the parent of a chunk, where the collection had parents", async () => {
  const chunk = (content: string, lead: string) => ({ heading: "", content, metadata: {}, parent: { first: 0, lead } });
  const documents = [{ name: "rules.md", chunks: [chunk("Thirty days a year.", ""), chunk("Free parking.", " ")] }];
  const [collection] = await readKnowledgeFiles([await file("parents.json", { ...exported, documents })]);
  const store = knowledgeStore(collection ? [collection] : []);
  const hits = await store.search({ collection: "handbook", text: "parking", mode: "keyword", limit: 3 });
  expect(hits.map(({ parentText }) => parentText)).toEqual(["Thirty days a year. Free parking."]);
});

it("refuses what is no exported collection", async () => {
  const other = await file("other.json", { format: "something else" });
  await expect(readKnowledgeFiles([other])).rejects.toThrow("is not an exported collection");
  await expect(readKnowledgeFiles([join(directory, "missing.json")])).rejects.toThrow("cannot be read");
});
