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
  let other: LoopbackServer;
  beforeAll(async () => {
    models = await startLoopbackServer((_request, response) =>
      response.end(JSON.stringify({ data: [{ id: "llama3.1:8b" }, { id: "nomic-embed-text" }] })),
    );
    other = await startLoopbackServer((_request, response) => response.end("<h1>A web page</h1>"));
  });
  afterAll(() => Promise.all([models.stop(), other.stop()]));

  const at = (server: LoopbackServer, id: "ollama" | "lm-studio") => ({ id, baseUrl: `http://${server.host}/v1` });

  test("are those that list models; another service at the port is none", async () => {
    const places = [at(models, "ollama"), at(other, "lm-studio")];
    const found = await findLocalServers(own, {}, places);
    const [ollama] = places;
    expect(found).toEqual({
      ok: true,
      value: { servers: [{ ...ollama, models: ["llama3.1:8b", "nomic-embed-text"] }] },
    });
    expect(models.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /v1/models"]);
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
