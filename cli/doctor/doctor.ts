import { usage } from "../usage/doctor.mjs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { listMigrations } from "../../supabase/local/database/migrations.ts";
import { readServerAddress } from "../../supabase/local/database/postgres/server-address.ts";
import { openForCommand } from "../../supabase/local/database/postgres/open-server.ts";
import { readSigningKey } from "../../worker/signing-key.ts";
import { bundledConfig } from "../deploy/function-bundles.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { flushed, printLine } from "../headless/print.ts";
import { checkDatabase } from "./database-checks.ts";
import { type DoctorArguments, parseDoctorArguments } from "./doctor-arguments.ts";
import { describeFinding, type Finding } from "./finding.ts";
import { checkProject } from "./project-checks.ts";

const supabase = resolve(fileURLToPath(new URL("../../supabase", import.meta.url)));

/** `npm run doctor`: `usage` says how. Gives the exit code. */
async function main(): Promise<number> {
  try {
    const options = parseDoctorArguments(process.argv.slice(2), process.env);
    if (options === null) {
      await printLine(usage);
      return 0;
    }
    const findings = [...(await ofProject(options)), ...(await ofDatabase(options))];
    for (const finding of findings) await printLine(describeFinding(finding));
    const lacking = findings.filter(({ state }) => state === "missing").length;
    await printLine(lacking === 0 ? "\nNothing is missing." : `\n${lacking} missing.`);
    return lacking === 0 ? 0 : 1;
  } catch (error) {
    const hint: unknown = error instanceof Error && "hint" in error ? error.hint : undefined;
    if (!(error instanceof Error) || typeof hint !== "string") throw error;
    await printLine(`${error.message}\n  ${hint}`, process.stderr);
    return error instanceof CommandFailure ? error.exitCode : 1;
  }
}

async function ofProject({ project, site, signingKey }: DoctorArguments): Promise<Finding[]> {
  if (project === undefined) return [];
  const { names } = bundledConfig(await readFile(join(supabase, "config.toml"), "utf8"));
  const signingKeyId = signingKey === undefined ? undefined : (await keyOf(signingKey)).header.kid;
  return checkProject({ ...project, site, functions: names, signingKeyId });
}

async function keyOf(text: string) {
  return readSigningKey(text).catch((error: unknown) => {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), "It is in SUPABASE_JWT_KEY.");
  });
}

async function ofDatabase({ database }: DoctorArguments): Promise<Finding[]> {
  if (database === undefined) return [];
  const address = readServerAddress(database);
  const versions = (await listMigrations(join(supabase, "migrations"))).map(({ version }) => version);
  const session = await openForCommand(address);
  try {
    return await checkDatabase(session, address, versions);
  } finally {
    session.close();
  }
}

const exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
process.exit(exitCode);
