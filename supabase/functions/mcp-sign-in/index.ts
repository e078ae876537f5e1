import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { mcpSignInEndpoint } from "./handler.ts";

serveOnDeno(mcpSignInEndpoint);
