// `npm run runs`: starts, shows, cancels and follows runs of published workflows of the studio that runs with a data directory.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/runs.mjs";

await startCommand("cli/runs.ts", usage);
