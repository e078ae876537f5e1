import type { z } from "zod/mini";
import "../../../src/engine/config/english-issues.ts";
import { failure, type Failure } from "./failure.ts";

/** Says which fields of an input are wrong and why. Messages name fields, never their values. */
export function describeIssues(error: z.core.$ZodError, what: string): { ok: false; error: Failure } {
  const issues = error.issues.slice(0, 5).map((issue) => {
    const path = issue.path.filter((part) => part !== "fields").join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  return failure("invalid_config", `${what} is not valid. ${issues.join(" ")}`, "Correct the named fields.");
}
