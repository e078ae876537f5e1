import type { z } from "zod/mini";
import "../../config/english-issues.ts";

/** What is wrong with a field, with its path: `"defaultAssert[2].threshold": expected number, received string`. */
export function issueText({ path, message, ...issue }: z.core.$ZodIssue): string {
  const place = path.reduce<string>(
    (so, step) => (typeof step === "number" ? `${so}[${step}]` : so === "" ? String(step) : `${so}.${String(step)}`),
    "",
  );
  const said = issue.code === "unrecognized_keys" ? `the field "${issue.keys.join('", "')}" is not known` : message;
  const words = said.replace(/^Invalid input: /, "").replace(/\.$/, "");
  return place === "" ? `${words}.` : `"${place}": ${words}.`;
}
