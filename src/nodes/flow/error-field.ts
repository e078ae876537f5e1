import { z } from "zod";
import { field } from "../../engine/config/field.ts";

/** The setting that lets a run go on after a node failed; the scheduler reads it. */
export const onErrorField = field(z.enum(["fail", "continue"]).default("fail"), {
  label: "When it fails",
  help: "Fail: the run ends. Continue: the run goes on, and the output is { error }.",
  section: "Errors",
});
