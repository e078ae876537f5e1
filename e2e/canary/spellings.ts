/** The forms in which a secret may turn up in a text: plain, escaped, hexadecimal, base64 alone and in a basic or bearer header. */
export function spellings(secret: string): string[] {
  const base64 = (text: string): string => Buffer.from(text).toString("base64").replace(/=+$/, "").slice(0, -1);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("hex"),
    base64(secret),
    base64(`Bearer ${secret}`),
  ];
}

/** Which of the places hold a secret, in any spelling. */
export function placesWith(secrets: readonly string[], places: readonly { place: string; text: string }[]): string[] {
  const needles = secrets.flatMap(spellings);
  return [
    ...new Set(places.filter(({ text }) => needles.some((needle) => text.includes(needle))).map(({ place }) => place)),
  ];
}
