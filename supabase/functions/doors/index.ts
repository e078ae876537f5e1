import { serveDoorOnDeno } from "../_shared/deno-runtime.ts";
import { doorRoutes } from "./handler.ts";

serveDoorOnDeno(doorRoutes, "doors");
