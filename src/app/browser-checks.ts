import { createKeptChecks } from "../stores/evaluation/kept-checks.ts";
import { checkTable } from "./check-table.ts";

/** Writes checks of decisions down in this browser, and reads them again. */
export const browserChecks = createKeptChecks(checkTable);
