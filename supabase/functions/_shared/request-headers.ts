import { failure, success, type Outcome } from "./failure.ts";

/** Headers that decide framing, routing or a proxy's trust; only the guard itself may set them. */
const forbiddenHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "forwarded",
  "host",
  "keep-alive",
  "metadata",
  "metadata-flavor",
  "http2-settings",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "x-real-ip",
]);

const forbiddenPrefixes = ["proxy-", "x-forwarded-", "x-aws-ec2-metadata-", "sec-"];

/** What may follow a redirect to another origin; everything else may be a secret of the first one. */
const harmlessHeaders: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

const maxHeaders = 100;
const maxHeaderCharacters = 16_384;

/** Checks a caller's headers and puts their names in lower case. Line breaks and control characters are refused. */
export function checkRequestHeaders(headers: Readonly<Record<string, string>>): Outcome<Record<string, string>> {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders) {
    return failure("invalid_header", `There are more than ${maxHeaders} headers.`, "Send fewer headers.");
  }
  const checked: Record<string, string> = {};
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,256}$/.test(lower) || lower === "__proto__") {
      return failure(
        "invalid_header",
        "A header name contains characters that are not allowed.",
        "Use letters, digits and -.",
      );
    }
    if (forbiddenHeaders.has(lower) || forbiddenPrefixes.some((prefix) => lower.startsWith(prefix))) {
      return failure("invalid_header", `The header ${name} may not be set by a request.`, `Remove ${name}.`);
    }
    if (!isHeaderValue(value)) {
      return failure(
        "invalid_header",
        `The value of the header ${name} contains a line break, a control character or letters that headers cannot hold.`,
        "Use printable characters of the Latin alphabet, or encode the value.",
      );
    }
    checked[lower] = value;
  }
  return success(checked);
}

/** Whether a text can be sent as a header value (RFC 9110 §5.5, at most 16,384 characters). */
function isHeaderValue(value: string): boolean {
  return value.length <= maxHeaderCharacters && /^[\t\x20-\x7e\xa0-\xff]*$/.test(value);
}

/** Keeps of a request's headers what another origin may see. */
export function headersForOtherOrigin(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name)));
}

/** Drops what describes a body, for a redirect that turns a request into a GET. */
export function headersWithoutBody(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
}
