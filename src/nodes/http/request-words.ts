import type { Json } from "../../engine/json.ts";

/** Where a request goes, as the end of a sentence: "sends GET requests to api.example.com". */
export function requestWords(method: Json | undefined, url: Json | undefined, hosts?: Json): string {
  const address = typeof url === "string" ? url.trim() : "";
  const verb = typeof method === "string" ? method : "GET";
  if (address === "") {
    const list = Array.isArray(hosts) ? hosts.map(String).join(", ") : "";
    return `sends requests that the model decides to ${list === "" ? "any public host" : list}`;
  }
  return `sends ${verb} requests to ${address.replace(/^https?:\/\//i, "")}`;
}
