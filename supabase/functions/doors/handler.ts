import type { DoorRoute } from "../_shared/door.ts";
import { a2aRoutes } from "./a2a/a2a-routes.ts";
import { chatRoutes } from "./chat/chat-routes.ts";
import { fileRoutes } from "./files/file-routes.ts";
import { hookRoutes } from "./hooks/hook-routes.ts";
import { knowledgeRoutes } from "./knowledge/knowledge-routes.ts";
import { mcpRoutes } from "./mcp/mcp-routes.ts";
import { openAiRoutes } from "./openai/openai-routes.ts";
import { runRoutes } from "./run/run-routes.ts";
import { shareRoutes } from "./share/share-routes.ts";

/** Everything that is reached without a session of the studio. */
export const doorRoutes: readonly DoorRoute[] = [
  ...runRoutes,
  ...knowledgeRoutes,
  ...openAiRoutes,
  ...hookRoutes,
  ...chatRoutes,
  ...mcpRoutes,
  ...a2aRoutes,
  ...shareRoutes,
  ...fileRoutes,
];
