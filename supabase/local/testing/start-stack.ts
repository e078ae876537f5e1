import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Stack, startStack } from "../stack.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

export interface TestStack {
  /** Origin of everything, such as http://127.0.0.1:40123. */
  url: string;
  /** The publishable key. */
  key: string;
  /** The secret (service role) key. */
  serviceKey: string;
  /** For signing tokens of one's own. */
  jwtSecret: string;
  dataDir: string;
  /** Straight to Postgres as its superuser, past API and row level security. */
  sql<Row>(query: string, parameters?: unknown[]): Promise<Row[]>;
  /** Stops it; the data directory goes too, unless it was given. */
  stop(): Promise<void>;
}

/**
 * A real embedded stack in this process, on a free port. `functions` adds Deno with the edge functions, `allowHosts` is
 * their STUDIO_ALLOW_HOSTS, `dataDir` reuses a directory, `site` serves a built site.
 */
export async function startTestStack(
  options: { functions?: boolean; allowHosts?: string; dataDir?: string; site?: string } = {},
): Promise<TestStack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "switchyard-")));
  const stack: Stack = await startStack({
    projectRoot,
    dataDir,
    host: "127.0.0.1",
    port: 0,
    site: { directory: options.site ?? join(dataDir, "no-site") },
    functions: options.functions ?? false,
    allowHosts: options.allowHosts ?? "",
    log: (line) => console.log(line),
  });
  return {
    url: stack.url,
    key: stack.keys.publishableKey,
    serviceKey: stack.keys.secretKey,
    jwtSecret: stack.keys.jwtSecret,
    dataDir,
    async sql<Row>(query: string, parameters: unknown[] = []) {
      const { rows } = await stack.connection.driver.query<Row>(query, parameters);
      return rows;
    },
    async stop() {
      await stack.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
