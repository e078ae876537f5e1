import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { llmProxyEndpoint } from "./handler.ts";

serveOnDeno(llmProxyEndpoint);
