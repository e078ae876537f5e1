import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { startLoopbackServer } from "../../supabase/functions/_shared/testing/loopback-server.ts";
import type { TestStack } from "../../supabase/local/testing/start-stack.ts";
import { passedHeaders, passOn } from "./pass-on.ts";

/**
 * In the place of a hosted project that signs with a key pair: it takes users' tokens of that key alone (ES256, by its kid), and
 * gives a studio, which knows its own secret only, the same claims. Everything else passes as it is.
 */
export async function startSignedGateway(stack: Pick<TestStack, "innerUrl" | "jwtSecret">) {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = "test-key-of-the-project";
  const secret = new TextEncoder().encode(stack.jwtSecret);
  let taken = 0;

  async function behind(token: string): Promise<string> {
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, { algorithms: ["ES256"] });
    if (protectedHeader.kid !== kid) throw new Error("No key of the project has this kid.");
    taken += 1;
    return new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(secret);
  }

  const server = await startLoopbackServer(async (request, response) => {
    const { body = "" } = server.seen.at(-1) ?? {};
    const headers = passedHeaders(request);
    const token = /^Bearer (\S+\.\S+\.\S+)$/.exec(headers.get("authorization") ?? "")?.[1];
    try {
      if (token !== undefined) headers.set("authorization", `Bearer ${await behind(token)}`);
    } catch {
      response.writeHead(401).end();
      return;
    }
    await passOn(request, response, { origin: stack.innerUrl, body, headers });
  });
  return {
    url: `http://${server.host}`,
    /** The private key, as a worker is given it. */
    key: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig" }),
    /** Requests with a token of that key. */
    taken: () => taken,
    stop: () => server.stop(),
  };
}
