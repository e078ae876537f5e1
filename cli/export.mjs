// `npm run export`: writes a workflow as a TypeScript program.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/export.mjs";

await startCommand("cli/export.ts", usage);
