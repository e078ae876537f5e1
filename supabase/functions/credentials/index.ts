import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { credentialsEndpoint } from "./handler.ts";

serveOnDeno(credentialsEndpoint);
