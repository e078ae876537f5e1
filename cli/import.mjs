// `npm run import`: reads workflows of other builders and writes them as workflows of the studio.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/import.mjs";

await startCommand("cli/import.ts", usage);
