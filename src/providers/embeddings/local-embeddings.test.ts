import { expect, test } from "vitest";
import { testHost } from "../../engine/testing/test-host.ts";
import { localEmbeddings } from "./local-embeddings.ts";

test("its requests say that they are for a server of this machine", async () => {
  const host = testHost();
  const asked: string[] = [];
  host.fetch = async ({ provider }) => {
    asked.push(provider);
    return Response.json({ data: [{ index: 0, embedding: [1, 0] }] });
  };
  const request = { model: "nomic-embed-text", texts: ["A lamp"], signal: new AbortController().signal };
  const context = { host, credential: "c", nodeId: "n" };
  expect(await localEmbeddings.embeddings.embed(request, context)).toEqual([[1, 0]]);
  expect(asked).toEqual(["local"]);
});
