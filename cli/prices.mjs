// `npm run prices`: shows how a list of prices differs from what a studio counts by, and takes it over.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/prices.mjs";

await startCommand("cli/operator/prices.ts", usage);
