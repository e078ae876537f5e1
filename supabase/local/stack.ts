import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { loadCertificate } from "./http/certificate.ts";
import { type DataDirectory, prepareDataDirectory } from "./database/data-directory.ts";
import { prepareDatabaseFiles } from "./database/database-files.ts";
import { startAccountDeletions } from "./auth/account-deletions.ts";
import { createApiForwarder } from "./rest/api-forwarder.ts";
import { createChatHeaders, isForStrangers } from "./http/chat-site.ts";
import { createDatabaseService, type DatabaseService } from "./database/database-service.ts";
import { superviseDatabase } from "./database/database-supervisor.ts";
import type { ReachedServer } from "./database/postgres/open-server.ts";
import { readServerAddress } from "./database/postgres/server-address.ts";
import { refuseNewKeys, refuseOtherKeys } from "./database/postgres/used-keys.ts";
import { createDevelopmentSite } from "./http/development-site.ts";
import { type EdgeFunctions, startFunctions } from "./functions/edge-functions.ts";
import { checkFreeSpace, spaceWanted } from "./database/free-space.ts";
import { createAccessChanges } from "./auth/access-changes.ts";
import { createClientAddress, parseProxies, watchForProxies } from "./http/client-address.ts";
import { connectionLimits, ownConnectionLimits } from "./http/connection-limits.ts";
import { createDoorGate } from "./http/door-gate.ts";
import {
  describeProxies,
  ProxyAddressError,
  type ProxyVariables,
  proxyVariables,
} from "../functions/_shared/outbound-proxy.ts";
import { createFunctionsProxy } from "./functions/functions-proxy.ts";
import { type HttpServer, listen } from "./http/http-server.ts";
import { acquireInstanceLock } from "./database/instance-lock.ts";
import { type InstanceKeys, loadKeys } from "./database/keys.ts";
import { endLeftoverProcess, noteProcess } from "./database/leftover-process.ts";
import { createLiveAnswers } from "./http/live-answers.ts";
import { createOpenDoors } from "./http/open-doors.ts";
import { createOriginGuard, type OriginGuard } from "./http/origin-guard.ts";
import { createIdentifySender } from "./http/request-sender.ts";
import { withScanFiles } from "./http/scan-files.ts";
import { createProbeRoutes } from "./http/probe-routes.ts";
import { createRoutes, wakingPaths } from "./http/routes.ts";
import { createMailer, type MailSettings } from "./auth/mailer.ts";
import { createServiceLane } from "./http/service-lane.ts";
import { endingPaths, guardSessions } from "./auth/session-guard.ts";
import type { SignUpMode } from "./auth/sign-up.ts";
import { openPrices, setQuotas, type Quotas } from "./rest/quotas.ts";
import { createAccounts } from "./auth/accounts.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { studioMark } from "./backup/backup-manifest.ts";
import { backUpByCommand, startDailyBackups } from "./backup/daily-backups.ts";
import { createOnlineBackup } from "./backup/online-backup.ts";
import { keepLogShort } from "./database/short-log.ts";
import { readAccess } from "./backup/alive-again.ts";
import { createOperatorRoutes } from "./backup/operator-routes.ts";
import { createStorageApi } from "./storage/storage-api.ts";
import { createStoredObjects } from "./storage/stored-objects.ts";
import { sweepObjects } from "./storage/sweep-objects.ts";
import { watchPause } from "./backup/studio-pause.ts";
import type { SiteHandler } from "./http/site-handler.ts";
import { createServiceCalls } from "./functions/service-calls.ts";
import { createSite } from "./http/site.ts";
import { createSiteFiles, type SiteFiles } from "./http/site-files.ts";
import { createSiteLane } from "./http/site-lane.ts";
import { errorText, StartError, systemErrorCode } from "./start-error.ts";
import { createTokenReader } from "./auth/token-reader.ts";
import { scanFolder } from "../../worker/scan-folder.ts";
import { startWorkers, type Workers } from "./workers/workers.ts";

