import { expect, it } from "vitest";
import { parseCredential } from "./credential-types.ts";
import { oauthServices } from "./oauth-services.ts";

it.each(oauthServices.map((service) => [service.title, service] as const))(
  "%s lacks nothing but the application's own values",
  (_title, { fields, hosts }) => {
    expect(parseCredential("oauth2", { ...fields, clientId: "studio", clientSecret: "test-key-1" }).success).toBe(true);
    for (const address of [fields.authorizationUrl, fields.tokenUrl]) expect(address).toMatch(/^https:/);
    expect(hosts.length).toBeGreaterThan(0);
  },
);
