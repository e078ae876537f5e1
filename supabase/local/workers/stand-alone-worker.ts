// A worker that brings its own functions. This process holds them and what they alone may know; runs are in a process of its own.
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { signAccountToken } from "../../../worker/account-tokens.ts";
import { type FunctionPlace, type FunctionQuestion, functionsOfWorkers } from "../../../worker/functions-beside.ts";
import { letsNobodyIn } from "../../../worker/postgres-door.ts";
import { readPublicKey, readSigningKey } from "../../../worker/signing-key.ts";
import { missing, readFunctionKeys, readWorkerKeys, type WorkerKeys } from "../../../worker/worker-keys.ts";
import { type FunctionEnvironment, readEnvironment } from "../../functions/_shared/function-environment.ts";
import { describeProxies, ProxyAddressError, proxyVariables } from "../../functions/_shared/outbound-proxy.ts";
import { createPostgresClient } from "../../functions/_shared/postgres-client.ts";
import { SupabaseError } from "../../functions/_shared/supabase-client.ts";
import { type EdgeFunctions, startFunctions } from "../functions/edge-functions.ts";
import { FunctionDown } from "../functions/function-process.ts";
import { errorText, StartError } from "../start-error.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));
const workerFile = new URL("../../../worker/worker-process.mjs", import.meta.url);

/** What the process that runs workflows sees of the environment: nothing of the functions'. */
const passedOn = `PATH HOME TMPDIR SystemRoot TZ LANG NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS
  DATABASE_URL SUPABASE_URL STUDIO_METRICS_TOKEN WORKER_CONCURRENCY WORKER_HEALTH_PORT WORKER_HEALTH_HOST`.split(/\s+/);

const log = (line: string): void => console.log(line);

let child: ChildProcess | undefined;
// From the beginning: as the first process of a container it would not hear them otherwise.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (child) child.kill(signal);
    else process.exit(0);
  });
}

async function start(): Promise<void> {
  const { env } = process;
  if (!env["DATABASE_URL"]) missing("DATABASE_URL");
  const keys = await readWorkerKeys(env);
  const variables = await functionVariables(keys);
  const environment = readEnvironment(variables);
  const proxies = describeProxies(proxyVariables(env));
  if (proxies !== null) log(proxies);
  await checkRole(environment, keys);
  const cache = await mkdtemp(join(tmpdir(), "switchyard-functions-"));
  const functions = startFunctions({
    projectRoot,
    folder: join(projectRoot, "supabase", "functions"),
    cache,
    dataRoot: env["STUDIO_KEYS_FILE"] ? dirname(resolve(env["STUDIO_KEYS_FILE"])) : undefined,
    environment: variables,
    keepWarm: ["llm-proxy"],
    log,
  });
  child = fork(fileURLToPath(workerFile), {
    env: workerVariables(keys),
    execArgv: ["--disable-warning=ExperimentalWarning"],
    // Ctrl-C in the terminal is for this process to pass on.
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  serveCalls(child, functions);
  const end = (code: number) => {
    void functions
      .stop()
      .then(() => rm(cache, { recursive: true, force: true }))
      .finally(() => process.exit(code));
  };
  child.once("exit", (code) => end(code ?? 1));
  child.once("error", (error) => {
    log(`The worker cannot be started: ${errorText(error)}`);
    end(1);
  });
  log("Calls of models, services and databases are made beside this worker.");
}

async function functionVariables({ publishableKey, signingKey }: WorkerKeys): Promise<Record<string, string>> {
  const { env } = process;
  const { secretKey, credentialsKeys, credentialsKeyVersion } = await readFunctionKeys(env);
  // Says what is wrong with a key that cannot sign.
  await readSigningKey(signingKey);
  const publicKey = readPublicKey(signingKey);
  return {
    FUNCTIONS_DATABASE_URL: env["FUNCTIONS_DATABASE_URL"] ?? "",
    SUPABASE_URL: env["SUPABASE_URL"] || missing("SUPABASE_URL"),
    SUPABASE_ANON_KEY: publishableKey,
    SUPABASE_SERVICE_ROLE_KEY: secretKey,
    // They take tokens of this worker's key alone.
    ...(publicKey ? { JWT_PUBLIC_KEYS: JSON.stringify({ keys: [publicKey] }) } : { JWT_SECRET: signingKey }),
    STUDIO_ALLOW_HOSTS: env["STUDIO_ALLOW_HOSTS"] ?? "",
    ...proxyVariables(env),
    CREDENTIALS_KEYS: credentialsKeys,
    CREDENTIALS_KEY_VERSION: credentialsKeyVersion,
  };
}

function workerVariables({ publishableKey, signingKey }: WorkerKeys): Record<string, string> {
  const passed = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const key = readPublicKey(signingKey) ? "SUPABASE_JWT_KEY" : "SUPABASE_JWT_SECRET";
  return {
    ...Object.fromEntries(passed),
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    [key]: signingKey,
    WORKER_FUNCTIONS: "beside",
  };
}

/** Whether the functions' role can do what they need, so that a worker without functions takes no runs. */
async function checkRole(environment: FunctionEnvironment, { signingKey }: WorkerKeys): Promise<void> {
  const { databaseUrl } = environment;
  if (databaseUrl === null) missing("FUNCTIONS_DATABASE_URL");
  const client = createPostgresClient(databaseUrl, environment);
  const nobody = randomUUID();
  try {
    await client.callAsService("studio_due_blobs", { p_limit: 1 }, "reads");
    const token = await signAccountToken(nobody, signingKey);
    await client.selectAsUser(token, "studio_credentials", "id", { id: `eq.${nobody}` });
  } catch (error) {
    const isAway = error instanceof SupabaseError && error.status === 503;
    const isShut = error instanceof SupabaseError && error.code?.startsWith(letsNobodyIn) === true;
    throw new StartError(
      `The database of FUNCTIONS_DATABASE_URL ${isAway ? "cannot be reached" : isShut ? "does not let the functions in" : `refuses the functions (${errorText(error)})`}.`,
      isAway || isShut
        ? "Check its address, user and password."
        : "The role needs: grant authenticated, service_role to <role>. The database has to be of this version.",
      error,
    );
  }
}

/** Tells the worker where its functions answer, and starts those that it calls. */
function serveCalls(child: ChildProcess, functions: EdgeFunctions): void {
  const served = new Set<string>(functionsOfWorkers);
  const open = new Map<number, () => void>();
  const tell = (place: FunctionPlace): void => {
    if (child.connected) child.send(place, () => undefined);
  };
  child.on("message", (question: FunctionQuestion) => {
    const { id } = question;
    if (question.kind === "ended") {
      open.get(id)?.();
      open.delete(id);
      return;
    }
    const call = served.has(question.name) ? functions.find(question.name)?.begin() : undefined;
    if (!call) return tell({ kind: "pause", id, message: "There is no such function here.", retryAfter: 60 });
    open.set(id, call.end);
    call.address.then(
      (address) => tell({ kind: "place", id, ...address }),
      (error: unknown) => {
        const retryAfter = error instanceof FunctionDown ? error.retryAfter : 1;
        tell({ kind: "pause", id, message: errorText(error), retryAfter });
      },
    );
  });
}

try {
  await start();
} catch (error) {
  console.error(errorText(error));
  if (error instanceof StartError || error instanceof ProxyAddressError) console.error(error.hint);
  process.exit(1);
}