export interface StackOptions {
  projectRoot: string;
  dataDir: string;
  /** Address of a database on a PostgreSQL server, in the place of the embedded one. */
  databaseUrl?: string | undefined;
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Addresses of proxies in front whose word on where visitors come from counts, as `parseProxies` reads them. */
  trustProxy?: string | undefined;
  /** Files in PEM; the site is then served encrypted, under the names of the certificate. */
  tls?: { certificate: string; key: string } | undefined;
  /** Whether others use this studio over a network; by default, whether it listens beyond this machine or behind a proxy. */
  shared?: boolean | undefined;
  /** Who may create an account; by default anybody, and in a shared studio whoever has an invite. */
  signUp?: SignUpMode | undefined;
  /** Further host names under which it is reached, such as a proxy's or that of a service in front. */
  names?: readonly string[] | undefined;
  /** What opens /metrics in a shared studio; without it nothing does. */
  metricsToken?: string | undefined;
  /** The address of a list of templates that the studio offers; none when absent. */
  gallery?: string | undefined;
  /** The address of a list of models with their prices, in the form of models.dev's api.json; none when absent. */
  prices?: string | undefined;
  /** Where mail goes out; without it none does. */
  mail?: MailSettings | undefined;
  /** Limits for every user that are to be changed. */
  quotas?: Quotas | undefined;
  /** The built site, or "development" for Vite's hot reload. */
  site: { directory: string } | "development";
  /** Off saves tests the Deno process. */
  functions: boolean;
  /** Processes that run published workflows; none by default. */
  workers?: number | undefined;
  /** A backup a day into `folder`, of which so many are kept; none when absent. */
  backups?: { folder: string; keep: number } | undefined;
  /** STUDIO_ALLOW_HOSTS for the edge functions. */
  allowHosts: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are, through which the edge functions call the internet; none by default. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** What `forkDatabase` has given, where that was done ahead to save time; ended when it is of no use. */
  databaseProcess?: ChildProcess | undefined;
  /** How long a statement may take; without it, as long as hosted Supabase lets signed-in users. */
  statementDeadlineMs?: number | undefined;
  /** How often a database that nobody asks is checked. */
  healthCheckMs?: number | undefined;
  log: (line: string) => void;
}

const usualStatementDeadlineMs = 8_000;

/** `variable`: what stands before a command for a studio on a server's database. */
const pausedWords = (dataDir: string, variable: string) =>
  `These data were restored from a backup. Published workflows and schedules do not run, and APIs, webhooks and chat pages are closed.
  Look at the runs that were interrupted, then let everything go on: ${variable}npm run data -- resume --data ${dataDir}`;

