import { newId } from "../stores/new-id.ts";
import type { Services } from "../stores/services.ts";
import { createAuthService } from "../host/auth-service.ts";
import { createBrowserHost } from "../host/browser-host.ts";
import { createCredentialRepository } from "../host/credential-repository.ts";
import { createMemoryRepository } from "../host/memory-repository.ts";
import { createRunRepository } from "../host/run-repository.ts";
import type { SiteConfig } from "../host/site-config.ts";
import { createSupabaseClient } from "../host/supabase-client.ts";
import { createWorkflowLoader } from "../host/workflow-loader.ts";
import { createWorkflowRepository } from "../host/workflow-repository.ts";
import { browserStorage } from "./browser-storage.ts";

/** Everything from the outside, on one Supabase. */
export function createServices(config: SiteConfig): Services {
  const client = createSupabaseClient(config);
  const workflows = createWorkflowRepository(client);
  return {
    auth: createAuthService(client, browserStorage()),
    workflows,
    runs: createRunRepository(client),
    credentials: createCredentialRepository(client),
    memory: createMemoryRepository(client),
    createHost: ({ approve }) =>
      createBrowserHost({
        database: client.database,
        functionsUrl: `${config.supabaseUrl}/functions/v1`,
        publishableKey: config.supabaseKey,
        accessToken: client.accessToken,
        workflows: createWorkflowLoader(workflows),
        approve,
        newId,
      }),
  };
}
