// `npm run deploy-functions`: deploys the edge functions to a Supabase project, each as one file.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/deploy-functions.mjs";

await startCommand("cli/deploy/deploy-functions.ts", usage);
