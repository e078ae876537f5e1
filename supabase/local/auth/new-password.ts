import { hash } from "bcryptjs";
import { authRefusal } from "./auth-answers.ts";

const fewestCharacters = 8;
/** bcrypt reads no more. */
const mostBytes = 72;
/** As the auth API hashes. */
const cost = 10;

/** Why a password cannot be one, as an answer; null when it can. */
export function whyNoPassword(password: string): Response | null {
  if (password.length < fewestCharacters) {
    return authRefusal(422, "weak_password", `Password should be at least ${fewestCharacters} characters.`);
  }
  if (new TextEncoder().encode(password).length > mostBytes) {
    return authRefusal(400, "validation_failed", `Password cannot be longer than ${mostBytes} characters`);
  }
  return null;
}

/** A password in the form in which the auth API keeps and compares it. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);
