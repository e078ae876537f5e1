import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** A certificate for one DNS name that vouches for itself (X.509 v3, RFC 5280), valid for a day around now. Both as PEM. */
export function createSelfSignedCertificate(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const commonName = sequence(
    element(0x31, sequence(objectId("550403"), element(0x0c, Buffer.from("Switchyard test certificate")))),
  );
  const extension = (id: string, value: Buffer): Buffer => sequence(objectId(id), element(0x04, value));
  const alternativeName = extension("551d11", sequence(element(0x82, Buffer.from(name))));
  const isAuthority = extension("551d13", sequence(element(0x01, Buffer.from([0xff]))));
  const day = 86_400_000;
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(isAuthority, alternativeName)),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = sequence(body, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** One DER element: tag, length, content. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, "hex"));
}

function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return element(0x17, Buffer.from(`${text}Z`));
}
