import { expect, it, onTestFinished } from "vitest";
import { startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { RunLife } from "./run-life.ts";
import { createServerHost } from "./server-host.ts";

it("S80 makes no call whose lease ended while its token was waited for", async () => {
  const server = await startLoopbackServer((_request, response) => response.end('{"ok":true}'));
  onTestFinished(() => server.stop());
  let now = 0;
  const life: RunLife = new RunLife({ heldUntil: 1_000, now: () => now, renew: async () => life.end() });
  const unused = (): never => {
    throw new Error("Not a part of this test.");
  };
  const host = createServerHost({
    access: {
      url: `http://${server.host}`,
      publishableKey: "test-key-publishable",
      accessToken: async () => {
        if (server.seen.length > 0) now = 20_000;
        return "test-key-token";
      },
    },
    owner: "owner",
    life,
    workflows: { load: unused },
    approve: unused,
    checkpoint: unused,
  });
  const call = () => host.callFunction("execute-http", {}, { signal: new AbortController().signal });
  expect(await call()).toEqual({ ok: true, body: { ok: true } });
  void call();
  await expect.poll(() => life.isOver).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.seen).toHaveLength(1);
});
