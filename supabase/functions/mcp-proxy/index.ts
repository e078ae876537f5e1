import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { mcpProxyEndpoint } from "./handler.ts";

serveOnDeno(mcpProxyEndpoint);
