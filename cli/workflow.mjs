// `npm run workflow`: runs an exported workflow with the studio's engine.
import { startCommand } from "./start-command.mjs";

await startCommand("cli/workflow.ts");
