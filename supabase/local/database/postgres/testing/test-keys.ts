import { randomBytes } from "node:crypto";
import type { InstanceKeys } from "../../keys.ts";

/** Keys of a studio that is never started. */
export function makeTestKeys(): InstanceKeys {
  return {
    publishableKey: "sb_publishable_test-key",
    secretKey: "sb_secret_test-key",
    jwtSecret: "test-key-".repeat(5),
    credentialsKeys: { "1": randomBytes(32).toString("base64") },
    credentialsKeyVersion: 1,
  };
}
