// What `npm start` and `npm run dev` do: check Node, install, build, start the stack, stop it cleanly.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { unsupportedNode } from "./check-node.mjs";
import { importCompiled } from "../worker/runtime/compiled.mjs";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** `mode` is "production" or "development". Ends the process itself: 0 after a clean stop, 1 when it cannot start. */
export async function launch(mode) {
  const unsupported = unsupportedNode(process.versions.node);
  if (unsupported) {
    console.error(unsupported);
    process.exit(1);
  }
  try {
    await run(mode);
  } catch (error) {
    // Install and build block: a Ctrl-C that ended them is heard only now, and then nothing else is to be said.
    await new Promise((resolve) => setTimeout(resolve, 20));
    // Errors with a hint are meant for people; any other is a defect and shows where it came from.
    const hint = typeof error?.hint === "string" ? error.hint : hintForFiles(error);
    if (hint) console.error(`\n${error.message}\n${hint}\n`);
    else console.error(error);
    process.exit(1);
  }
}

/** What to do about a file of the project that cannot be written: the stack has words of its own for its data. */
function hintForFiles(error) {
  const causes = ["EACCES", "EDQUOT", "EEXIST", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"];
  if (!causes.includes(error?.code) || !String(error.path).startsWith(projectRoot)) return null;
  return `Switchyard installs and builds in ${projectRoot}. Free some space there or correct its permissions, then start again.`;
}

async function run(mode) {
  const { help, parseOptions } = await import("./launch-options.mjs");
  const options = parseOptions(process.argv.slice(2), projectRoot);
  if (options.help) {
    console.log(help);
    process.exit(0);
  }

  // Whoever read the output may be gone before we are; that is no reason to stop in a hurry.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  let stack;
  let isStopping = false;
  const stop = async () => {
    // A second signal means: now.
    if (isStopping) process.exit(130);
    isStopping = true;
    if (!stack) console.log("\nStopped before it was ready.");
    else {
      console.log("\nStopping…");
      await stack.stop();
    }
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop());

  const { ensureInstalled } = await import("./install.mjs");
  ensureInstalled(projectRoot);
  const databaseUrl = options.database ?? process.env.STUDIO_DATABASE_URL;
  // None of the processes that are started from here needs the password.
  delete process.env.STUDIO_DATABASE_URL;
  const metricsToken = process.env.STUDIO_METRICS_TOKEN;
  delete process.env.STUDIO_METRICS_TOKEN;
  const databaseProcess = databaseUrl ? undefined : await forkAhead();
  let site = "development";
  if (mode === "production") {
    const { ensureBuilt } = await import("../scripts/build-site.mjs");
    site = { directory: ensureBuilt(projectRoot) };
  }

  const isFirst = !existsSync(options.data);
  if (isFirst) console.log("Setting up the database and starting, about 10 seconds…");
  const { startStack } = await importCompiled("supabase/local/stack.ts");
  const started = await startStack({
    projectRoot,
    dataDir: options.data,
    databaseUrl: databaseUrl || undefined,
    databaseProcess,
    host: options.host,
    port: options.port,
    trustProxy: options.trustProxy ?? process.env.STUDIO_TRUST_PROXY,
    names: options.names,
    metricsToken,
    tls: options.tls,
    signUp: options.signUp,
    mail: { smtpUrl: process.env.STUDIO_SMTP_URL, from: process.env.STUDIO_MAIL_FROM },
    gallery: process.env.STUDIO_GALLERY,
    prices: process.env.STUDIO_PRICES,
    quotas: options.quotas,
    site,
    functions: true,
    workers: options.workers,
    backups: options.backups,
    allowHosts: process.env.STUDIO_ALLOW_HOSTS ?? "",
    environment: process.env,
    log: (line) => console.log(line),
  });
  if (isStopping) {
    await started.stop();
    process.exit(0);
  }
  stack = started;

  console.log(`\n  Switchyard is running at ${stack.url}\n  ${placeOf(stack)}\n  Press Ctrl-C to stop.\n`);
  if (stack.shared) console.log(sharedWords(options, stack));
  if (options.open) {
    const { openBrowser } = await import("./open-browser.mjs");
    openBrowser(stack.url);
  }
}

/** The database's process loads what it needs while this one does. */
async function forkAhead() {
  const { forkDatabase } = await import("../supabase/local/database/fork-database.mjs");
  const child = forkDatabase();
  // The stack starts another one in the place of one that has failed, and tells why that fails.
  child.on("error", () => undefined);
  return child;
}

/** Where the data are. */
function placeOf({ serverName, directory }) {
  return serverName ? `Data in the database ${serverName}, keys in ${directory.keys}` : `Data in ${directory.root}`;
}

/** What whoever opens the studio to a network must know. */
function sharedWords({ host, tls }, { signUp, trustsProxy }) {
  const onlyByProxy = trustsProxy && ["127.0.0.1", "localhost", "::1"].includes(host);
  const lines = [`Other machines can reach this studio, because of ${onlyByProxy ? "its proxy" : `--host ${host}`}.`];
  if (trustsProxy) lines.push("Visitors are told apart by what the proxies that you named write into X-Forwarded-For.");
  if (!tls && !onlyByProxy) {
    lines.push(
      "WARNING: the connection is not encrypted. Passwords, keys and everything else can be read on the network.",
      "Give --tls-cert and --tls-key, or put a server that speaks TLS in front and name it with --trust-proxy.",
    );
  }
  lines.push("Credentials cannot reach services of this machine unless STUDIO_ALLOW_HOSTS names them.");
  lines.push(
    {
      open: "Anybody who reaches it can create an account.",
      invite: "New accounts need an invite: `npm run invite` prints a link for one person.",
      closed: "It takes no new accounts.",
    }[signUp],
  );
  return lines.map((line) => `  ${line}\n`).join("");
}
