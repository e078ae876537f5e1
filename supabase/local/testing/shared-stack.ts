import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startTestStack, type TestStack } from "./start-stack.ts";
import { templateDirectory } from "./template-data.ts";

export type SharedStack = Omit<TestStack, "stop">;

let started: Promise<TestStack> | undefined;

/**
 * A stack with its edge functions that the files of one test worker share, since each start takes a second or two: for
 * tests that use accounts of their own and change nothing for others. It ends with the worker, its data with the tests.
 */
export function sharedTestStack(): Promise<SharedStack> {
  return (started ??= start());
}

async function start(): Promise<TestStack> {
  const template = templateDirectory();
  const dataDir = await mkdtemp(join(template === null ? tmpdir() : dirname(template), "shared-"));
  return startTestStack({ functions: true, dataDir });
}
