import { usage } from "../usage/delete-account.mjs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod/mini";
import { CommandFailure } from "../headless/command-failure.ts";
import { printLine } from "../headless/print.ts";
import { userPath } from "../headless/read-file.ts";
import { type DeleteAccountArguments, parseDeleteAccountArguments } from "./delete-account-arguments.ts";
import { type OpenStudio, openStudio } from "./open-studio.ts";
import { runOperatorCommand } from "./run-command.ts";

const contents = z.object({
  id: z.string(),
  email: z.string(),
  createdAt: z.string(),
  holds: z.record(z.string(), z.number()),
});
type Contents = z.infer<typeof contents>;

const state = z.enum(["deleting", "deleted"]);
const pollMs = 500;

async function run({ email, dryRun, yes, data }: DeleteAccountArguments): Promise<void> {
  const usual = resolve(fileURLToPath(new URL("../..", import.meta.url)), ".switchyard");
  const studio = await openStudio(data === undefined ? usual : userPath(data));
  const account = await find(studio, email);
  await list(account);
  if (dryRun) return printLine("Nothing was deleted.");
  if (!yes) await confirm(account.email);
  await remove(studio, account.id);
  await printLine(`The account ${account.email} is deleted, with everything that it owned.`);
}

async function find({ service }: OpenStudio, email: string): Promise<Contents> {
  const { data, error } = await service.rpc("studio_account_contents", { p_email: email });
  if (error)
    throw new CommandFailure(`The account could not be read: ${error.message}`, "Check the studio's terminal.");
  if (data !== null) return contents.parse(data);
  throw new CommandFailure(
    `No account of the studio has the address ${email}.`,
    "Check the spelling, and that --data names the directory of the right studio. Nothing was deleted.",
  );
}

async function list({ email, createdAt, holds }: Contents): Promise<void> {
  await printLine(`The account ${email}, made on ${createdAt.slice(0, 10)}, holds:`);
  const held = Object.entries(holds).filter(([, count]) => count > 0);
  if (held.length === 0) return printLine("  nothing");
  for (const [name, count] of held) await printLine(`${count.toLocaleString("en").padStart(11)}  ${name}`);
}

async function confirm(email: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(
      "There is no terminal to confirm in. Nothing was deleted.",
      "Add --yes to delete without asking.",
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question("This cannot be undone. Type the address to delete the account: ");
    if (typed.trim().toLowerCase() === email.toLowerCase()) return;
  } finally {
    terminal.close();
  }
  throw new CommandFailure("That is not the account's address. Nothing was deleted.", "Run the command again.");
}

/** Waits until everything is gone. The studio does it; asking tells how far it is. */
async function remove({ service }: OpenStudio, id: string): Promise<void> {
  for (let told = false; ; told = true) {
    const { data, error } = await service.rpc("studio_delete_account", { p_user: id });
    if (error) {
      throw new CommandFailure(
        `The account could not be deleted: ${error.message || "the studio does not answer"}.`,
        told
          ? "Nobody can use it any more. The studio goes on deleting what it owned, after a restart too."
          : "Check the studio's terminal, and run the command again.",
      );
    }
    if (state.parse(data) === "deleted") return;
    if (!told) await printLine("Nobody can use the account any more. Deleting what it owned…", process.stderr);
    await sleep(pollMs);
  }
}

/** `npm run delete-account`: `usage` says how. */
await runOperatorCommand({ usage, parse: parseDeleteAccountArguments, run });