/** A running embedded Supabase with the site, all on `url`. */
export interface Stack {
  url: string;
  /** Where its own functions and workers reach it, without encryption and apart from all others. */
  innerUrl: string;
  /** Others may use it over a network, so this machine's own services stay closed to them. */
  shared: boolean;
  /** Whether it believes proxies in front of it on where visitors come from. */
  trustsProxy: boolean;
  signUp: SignUpMode;
  keys: InstanceKeys;
  directory: DataDirectory;
  /** The database on a server, without its password; undefined where the embedded one is in `directory`. */
  serverName: string | undefined;
  database: Pick<DatabaseService, "state" | "pid" | "connect" | "changes" | "work">;
  workers: Pick<Workers, "statuses">;
  /** Stops everything in order and gives the data directory free. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts database, API, edge functions and site. Throws StartError, with everything closed again, when the data
 * directory is in use, cannot be written or is damaged, the port is taken, or a migration fails.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const closers: (() => Promise<void> | void)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= closeAll(closers));
  let ahead = options.databaseProcess;
  closers.push(() => void ahead?.kill("SIGKILL"));
  const takeAhead = () => {
    const child = ahead;
    ahead = undefined;
    return child?.connected ? child : undefined;
  };
  try {
    const sendMail = createMailer(options.mail ?? {});
    const directory = await prepareDataDirectory(options.dataDir);
    const isNew = !existsSync(directory.database);
    await checkFreeSpace(directory.root, isNew ? spaceWanted.new : spaceWanted.existing);
    const lock = await acquireInstanceLock(directory.instance, () => {
      options.log("Another Switchyard has taken over this data directory. This one stops.");
      void stop();
    });
    closers.push(lock.release);
    const reached = options.databaseUrl === undefined ? null : await reach(options.databaseUrl, options.log);
    const keys = await loadKeysFor(reached, directory, isNew);
    const certificate = options.tls ? await loadCertificate(options.tls) : null;
    const isProxy = options.trustProxy ? parseProxies(options.trustProxy) : undefined;
    const server = await listen(options.host, options.port, certificate, connectionLimits, isProxy);
    closers.push(server.close);
    // Whoever comes by a proxy, or under the name of one, comes over a network, wherever the proxy is.
    const isNamed = (options.names ?? []).length > 0;
    const shared = options.shared ?? (!server.isLoopback || isProxy !== undefined || isNamed);
    // Visitors' connections leave the functions' and workers' own alone. These do not know the certificate's authority either.
    const inner = await listen("127.0.0.1", 0, null, ownConnectionLimits);
    closers.push(inner.close);
    const innerUrl = `http://127.0.0.1:${inner.port}`;
    const name = certificate?.name ?? publicHost(options.host);
    const url = `${certificate ? "https" : "http"}://${name}:${server.port}`;
    const proxies = proxyVariables(options.environment ?? {});
    const proxyLine = describeProxies(proxies);
    if (proxyLine !== null) options.log(proxyLine);
    const functions = options.functions
      ? launchFunctions(options, directory, keys, { url: innerUrl, publicUrl: certificate ? "" : url, shared, proxies })
      : null;
    if (functions) closers.push(functions.stop);
    const access = createAccessChanges();
    const proxied = functions ? { processes: functions, proxy: createFunctionsProxy(functions, access.count) } : null;
    if (proxied) closers.push(proxied.proxy.close);

    const database = reached
      ? await openServerService(reached, options, directory, keys, url)
      : await openDatabaseService(options, directory, keys, { siteUrl: url, takeAhead });
    closers.push(async () => {
      await database.stop();
      await rm(directory.databaseProcess, { force: true });
    });
    const requests = access.watch(database);
    const plainApi = createApiForwarder(requests);
    const readToken = createTokenReader(keys.jwtSecret);
    const api = guardSessions(plainApi, keys, readToken);
    await setQuotas(plainApi, keys, options.quotas ?? {});
    await openPrices(plainApi, keys, !shared);
    const signUp = options.signUp ?? (shared ? "invite" : "open");
    const accounts = createAccounts({
      api,
      keys,
      signUp,
      shared,
      sendMail,
      site: certificate ? url : undefined,
      log: options.log,
    });
    const headers = securityHeaders(options.site === "development" ? "development" : "production");
    const guard = createOriginGuard({
      host: options.host,
      port: server.port,
      certifies: certificate?.certifies,
      innerPort: inner.port,
      names: options.names,
    });
    const { site, files, close } = await openSite(options, {
      directory,
      server,
      keys,
      headers,
      guard,
      signUp,
      mail: sendMail !== null,
      shared,
    });
    closers.push(close);

    const liveAnswers = createLiveAnswers();
    const workers = await startWorkers({
      liveAnswers,
      count: options.workers ?? 0,
      database,
      sharesDatabase: reached !== null,
      url: innerUrl,
      publishableKey: keys.publishableKey,
      jwtSecret: keys.jwtSecret,
      log: options.log,
    });
    closers.push(workers.stop);
    const deletions = startAccountDeletions({ database, log: options.log });
    closers.push(deletions.stop);
    const identify = createIdentifySender(keys, readToken);
    const openDoors = createOpenDoors(database);
    closers.push(openDoors.close);
    const pause = await watchPause(database, workers.wake);
    closers.push(pause.close);
    if (pause.isPaused()) options.log(pausedWords(directory.root, reached ? "STUDIO_DATABASE_URL=postgres://… " : ""));
    const operatorClient = database.connect();
    closers.push(operatorClient.close);
    const online = reached ? null : createOnlineBackup(operatorClient);
    if (online) closers.push(keepLogShort(operatorClient, { isCopied: online.isUnderWay, log: options.log }).stop);
    const objects = createStoredObjects(directory.files);
    const isCopied = online?.isUnderWay ?? (() => false);
    closers.push(sweepObjects(operatorClient, objects, { isCopied, log: options.log }).stop);
    const operator = createOperatorRoutes({
      identify,
      online,
      pause,
      access: () => readAccess(operatorClient),
      dataDir: directory.root,
      shared,
    });
    const probes = createProbeRoutes({
      database,
      client: operatorClient,
      workers,
      isStopping: () => stopping !== undefined,
      shared,
      metricsToken: options.metricsToken,
    });
    const routes = createRoutes({
      instance: lock.instance,
      guard,
      headers,
      chatHeaders: createChatHeaders(createServiceCalls(plainApi, keys), openDoors),
      chatTickets: { serviceKey: keys.secretKey, isSecure: certificate !== null },
      api,
      accounts,
      deletions,
      database,
      functions: proxied,
      doorGate: createDoorGate(openDoors, pause.isPaused),
      clientAddress: createClientAddress(isProxy, inner.port),
      workers,
      liveAnswers,
      identify,
      operator: operator.fetch,
      probes: probes.fetch,
      storage: createStorageApi(objects, identify),
      site,
    });
    const calls = createServiceLane(requests, {
      secretKey: keys.secretKey,
      isUsual: (path) => !wakingPaths.has(path) && !endingPaths.has(path),
    });
    const lanes = [calls, ...(files ? [createSiteLane(files, { guard, headers })] : [])];
    const watch = watchForProxies(isProxy, options.log);
    server.node.on("request", watch);
    for (const listening of [server, inner]) listening.handle(routes, lanes);
    await lock.announce({
      apiUrl: certificate ? innerUrl : url,
      siteUrl: url,
      publishableKey: keys.publishableKey,
      dataDir: directory.root,
    });
    if (options.backups) {
      const { projectRoot, databaseUrl } = options;
      const backUp = backUpByCommand({ projectRoot, databaseUrl, dataDir: directory.root });
      const studio = studioMark(keys.publishableKey);
      closers.push(startDailyBackups({ ...options.backups, studio, backUp, log: options.log }).stop);
    }
    const serverName = reached?.address.shown;
    const trustsProxy = isProxy !== undefined;
    return { url, innerUrl, shared, trustsProxy, signUp, keys, directory, serverName, database, workers, stop };
  } catch (error) {
    await stop();
    throw inWords(error, options.dataDir);
  }
}

/** Errors of the file system that no part has put into words concern the data directory: nothing else is written. */
function inWords(error: unknown, dataDir: string): unknown {
  if (error instanceof ProxyAddressError) return new StartError(error.message, error.hint, error);
  if (error instanceof StartError || systemErrorCode(error) === undefined) return error;
  return new StartError(
    `The data directory ${dataDir} cannot be used: ${errorText(error)}.`,
    "Correct its permissions or free some space, or choose another directory with --data <dir>.",
    error,
  );
}

async function openDatabaseService(
  options: StackOptions,
  directory: DataDirectory,
  keys: InstanceKeys,
  { siteUrl, takeAhead }: { siteUrl: string; takeAhead: () => ChildProcess | undefined },
): Promise<DatabaseService> {
  await endLeftoverProcess(directory.databaseProcess);
  await prepareDatabaseFiles(directory);
  const migrations = join(options.projectRoot, "supabase", "migrations");
  const supervised = await superviseDatabase({
    settings: { database: directory.database, migrations, siteUrl, keys },
    deadlineMs: options.statementDeadlineMs ?? usualStatementDeadlineMs,
    log: options.log,
    takeAhead,
    onProcess: (pid) => noteProcess(directory.databaseProcess, pid),
  });
  return createDatabaseService(supervised, { healthCheckMs: options.healthCheckMs });
}

/** Studios of one database share their keys, so that only the first one may make them. */
async function loadKeysFor(
  reached: ReachedServer | null,
  directory: DataDirectory,
  isNew: boolean,
): Promise<InstanceKeys> {
  if (reached && !existsSync(directory.keys)) refuseNewKeys(reached.keyMarks, reached.address, directory.keys);
  const keys = await loadKeys(directory.keys, { mayCreate: isNew });
  if (reached) refuseOtherKeys(reached.keyMarks, keys, reached.address, directory.keys);
  return keys;
}

/** Loaded by whoever keeps the data on a server, and by nobody else. */
const serverModule = () => import("./database/postgres/open-server.ts");

async function reach(databaseUrl: string, log: (line: string) => void): Promise<ReachedServer> {
  const { reachServer } = await serverModule();
  return reachServer(readServerAddress(databaseUrl), log);
}

async function openServerService(
  reached: ReachedServer,
  options: StackOptions,
  directory: DataDirectory,
  keys: InstanceKeys,
  siteUrl: string,
): Promise<DatabaseService> {
  const { openServer } = await serverModule();
  return openServer(reached, {
    migrations: join(options.projectRoot, "supabase", "migrations"),
    siteUrl,
    keys,
    keysPath: directory.keys,
    deadlineMs: options.statementDeadlineMs ?? usualStatementDeadlineMs,
    log: options.log,
  });
}

function launchFunctions(
  options: StackOptions,
  directory: DataDirectory,
  keys: InstanceKeys,
  place: { url: string; publicUrl: string; shared: boolean; proxies: ProxyVariables },
): EdgeFunctions {
  const { url, publicUrl, shared, proxies } = place;
  return startFunctions({
    projectRoot: options.projectRoot,
    folder: join(options.projectRoot, "supabase", "functions"),
    cache: directory.denoCache,
    dataRoot: directory.root,
    environment: {
      SUPABASE_URL: url,
      SUPABASE_ANON_KEY: keys.publishableKey,
      SUPABASE_SERVICE_ROLE_KEY: keys.secretKey,
      JWT_SECRET: keys.jwtSecret,
      // Opens this machine's own services to credentials: to its own person, never to those who come over a network.
      STUDIO_LOCAL: shared ? "" : "1",
      STUDIO_GATEWAY: "1",
      STUDIO_URL: publicUrl,
      STUDIO_ALLOW_HOSTS: options.allowHosts,
      ...proxies,
      CREDENTIALS_KEYS: JSON.stringify(keys.credentialsKeys),
      CREDENTIALS_KEY_VERSION: String(keys.credentialsKeyVersion),
    },
    // The first call that most people make.
    keepWarm: ["llm-proxy"],
    log: options.log,
  });
}

async function openSite(
  options: StackOptions,
  parts: {
    directory: DataDirectory;
    server: HttpServer;
    keys: InstanceKeys;
    headers: Record<string, string>;
    guard: OriginGuard;
    signUp: SignUpMode;
    mail: boolean;
    shared: boolean;
  },
): Promise<{ site: SiteHandler; files: SiteFiles | null; close: () => Promise<void> }> {
  const { directory, server, keys, headers, guard, signUp, mail, shared } = parts;
  const lists = {
    ...(options.gallery ? { gallery: options.gallery } : {}),
    ...(options.prices ? { prices: options.prices } : {}),
  };
  const config = { supabaseUrl: "", supabaseKey: keys.publishableKey, signUp, mail, local: !shared, ...lists };
  if (options.site === "development") {
    const studio = await createDevelopmentSite({
      projectRoot: options.projectRoot,
      dataRoot: directory.root,
      server: server.node,
      config,
      headers,
      guard,
    });
    // Vite serves files to its own origin alone, which is not the chat page's: that page comes from the last build.
    const built = createSite(createSiteFiles(join(options.projectRoot, "dist"), config));
    const site: SiteHandler = (request, exchange) =>
      isForStrangers(new URL(request.url).pathname) ? built(request) : studio.site(request, exchange);
    return { site: withScanFiles(scanFolder(), site, headers), files: null, close: studio.close };
  }
  const files = createSiteFiles(options.site.directory, config);
  return { site: withScanFiles(scanFolder(), createSite(files)), files, close: async () => undefined };
}

/** The name under which this machine reaches a server that listens on `host`. */
function publicHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

async function closeAll(closers: (() => Promise<void> | void)[]): Promise<void> {
  for (const close of closers.toReversed()) {
    // One part that fails to close must not keep the others, or the lock, alive.
    await Promise.resolve(close()).catch((error: unknown) => console.error("While stopping:", error));
  }
}
