// `npm run knowledge`: brings the files of a folder into a collection of a studio.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/knowledge.mjs";

await startCommand("cli/knowledge.ts", usage);
