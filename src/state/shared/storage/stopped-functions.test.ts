import { createServer, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { createStoppedFunctions } from "./stopped-functions.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** A backend of which one function is in the state that `state` says. */
async function backend(state: () => string): Promise<string> {
  server = createServer((request, response) => {
    const isStatus = request.url === "/.well-known/switchyard";
    if (!isStatus) response.writeHead(503, { "x-switchyard-error": "1" });
    response.end(JSON.stringify(isStatus ? { functions: [{ name: "sql-tool", state: state() }] } : {}));
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

it("names a function that has stopped until it can be called again", async () => {
  let state = "waiting";
  const url = await backend(() => state);
  const stopped = createStoppedFunctions(`${url}/.well-known/switchyard`, () => new Promise(setImmediate));
  const seen: string[] = [];
  stopped.subscribe(() => seen.push(stopped.names().join()));
  await stopped.noticing(fetch)(`${url}/functions/v1/sql-tool`, { method: "POST" });
  await expect.poll(() => seen).toEqual(["sql-tool"]);
  state = "idle";
  await expect.poll(() => seen).toEqual(["sql-tool", ""]);
});

it("says nothing of a function that runs and has only too much to do", async () => {
  const url = await backend(() => "running");
  const stopped = createStoppedFunctions(`${url}/.well-known/switchyard`);
  await stopped.noticing(fetch)(`${url}/functions/v1/sql-tool`, { method: "POST" });
  await fetch(`${url}/.well-known/switchyard`);
  expect(stopped.names()).toEqual([]);
});
