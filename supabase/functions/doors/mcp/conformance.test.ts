import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { documented, runSuite, unlike } from "../../_shared/testing/conformance/run-suite.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let key: string;

/** Adds the API key, which the suite does not know of. Its own name becomes the studio's; any other stays. */
const gate = createServer((request, response) => {
  const { port } = gate.address() as AddressInfo;
  const { hostname, port: studioPort, host: studioHost } = new URL(world.stack.url);
  const isOwn = [`localhost:${port}`, `127.0.0.1:${port}`].includes(request.headers.host ?? "");
  const headers = { ...request.headers, authorization: `Bearer ${key}`, ...(isOwn && { host: studioHost }) };
  const inner = httpRequest({ hostname, port: studioPort, path: request.url, method: request.method, headers });
  inner.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  inner.on("error", () => response.destroy());
  response.on("close", () => inner.destroy());
  request.pipe(inner);
});

beforeAll(async () => {
  world = await startWorkerWorld();
  const id = await world.publish(world.stepAgent({ name: "steps" }));
  const door = { p_workflow_id: id, p_kind: "mcp", p_enabled: true, p_config: {}, p_secrets: null };
  const { error } = await world.user.client.rpc("studio_save_door", door);
  if (error) throw new Error(error.message);
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const { port } = gate.address() as AddressInfo;
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  key = (await makeApiKey(world.user, ["run:*"], { origins })).key;
});
afterAll(async () => {
  gate.closeAllConnections();
  gate.close();
  await world.stop();
});

test.each(["2025-11-25", "2026-07-28"])(
  "the server passes the scenarios of the protocol's version %s as docs/mcp.md says",
  async (version) => {
    const { port } = gate.address() as AddressInfo;
    const listed = await documented("server", version);
    expect(Object.keys(listed).length).toBeGreaterThan(2);
    const outcome: Record<string, string> = {};
    for (const scenario of Object.keys(listed)) {
      const args = ["--url", `http://localhost:${port}/mcp`, "--scenario", scenario, "--spec-version", version];
      Object.assign(outcome, await runSuite("server", args));
    }
    expect(unlike(listed, outcome)).toEqual([]);
  },
);
