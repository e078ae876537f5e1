export { validateWorkflow } from "../../engine/document/validate.ts";
export { identityProblems } from "../../engine/run/identity-problems.ts";
export { problemsOfRun } from "../../engine/run/run-reach.ts";
