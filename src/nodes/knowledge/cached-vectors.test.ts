import { describe, expect, it } from "vitest";
import { queryVectors } from "../../engine/in-memory/query-vectors.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { cachedVectors } from "./cached-vectors.ts";

const embedding = { provider: "openai", model: "text-embedding-3-small", credential: "c" };

describe("vectors of queries", () => {
  it("are kept for the run that asked", () => {
    const host = testHost();
    cachedVectors(host, embedding).keep("lamps", [1, 0]);
    expect(cachedVectors(host, embedding).of("lamps")).toEqual([1, 0]);
    expect(cachedVectors(testHost(), embedding).of("lamps")).toBeUndefined();
  });

  it("are kept for other runs of the account where its host keeps them, by provider, model and credential", () => {
    const kept = queryVectors(10, () => 0);
    const run = () => ({ ...testHost(), queryVectors: kept.of("ann") });
    cachedVectors(run(), embedding).keep("lamps", [1, 0]);
    expect(cachedVectors(run(), embedding).of("lamps")).toEqual([1, 0]);
    for (const other of [{ provider: "gemini" }, { model: "text-embedding-3-large" }, { credential: "d" }])
      expect(cachedVectors(run(), { ...embedding, ...other }).of("lamps")).toBeUndefined();
    expect(cachedVectors({ ...testHost(), queryVectors: kept.of("bob") }, embedding).of("lamps")).toBeUndefined();
  });
});
