import type { RunErrorCode, RunErrorData } from "../../engine/errors.ts";
import { atStart } from "./sentence-start.ts";

/** A vendor's refusal as it came: `code` and `type` are the vendor's own words, `status` the HTTP status if any. */
export interface VendorRefusal {
  vendor: string;
  /** The user's name for the credential that signed the request, where it is known. */
  credential?: string;
  status?: number;
  code?: string;
  type?: string;
  message: string;
  requestId?: string;
  retryAfterMs?: number;
  /** A quota that a short wait does not bring back. */
  spent?: boolean;
  /** What the model wrote where the vendor could not read it as a tool call. */
  unreadableCall?: string;
}

interface Verdict {
  code: RunErrorCode;
  happened: string;
  hint: string;
  retryable: boolean;
  /** The key or its account may be the reason, so that its name matters. */
  aboutKey?: true;
}

const contextWords =
  /context.?length|context.?window|maximum context|prompt is too long|too.many.((input|prompt).)?tokens|exceed context limit|input token count|reduce the length|exceeds? the (available|maximum).{0,20}(context|tokens)/i;
const filterWords =
  /content.?filter|content.?policy|content management policy|responsible.?ai|safety system|invalid_prompt|input was flagged/i;
/**
 * How vendors say that there is no credit. Their words about limits per minute often speak of quota and billing as well, so these
 * are the codes (OpenAI, Anthropic, Kimi, OpenRouter) and, where there is no code, the sentence (Anthropic, DeepSeek, xAI, Google).
 */
const noCreditCode =
  /^(insufficient_quota|insufficient_balance|insufficient_credits|billing_hard_limit_reached|billing_not_active|billing_error|exceeded_current_quota_error|contract_spend_limit_reached|payment_required)$/i;
const noCreditWords = /credit balance is too low|insufficient balance|used all available credits|credits are depleted/i;
const keyWords = /incorrect api.?key|api.?key.{0,20}(not valid|invalid|expired)|api_key_invalid|authentication_error/i;

/** Turns a vendor's refusal into the error that a person reads (SPEC §4): the vendor's words kept, with what to do. */
export function vendorError(refusal: VendorRefusal): RunErrorData {
  const verdict = judge(refusal);
  const retryAfterMs = refusal.retryAfterMs ?? toldToWait(refusal.message);
  return {
    code: verdict.code,
    message: `${atStart(refusal.vendor)} ${verdict.happened}${signedBy(refusal, verdict)}: ${refusal.message}`,
    hint: verdict.hint,
    retryable: verdict.retryable,
    ...(verdict.retryable && retryAfterMs !== undefined ? { retryAfterMs } : {}),
    ...(refusal.unreadableCall ? { unreadableCall: refusal.unreadableCall } : {}),
    cause: {
      ...(refusal.status !== undefined ? { status: refusal.status } : {}),
      ...(refusal.code ? { code: refusal.code } : {}),
      ...(refusal.type ? { type: refusal.type } : {}),
      ...(refusal.requestId ? { requestId: refusal.requestId } : {}),
      message: refusal.message,
    },
  };
}

/** How long a vendor says to wait in its words, such as "Please try again in 1m11.455s." (Groq, OpenAI, Google). */
function toldToWait(message: string): number | undefined {
  const told = /(?:try again|retry) in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)(ms|s))?/i.exec(message);
  if (!told) return undefined;
  const [, hours, minutes, rest, unit] = told;
  if (hours === undefined && minutes === undefined && rest === undefined) return undefined;
  const seconds = Number(rest ?? 0) * (unit === "ms" ? 0.001 : 1);
  return Math.ceil((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + seconds) * 1000);
}

function signedBy({ credential }: VendorRefusal, { aboutKey }: Verdict): string {
  return aboutKey && credential ? ` (credential "${credential}")` : "";
}

function judge({ vendor, status, code, type, message, spent }: VendorRefusal): Verdict {
  const words = `${code ?? ""} ${type ?? ""} ${message}`;
  const refused = status === undefined || status < 500;
  if (refused && status !== 429 && status !== 401 && contextWords.test(words)) {
    return {
      code: "context_length",
      happened: "says that the conversation is too long for this model",
      hint: "Let the memory keep fewer messages, shorten tool results, or choose a model with a longer context.",
      retryable: false,
    };
  }
  if (refused && filterWords.test(words)) {
    return {
      code: "content_filter",
      happened: "stopped this by its content filter",
      hint: "Rephrase the message or the system prompt, or remove the content that the filter objects to.",
      retryable: false,
    };
  }
  if (status === 401 || (refused && keyWords.test(words))) {
    return {
      code: "invalid_credentials",
      happened: "refused the credential",
      hint: "Open Credentials, check that this node's key is complete and still valid, and enter it again.",
      retryable: false,
      aboutKey: true,
    };
  }
  if (noCreditCode.test(code ?? "") || noCreditCode.test(type ?? "") || noCreditWords.test(message)) {
    return {
      code: "rate_limit",
      happened: "says that the account has no credit left",
      hint: `Add credit or raise the spending limit at ${vendor}, or use another credential.`,
      retryable: false,
      aboutKey: true,
    };
  }
  if (spent) {
    return {
      code: "rate_limit",
      happened: "has no quota left for this model today",
      hint: `Wait until tomorrow, choose another model, or raise the quota of the account at ${vendor}.`,
      retryable: false,
      aboutKey: true,
    };
  }
  // 413 with such a code: the request alone is above the limit per minute.
  if (status === 429 || (status !== 413 && /rate.?limit/i.test(`${code ?? ""} ${type ?? ""}`))) {
    return {
      code: "rate_limit",
      happened: "limits how often it may be called",
      hint: "Wait a little and try again, lower the tool concurrency, or raise the limit of the account.",
      retryable: true,
      aboutKey: true,
    };
  }
  return byStatus(status, words);
}

function byStatus(status: number | undefined, words: string): Verdict {
  switch (status) {
    case 402:
      return {
        code: "rate_limit",
        happened: "asks for payment",
        hint: "Add credit to the account, or use another credential.",
        retryable: false,
        aboutKey: true,
      };
    case 403:
      return {
        code: "invalid_credentials",
        happened: "does not allow this",
        hint: "The key may lack the right to use this model or region: check its permissions at the vendor.",
        retryable: false,
        aboutKey: true,
      };
    case 404:
      return {
        code: "invalid_config",
        happened: "does not know this model or address",
        hint: "Choose a model from the node's list, and check the base URL of the credential.",
        retryable: false,
        aboutKey: true,
      };
    case 408:
    case 504:
      return {
        code: "timeout",
        happened: "took too long",
        hint: "Try again; if it happens often, choose a faster model or send less.",
        retryable: true,
      };
    case 413:
      return {
        code: "context_length",
        happened: "says that the request is too large",
        hint: "Send fewer or smaller messages and images.",
        retryable: false,
      };
    case undefined:
      return /invalid_request|not_found|permission/i.test(words) ? rejected : unwell;
    default:
      return status >= 500 ? unwell : rejected;
  }
}

const rejected: Verdict = {
  code: "model_error",
  happened: "rejected the request",
  hint: "Read what the vendor says and correct the node's settings or the message.",
  retryable: false,
};

const unwell: Verdict = {
  code: "model_error",
  happened: "failed on its side",
  hint: "Try again in a moment; the vendor's status page says whether there is an outage.",
  retryable: true,
};
