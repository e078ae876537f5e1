import { expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import type { DoorKind } from "../../engine/trust/run-sources.ts";
import { changeDoor, type DoorChange } from "./change-door.ts";

async function changed(
  kind: DoorKind,
  stored: { enabled: boolean; config: JsonObject } | undefined,
  changes: DoorChange[],
) {
  let door = stored;
  const doors = {
    find: async () => door && { ...door, kind, secrets: [] },
    save: async (_workflow: string, _kind: DoorKind, { enabled, config }: { enabled: boolean; config: JsonObject }) => {
      door = { enabled, config };
    },
  };
  for (const change of changes) await changeDoor(doors, "w", kind, change);
  return door;
}

it("a switch changes its own setting and keeps what other pages have stored since", async () => {
  const agentsOff = { enabled: true, config: { callersTrusted: false, agents: false, newer: 1 } };
  expect(await changed("api", agentsOff, [{ config: { callersTrusted: true } }, { enabled: false }])).toEqual({
    enabled: false,
    config: { callersTrusted: true, agents: false, newer: 1 },
  });
});

it("a door that was never stored starts with what is usual, and one that cannot be read as well", async () => {
  expect(await changed("api", undefined, [{ config: { agents: false } }])).toEqual({
    enabled: true,
    config: { callersTrusted: false, agents: false },
  });
  expect(await changed("mcp", undefined, [{ config: {} }])).toMatchObject({ enabled: false });
  const broken = { enabled: true, config: { callersTrusted: "perhaps" } };
  expect(await changed("mcp", broken, [{ enabled: true }])).toMatchObject({ config: { callersTrusted: false } });
});
