import type { Caller } from "./authenticate.ts";
import type { CallContext, Endpoint } from "./endpoint.ts";
import type { Outcome } from "./failure.ts";
import type { RateLimit } from "./rate-limit.ts";
import { respondFailure } from "./respond.ts";
import { whenEnded } from "./when-ended.ts";
import { credentialHeader } from "../../../src/engine/studio-headers.ts";

interface StreamEndpoint {
  methods: readonly string[];
  rateLimit: RateLimit;
  /** Answers the request of a signed-in user with a server's answer as it arrives, or with a failure. */
  forward(request: Request, caller: Caller, context: CallContext): Promise<Outcome<Response>>;
}

/** A function that passes a server's answer on; its place within the rate limit is taken until the answer has ended. */
export function streamEndpoint({ methods, rateLimit, forward }: StreamEndpoint): Endpoint {
  return {
    methods,
    rateLimit,
    lookAhead: async (request) => ({ credential: request.headers.get(credentialHeader) }),
    async handle(request, caller, context, release) {
      const response = await forward(request, caller, context);
      // The request has been sent on; its answer is never held.
      context.share.giveBack();
      if (response.ok) return whenEnded(response.value, release);
      release();
      return respondFailure(response.error);
    },
  };
}
