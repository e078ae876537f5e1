import { expect, test } from "vitest";
import { fewestParts, type SharedRun } from "../../../engine/run/share/shared-run.ts";
import { createSharedRuns } from "./shared-runs.ts";

test("a long title is cut between characters", async () => {
  let sent: unknown;
  const rpc = (_name: string, { p_title }: { p_title: string }) => {
    sent = p_title;
    return Promise.resolve({ data: { id: "a", slug: "b", expiresAt: "c" }, error: null });
  };
  const title = `${"x".repeat(199)}😀`;
  const shared: SharedRun = { version: 1, title, parts: fewestParts, types: {}, nodes: [], edges: [], events: [] };
  await createSharedRuns({ database: { rpc } as never }).share("run", shared);
  expect(sent).toBe("x".repeat(199));
});
