// `npm run export`: writes a workflow as a TypeScript program.
import { startCommand } from "./start-command.mjs";

await startCommand("cli/export.ts");
