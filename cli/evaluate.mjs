// `npm run evaluate`: runs a suite and tells what it proves.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/evaluate.mjs";

await startCommand("cli/evaluate.ts", usage);
