import { z } from "zod/mini";
import type { Caller } from "./authenticate.ts";
import type { CredentialRow } from "./credential-store.ts";
import type { Credential } from "./credential-types.ts";
import type { CallContext, Endpoint, FunctionContext } from "./endpoint.ts";
import { success, type Outcome } from "./failure.ts";
import type { RateLimit } from "./rate-limit.ts";
import { readJson } from "./read-body.ts";
import { respondFailure, respondJson } from "./respond.ts";
import { whenEnded } from "./when-ended.ts";

interface JsonEndpoint {
  rateLimit: RateLimit;
  /** Most bytes of a request. */
  maxBytes: number;
  /** Answers the JSON of a request of a signed-in user with JSON or a failure. Its shape is not checked yet. */
  perform(body: unknown, caller: Caller, context: CallContext, request: Request): Promise<Outcome<unknown>>;
}

/** Bytes of a body that is read before its call is counted: what fits into a few packets of the network. */
const mostAhead = 32 * 1024;

const namesCredential = z.looseObject({ credential: z.string() });

/** A function that takes JSON by POST and answers with JSON: 200, or the status that belongs to the failure's code. */
export function jsonEndpoint({ rateLimit, maxBytes, perform }: JsonEndpoint): Endpoint {
  return {
    methods: ["POST"],
    rateLimit,
    async lookAhead(request, share) {
      const length = Number(request.headers.get("content-length") ?? Infinity);
      if (!(length <= mostAhead)) return { credential: null };
      const input = await readJson(request, mostAhead, share);
      if (!input.ok) return input.refusal;
      const named = namesCredential.safeParse(input.value);
      return { credential: named.data?.credential ?? null, input };
    },
    async handle(request, caller, context, release) {
      try {
        const { input: read } = context.ahead;
        const input = read ? success(read.value) : await readJson(request, maxBytes, context.share);
        if (!input.ok) return whenEnded(input.refusal, context.share.giveBack);
        const answer = await perform(input.value, caller, context, request);
        const response = answer.ok ? respondJson(answer.value) : respondFailure(answer.error);
        return whenEnded(response, context.share.giveBack);
      } finally {
        release();
      }
    },
  };
}

/** A stored credential that a request names, before its secret is needed. */
interface FoundCredential {
  type: CredentialRow["type"];
  allowedHosts: CredentialRow["allowed_hosts"];
  settings: CredentialRow["settings"];
  /** Decrypts it. */
  open(): Promise<Outcome<Credential>>;
}

/** Looks up credentials with the caller's own rights. */
export function credentialFinder(
  caller: Caller,
  { credentials }: Pick<FunctionContext, "credentials">,
): (id: string) => Promise<Outcome<FoundCredential>> {
  return async (id) => {
    const row = await credentials.find(caller, id);
    if (!row.ok) return row;
    const { type, allowed_hosts: allowedHosts, settings } = row.value;
    return success({ type, allowedHosts, settings, open: () => credentials.open(row.value) });
  };
}
