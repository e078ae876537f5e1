// `npm run delete-account`: deletes an account of a running studio, with everything that it owns.
import { startCommand } from "./start-command.mjs";

await startCommand("cli/operator/delete-account.ts");
