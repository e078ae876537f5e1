/** The address of a relation in a Link header (RFC 8288 §3), such as `<https://a.example/?page=2>; rel="next"`. */
export function linkedPage(headers: Readonly<Record<string, string>>, relation: string): string | undefined {
  const [, header = ""] = Object.entries(headers).find(([name]) => name.toLowerCase() === "link") ?? [];
  for (const [, address, parameters = ""] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const names = (quoted ?? bare ?? "").toLowerCase().split(/\s+/);
    if (names.includes(relation)) return address;
  }
  return undefined;
}
