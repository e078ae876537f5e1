import { RunError } from "../../engine/errors.ts";

/**
 * Runs a memory's work; what it throws becomes a RunError of code `memory_error` that names the node and, by `doing`, what
 * was tried ("read", "written", "cleared", "shortened"). RunErrors pass as they are.
 */
export async function guardMemory<Value>(nodeId: string, doing: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new RunError({
      code: "memory_error",
      message: `The conversation could not be ${doing}: ${cause}`,
      hint: "Check the connection to the database; the agent goes on without this memory.",
      retryable: true,
      nodeId,
    });
  }
}
