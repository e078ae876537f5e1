import { expect, test } from "vitest";
import type { Sender } from "../http/request-sender.ts";
import { createOperatorRoutes } from "./operator-routes.ts";

/** What a sender is answered who wants to end the pause of a restored studio. */
async function resumeAs(sender: Sender, shared: boolean) {
  let isPaused = true;
  const routes = createOperatorRoutes({
    identify: () => Promise.resolve(sender),
    online: null,
    pause: {
      isPaused: () => isPaused,
      resume: async () => void (isPaused = false),
      close: () => undefined,
    },
    access: () => Promise.resolve({ accounts: [], keys: [], links: [], published: [], doors: [], usedInvites: [] }),
    dataDir: "/nowhere",
    shared,
  });
  const { status } = await routes.request("/operator/v1/resume", { method: "POST" });
  const state = await routes.request("/operator/v1/state");
  const backup = await routes.request("/operator/v1/backup/begin", { method: "POST" });
  const access = await routes.request("/operator/v1/access", { method: "POST" });
  return {
    status,
    isPaused,
    state: state.status === 200 ? await state.json() : null,
    backup: backup.status,
    access: access.status,
  };
}

test("a restored studio is resumed by its operator, and in Settings only where no others reach it", async () => {
  const user: Sender = { kind: "user", id: "00000000-0000-4000-8000-000000000001" };
  const backup = null;
  expect(await resumeAs(user, false)).toEqual({
    status: 200,
    isPaused: false,
    state: { paused: false, mayResume: true, backup },
    backup: 401,
    access: 401,
  });
  expect(await resumeAs(user, true)).toEqual({
    status: 401,
    isPaused: true,
    state: { paused: true, mayResume: false, backup },
    backup: 401,
    access: 401,
  });
  expect(await resumeAs({ kind: "service" }, true)).toMatchObject({
    status: 200,
    isPaused: false,
    backup: 409,
    access: 200,
  });
  expect(await resumeAs({ kind: "unknown" }, false)).toEqual({
    status: 401,
    isPaused: true,
    state: null,
    backup: 401,
    access: 401,
  });
});
