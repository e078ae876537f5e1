// `npm run data`: copies a studio's data from the embedded database to a server's, or back.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/data.mjs";

await startCommand("cli/operator/data.ts", usage);
