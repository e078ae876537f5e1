import { z } from "zod/mini";
import type { Host } from "../../../engine/host.ts";
import { ServiceError } from "../../../services/services.ts";

interface FetchedPage {
  url: string;
  contentType: string;
  body: string;
}

const answerSchema = z.object({
  success: z.boolean(),
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.nullable(z.string()),
  truncated: z.boolean(),
  error: z.optional(z.object({ message: z.string(), hint: z.string() })),
});

/** A page of the web through the `execute-http` function, which keeps it from reaching private addresses. */
export async function fetchPage(
  address: string,
  callFunction: Host["callFunction"],
  signal: AbortSignal,
): Promise<FetchedPage> {
  const url = absolute(address);
  const headers = { accept: "text/html, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.5" };
  const called = await callFunction("execute-http", { url, headers }, { signal });
  if (!called.ok) throw new ServiceError("server", called.error.message, called.error.hint);
  const { success, statusCode, headers: answered, body, truncated, error } = answerSchema.parse(called.body);
  if (error) throw new ServiceError("server", error.message, error.hint);
  if (!success) {
    const hint = "Open the address in a browser to see whether it exists and asks for a sign-in.";
    throw new ServiceError("server", `The page answered with status ${statusCode}.`, hint);
  }
  if (truncated) {
    throw new ServiceError("invalid", "The page is longer than 5 MB.", "Save it and add the part that you need.");
  }
  const contentType = answered["content-type"] ?? "";
  if (body === null || body.startsWith("[binary, ")) {
    const hint = "Download it and add it as a file.";
    throw new ServiceError("invalid", `The address leads to ${contentType || "a file"}, not to text.`, hint);
  }
  return { url, contentType, body };
}

function absolute(address: string): string {
  const text = address.trim();
  const url = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).href;
  throw new ServiceError(
    "invalid",
    `"${text.slice(0, 100)}" is not a web address.`,
    "Write it as https://example.com/page.",
  );
}
