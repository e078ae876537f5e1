import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEnvironment } from "../_shared/function-environment.ts";
import { type LoopbackServer, startLoopbackServer } from "../_shared/testing/loopback-server.ts";
import { localServers } from "../../../src/engine/vendors/local-servers.ts";
import { findLocalServers } from "./find-local-servers.ts";

const variables = { SUPABASE_URL: "http://127.0.0.1:9", SUPABASE_ANON_KEY: "key", SUPABASE_SERVICE_ROLE_KEY: "key" };
const own = readEnvironment({ ...variables, STUDIO_LOCAL: "1" });
const shared = readEnvironment(variables);

describe("model servers of this machine", () => {
  let models: LoopbackServer;
  let studio: LoopbackServer;
  let older: LoopbackServer;
  let other: LoopbackServer;
  beforeAll(async () => {
    models = await startLoopbackServer((request, response) => {
      if (request.url === "/v1/models") return response.end(listing("llama3.1:8b", "words:latest", "nomic-embed-text"));
      const { model } = JSON.parse(models.seen.at(-1)?.body ?? "{}") as { model?: string };
      const capabilities = model === "llama3.1:8b" ? ["completion", "tools"] : ["embedding"];
      return response.end(JSON.stringify({ details: { family: "bert" }, capabilities }));
    });
    studio = await startLoopbackServer((request, response) => {
      if (request.url === "/v1/models") return response.end(listing("text-embedding-chat", "vectors"));
      const data = [
        { id: "text-embedding-chat", object: "model", type: "llm", state: "not-loaded" },
        { id: "vectors", object: "model", type: "embeddings", state: "not-loaded" },
      ];
      return response.end(JSON.stringify({ object: "list", data }));
    });
    older = await startLoopbackServer((request, response) => {
      if (request.url !== "/v1/models") response.statusCode = 404;
      response.end(
        request.url === "/v1/models" ? listing("llama2", "all-minilm", "nomic-embed-text") : "404 page not found",
      );
    });
    other = await startLoopbackServer((_request, response) => response.end("<h1>A web page</h1>"));
  });
  afterAll(() => Promise.all([models, studio, older, other].map((server) => server.stop())));

  const listing = (...ids: string[]) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) });
  const at = (server: LoopbackServer, id: "ollama" | "lm-studio") => ({ id, baseUrl: `http://${server.host}/v1` });

  test("are those that list models; another service at the port is none", async () => {
    const places = [at(models, "ollama"), at(other, "lm-studio")];
    const found = await findLocalServers(own, {}, places);
    const [ollama] = places;
    expect(found).toEqual({
      ok: true,
      value: {
        servers: [
          {
            ...ollama,
            models: ["llama3.1:8b", "words:latest", "nomic-embed-text"],
            embeddingModels: ["nomic-embed-text", "words:latest"],
          },
        ],
      },
    });
    const asked = models.seen.map(({ method, url }) => `${method} ${url}`);
    expect(asked).toEqual(["GET /v1/models", ...Array.from({ length: 3 }, () => "POST /api/show")]);
  });

  test("say themselves which models make vectors; of older ones the names tell", async () => {
    const found = await findLocalServers(own, {}, [at(studio, "lm-studio"), at(older, "ollama")]);
    expect(found).toMatchObject({
      ok: true,
      value: { servers: [{ embeddingModels: ["vectors"] }, { embeddingModels: ["nomic-embed-text", "all-minilm"] }] },
    });
    const old = await findLocalServers(own, {}, [at(older, "lm-studio")]);
    expect(old).toMatchObject({ value: { servers: [{ embeddingModels: ["nomic-embed-text", "all-minilm"] }] } });
  });

  test("are none where nothing listens", async () => {
    const gone = await startLoopbackServer((_request, response) => response.end());
    await gone.stop();
    const found = await findLocalServers(own, {}, [at(gone, "ollama")]);
    expect(found).toEqual({ ok: true, value: { servers: [] } });
  });

  test("S70 are not looked for in a studio that others reach: no connection is opened", async () => {
    const before = models.connections();
    const found = await findLocalServers(shared, {}, [at(models, "ollama")]);
    expect(found).toMatchObject({ ok: false, error: { code: "blocked_address" } });
    expect(models.connections()).toBe(before);
  });

  test("S70 are looked for at the usual two addresses of this machine alone", () => {
    expect(localServers.map(({ baseUrl }) => baseUrl)).toEqual([
      "http://127.0.0.1:11434/v1",
      "http://127.0.0.1:1234/v1",
    ]);
  });
});
