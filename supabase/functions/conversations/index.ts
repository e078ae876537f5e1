import { serveOnDeno } from "../_shared/deno-runtime.ts";
import { conversationsEndpoint } from "./handler.ts";

serveOnDeno(conversationsEndpoint);
