import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { embedEndpoint } from "./handler.ts";

serveOnDeno(embedEndpoint);
