import { readFile } from "node:fs/promises";
import { z } from "zod/mini";

const keysFile = z.object({
  publishableKey: z.string(),
  jwtSecret: z.string(),
  /** For the functions alone. */
  secretKey: z.optional(z.string()),
  credentialsKeys: z.optional(z.record(z.string(), z.string())),
  credentialsKeyVersion: z.optional(z.number()),
});

/** What a worker beside a studio needs of its `keys.json`. Throws an Error that says what to do. */
export async function readStudioKeys(path: string): Promise<z.infer<typeof keysFile>> {
  try {
    return keysFile.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new Error(
      isMissing
        ? `STUDIO_KEYS_FILE names ${path}, which is not there. The studio makes it when it starts for the first time.`
        : `STUDIO_KEYS_FILE names ${path}, which is not the keys.json of a studio or cannot be read.`,
      { cause: error },
    );
  }
}
