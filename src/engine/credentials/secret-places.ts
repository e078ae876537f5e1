/**
 * What a stored secret of a publication is for. It is authenticated with the sealed secret, so that one is used for nothing else. A
 * webhook's secret that is being replaced keeps its place.
 */
export const secretPlaces = {
  door: (kind: string, name: string): string => `${kind} ${name === "previous" ? "current" : name}`,
  failures: "failures",
  collector: (url: string, header: string): string => `collector ${url} ${header.toLowerCase()}`,
};

/** How a sealed secret begins, wherever one is stored as text. */
const sealedForm = /^sealed\.(\d{1,9})\.([A-Za-z0-9+/=]+)\.([A-Za-z0-9+/=]+)$/;

/** The parts of a stored text that is a sealed secret, in base64; undefined for a text that is none. */
export function readSealed(text: string): { keyVersion: number; iv: string; ciphertext: string } | undefined {
  const [, version, iv, ciphertext] = sealedForm.exec(text) ?? [];
  if (version === undefined || iv === undefined || ciphertext === undefined) return undefined;
  return { keyVersion: Number(version), iv, ciphertext };
}

/** A sealed secret as it is stored. */
export function writeSealed({
  keyVersion,
  iv,
  ciphertext,
}: {
  keyVersion: number;
  iv: string;
  ciphertext: string;
}): string {
  return `sealed.${keyVersion}.${iv}.${ciphertext}`;
}
