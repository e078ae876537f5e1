/** Role and claims of a transaction for the service role. */
export const serviceSettings: Record<string, string> = {
  role: "service_role",
  "request.jwt.claim.role": "service_role",
  "request.jwt.claims": '{"role":"service_role"}',
};

/** Role and claims of a transaction for a signed-in user, which row level security and `auth.uid()` read. */
export function userSettings(userId: string, claims: object): Record<string, string> {
  return {
    role: "authenticated",
    "request.jwt.claim.sub": userId,
    "request.jwt.claim.role": "authenticated",
    "request.jwt.claims": JSON.stringify(claims),
  };
}

/** One statement without parameters that makes settings for the rest of the transaction. */
export function settingsSql(settings: Record<string, string>): string {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', ${textSql(value)}, true)`);
  return `select ${set.join(", ")}`;
}

/** A text in SQL; in Base64, no value can end the text that it stands in. */
export function textSql(value: string): string {
  const bytes = new TextEncoder().encode(value);
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return `convert_from(decode('${btoa(binary)}', 'base64'), 'UTF8')`;
}
