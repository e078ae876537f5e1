import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DatabaseTransaction } from "../database/database-client.ts";
import { type Stack, type StackOptions, startStack } from "../stack.ts";
import { fillFromTemplate } from "./template-data.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

export interface TestStack {
  /** Origin of everything, such as http://127.0.0.1:40123. */
  url: string;
  /** The same without TLS, for this machine. */
  innerUrl: string;
  /** The publishable key. */
  key: string;
  /** The secret (service role) key. */
  serviceKey: string;
  /** For signing tokens of one's own. */
  jwtSecret: string;
  dataDir: string;
  /** Straight to Postgres as its superuser, past API and row level security. */
  sql<Row>(query: string, parameters?: unknown[]): Promise<Row[]>;
  /** Statements in one transaction, which is undone at its end. */
  undone<Result>(task: (transaction: DatabaseTransaction) => Promise<Result>): Promise<Result>;
  database: Stack["database"];
  workers: Stack["workers"];
  /** Stops it; the data directory goes too, unless it was given. */
  stop(): Promise<void>;
}

const isEmpty = (directory: string): boolean => !existsSync(directory) || readdirSync(directory).length === 0;

/**
 * A real embedded stack in this process, on a free port. `functions` adds Deno with the edge functions, `allowHosts` is
 * their STUDIO_ALLOW_HOSTS, `dataDir` reuses a directory, `databaseUrl` takes a server's database in the place
 * of the embedded one, `site` serves a built site; the rest is as in StackOptions.
 */
export async function startTestStack(
  options: {
    functions?: boolean;
    allowHosts?: string;
    dataDir?: string;
    site?: string;
    log?: StackOptions["log"];
  } & Pick<
    StackOptions,
    | "databaseUrl"
    | "shared"
    | "trustProxy"
    | "tls"
    | "signUp"
    | "mail"
    | "quotas"
    | "statementDeadlineMs"
    | "healthCheckMs"
    | "workers"
    | "environment"
  > = {},
): Promise<TestStack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "switchyard-")));
  const common: Omit<StackOptions, "dataDir" | "functions"> = {
    projectRoot,
    databaseUrl: options.databaseUrl,
    host: "127.0.0.1",
    port: 0,
    shared: options.shared,
    trustProxy: options.trustProxy,
    tls: options.tls,
    signUp: options.signUp,
    mail: options.mail,
    quotas: options.quotas,
    workers: options.workers,
    site: { directory: options.site ?? join(dataDir, "no-site") },
    allowHosts: options.allowHosts ?? "",
    environment: options.environment,
    log: options.log ?? ((line) => console.log(line)),
    statementDeadlineMs: options.statementDeadlineMs,
    healthCheckMs: options.healthCheckMs,
  };
  if (options.databaseUrl === undefined && isEmpty(dataDir)) {
    await fillFromTemplate(dataDir, async (draft) => {
      await (await startStack({ ...common, dataDir: draft, functions: false, workers: 0 })).stop();
    });
  }
  const stack: Stack = await startStack({ ...common, dataDir, functions: options.functions ?? false });
  const client = stack.database.connect();
  return {
    url: stack.url,
    innerUrl: stack.innerUrl,
    key: stack.keys.publishableKey,
    serviceKey: stack.keys.secretKey,
    jwtSecret: stack.keys.jwtSecret,
    dataDir,
    database: stack.database,
    workers: stack.workers,
    async sql<Row>(query: string, parameters: unknown[] = []) {
      const { rows } = await client.query<Row>(query, parameters);
      return rows;
    },
    async undone<Result>(task: (transaction: DatabaseTransaction) => Promise<Result>) {
      const done: { result: Result }[] = [];
      const undo = new Error("Undone, as it is meant to be.");
      await client
        .transaction(async (transaction) => {
          done.push({ result: await task(transaction) });
          throw undo;
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error;
        });
      const [first] = done;
      if (!first) throw new Error("The transaction ended before its task.");
      return first.result;
    },
    async stop() {
      await stack.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
