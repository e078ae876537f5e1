import type { Json } from "../../engine/json.ts";
import type { RequestSettings } from "./request-fields.ts";

const formType = "application/x-www-form-urlencoded";

type Carried = { headers: Record<string, string>; body?: Json };

/**
 * The headers and body that are sent: no body where the field is empty or the method has none, and a form or a text that
 * looks like JSON says so, unless the headers say otherwise.
 */
export function carried({ method, headers, bodyType, body, form }: RequestSettings): Carried {
  if (method === "GET" || method === "HEAD") return { headers };
  switch (bodyType) {
    case "form":
      return Object.keys(form).length === 0 ? { headers } : formBody(headers, form);
    case "auto": {
      if (body === "" || body === null) return { headers };
      const isJson = typeof body !== "string" || /^\s*[[{]/.test(body);
      return { headers: isJson ? withType(headers, "application/json") : headers, body };
    }
    default:
      return bodyType satisfies never;
  }
}

/** The fields of a web form as a body, each name and value encoded. */
export function formBody(headers: Record<string, string>, form: Record<string, string>): Carried {
  return { headers: withType(headers, formType), body: new URLSearchParams(form).toString() };
}

function withType(headers: Record<string, string>, type: string): Record<string, string> {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return named ? headers : { ...headers, "content-type": type };
}
