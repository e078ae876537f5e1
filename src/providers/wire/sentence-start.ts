/** A vendor's name where it begins a sentence: "the OpenAI-compatible server" gets a capital, "xAI" stays as it is. */
export function atStart(vendor: string): string {
  return vendor.replace(/^the /, "The ");
}
