import { z } from "zod/mini";
import type { DoorKind } from "../engine/trust/run-sources.ts";
import { chatDoorConfig } from "./chat-door.ts";
import { hookDoorConfig } from "./hook-door.ts";
import { mcpDoorConfig } from "./mcp-door.ts";

/** The settings of a publication's door for programs: the API, `/v1` and A2A. */
export const apiDoorConfig = z.object({
  /** Whether what callers send counts as the owner's words. */
  callersTrusted: z._default(z.boolean(), false),
  /** Whether other agents reach it by A2A, as long as the door is open. */
  agents: z._default(z.boolean(), true),
});

/** The settings of each kind of door. All of them have `callersTrusted`, which the database reads. */
export const doorConfigs = {
  api: apiDoorConfig,
  hook: hookDoorConfig,
  chat: chatDoorConfig,
  mcp: mcpDoorConfig,
} satisfies Record<DoorKind, z.ZodMiniType<{ callersTrusted: boolean }>>;
