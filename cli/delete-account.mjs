// `npm run delete-account`: deletes an account of a running studio, with everything that it owns.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/delete-account.mjs";

await startCommand("cli/operator/delete-account.ts", usage);
