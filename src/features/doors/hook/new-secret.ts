import type { HookScheme } from "../../../doors/hook-scheme.ts";

const secretBytes = 32;

/** A fresh secret in the form that the scheme's senders take. */
export function newSecret(scheme: HookScheme): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  if (scheme === "standard") return `whsec_${base64}`;
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Why a secret that was typed cannot be the scheme's; undefined where it may be. */
export function secretProblem(scheme: HookScheme, text: string): string | undefined {
  const secret = text.trim();
  if (secret.length < 8 || secret.length > 500) return "Enter the secret in full.";
  if (scheme === "discord" && !/^[0-9a-f]{64}$/i.test(secret)) return "A public key has 64 hexadecimal digits.";
  return undefined;
}
