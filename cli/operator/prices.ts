import { usage } from "../usage/prices.mjs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PostgrestClient } from "@supabase/postgrest-js";
import { takeStoredPrices } from "../../src/engine/models/accepted-models.ts";
import { listDate } from "../../src/engine/models/known-models.ts";
import { acceptedModels, changeLine } from "../../src/engine/models/price-changes.ts";
import { readPriceList } from "../../src/engine/models/read-price-list.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { printLine } from "../headless/print.ts";
import { readTextFile, userPath } from "../headless/read-file.ts";
import { openStudio } from "./open-studio.ts";
import { runOperatorCommand } from "./run-command.ts";
import { parsePricesArguments } from "./prices-arguments.ts";

async function run(options: NonNullable<ReturnType<typeof parsePricesArguments>>): Promise<void> {
  if ("takeBack" in options) {
    const dropped = await (await serviceOf(options.data)).rpc("studio_drop_prices");
    if (dropped.error) throw failed("The prices were not taken back", dropped.error.message);
    return printLine("Taken back. New runs are counted by the prices of this version.");
  }
  const { file, accept, source, data } = options;
  const text = await readTextFile(userPath(file));
  const service = await serviceOf(data);
  const stored = await service.rpc("studio_read_prices", { p_known: null });
  if (stored.error) throw failed("The studio's prices could not be read", stored.error.message);
  takeStoredPrices(stored.data);
  const changes = readPriceList(text);
  if (changes === null) {
    throw new CommandFailure(`${file} has no list of models.`, "It has to have the form of models.dev/api.json.");
  }
  for (const change of changes) await printLine(changeLine(change));
  const count = changes.filter(({ kind }) => kind === "new" || kind === "changed").length;
  if (count === 0) return printLine("The studio knows these prices.");
  if (!accept) return printLine(`Nothing was changed. Add --accept to have new runs counted by these (${count}).`);
  const asked = { p_models: acceptedModels(changes), p_source: source, p_known_on: listDate };
  const accepted = await service.rpc("studio_accept_prices", asked);
  if (accepted.error) throw failed("The prices were not accepted", accepted.error.message);
  await printLine(`Accepted (${count}). New runs are counted by them.`);
}

/** The studio of a data directory, or a hosted Supabase that the environment names. */
async function serviceOf(data: string | undefined): Promise<PostgrestClient> {
  const { SUPABASE_URL: url, SUPABASE_SERVICE_ROLE_KEY: key } = process.env;
  if (data === undefined && url && key) {
    const authorization: Record<string, string> = key.startsWith("sb_") ? {} : { authorization: `Bearer ${key}` };
    return new PostgrestClient(`${url.replace(/\/+$/, "")}/rest/v1`, { headers: { apikey: key, ...authorization } });
  }
  const usual = resolve(fileURLToPath(new URL("../..", import.meta.url)), ".switchyard");
  return (await openStudio(data === undefined ? usual : userPath(data))).service;
}

function failed(what: string, why: string): CommandFailure {
  return new CommandFailure(`${what}: ${why || "the studio does not answer"}.`, "Check the studio's terminal.");
}

/** `npm run prices`: `usage` says how. */
await runOperatorCommand({ usage, parse: parsePricesArguments, run });
