// `npm run workflow`: runs an exported workflow with the studio's engine.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/workflow.mjs";

await startCommand("cli/workflow.ts", usage);
