import { expect, test } from "vitest";
import { lazyCredentialRepository } from "./lazy-repositories.ts";

test("a repository whose code cannot be loaded without a connection says that it is offline", async () => {
  const credentials = lazyCredentialRepository(() =>
    Promise.reject(new TypeError("Failed to fetch dynamically imported module")),
  );
  await expect(credentials.list()).rejects.toMatchObject({ kind: "offline", message: "The server cannot be reached." });
});
