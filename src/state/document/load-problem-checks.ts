import { loadOnce } from "../../engine/load-once.ts";

/** What checks a workflow. It brings the expression language along, so it is loaded once the canvas stands. */
export const loadProblemChecks = loadOnce(() => import("./problem-checks.ts"));
