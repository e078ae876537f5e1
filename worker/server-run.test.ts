import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { RunEvent } from "../src/engine/run/events.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import type { RunQueue } from "./run-queue.ts";
import { ServerRun } from "./server-run.ts";

it("S97 makes a call that the log says has begun, also where the worker is told to stop while that is stored", async () => {
  const told: string[] = [];
  const server = createServer((request, response) => {
    told.push(`called ${request.url?.split("/").at(-1)}`);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ success: true, statusCode: 200, headers: {}, body: "ok" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const document = buildWorkflow({
    nodes: { start: ["manual-trigger"], post: ["http-request", { method: "POST", url: "https://api.example.com/x" }] },
    edges: ["start.main -> post.main"],
  });
  const stop: { now?: () => void } = {};
  const queue: Partial<RunQueue> = {
    takePrices: async () => undefined,
    async append(_run, events) {
      const stored = JSON.parse(events) as RunEvent[];
      if (stored.some(({ type }) => type === "write-start")) {
        told.push("stored write-start");
        stop.now?.();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { state: "ok" };
    },
    async release() {
      told.push("gave back");
      return "queued";
    },
    async finish() {
      told.push("finished");
      return "ok";
    },
  };
  const run = new ServerRun(
    {
      id: "00000000-0000-4000-8000-0000000000aa",
      owner: "00000000-0000-4000-8000-0000000000bb",
      workflowId: document.id,
      source: "manual",
      callers: null,
      attempt: 1,
      input: {},
      forkedFrom: undefined,
      cancelled: false,
      limits: {},
      document: JSON.parse(JSON.stringify(document)) as unknown,
      workflows: {},
      files: [],
    },
    {
      queue: queue as RunQueue,
      access: {
        url: `http://127.0.0.1:${port}`,
        publishableKey: "test-key-publishable",
        accessToken: async () => "test-key-token",
      },
      worker: "test",
      claimedAt: Date.now(),
      log: (line) => told.push(line),
      onEvent: () => undefined,
      onNews: () => undefined,
    },
  );
  stop.now = () => void run.release(60_000);
  await run.done;
  server.close();
  expect(told.slice(0, 2)).toEqual(["stored write-start", "called execute-http"]);
});
