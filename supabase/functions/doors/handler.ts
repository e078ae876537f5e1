import type { DoorRoute } from "../_shared/door.ts";
import { runRoutes } from "./run/run-routes.ts";

/** Everything that is reached without a session of the studio. */
export const doorRoutes: readonly DoorRoute[] = [...runRoutes];
