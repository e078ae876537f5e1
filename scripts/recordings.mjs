// `npm run recordings`: makes the moving pictures of the README from the running product.
import { startCommand } from "../cli/start-command.mjs";

await startCommand("scripts/recordings/main.ts");
