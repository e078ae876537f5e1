// `npm run publish`: publishes a workflow file in a running studio.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/publish.mjs";

await startCommand("cli/operator/publish.ts", usage);
