import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** A certificate for one DNS name that vouches for itself (X.509 v3, RFC 5280), valid for a day around now. Both as PEM. */
export function createSelfSignedCertificate(name: string): { key: string; cert: string } {
  const own = createKeys();
  const subject = commonName("Switchyard test certificate");
  return { key: own.pem, cert: certify({ subject, publicKey: own.publicKey, name }, { subject, key: own.privateKey }) };
}

/** The same, with another certificate that vouches for it, as some TLS libraries want it: `authority`. */
export function createIssuedCertificate(name: string): { key: string; cert: string; authority: string } {
  const [own, issuers] = [createKeys(), createKeys()];
  const issuer = { subject: commonName("Switchyard test authority"), key: issuers.privateKey };
  const subject = commonName("Switchyard test certificate");
  return {
    key: own.pem,
    cert: certify({ subject, publicKey: own.publicKey, name, isAuthority: false }, issuer),
    authority: certify({ subject: issuer.subject, publicKey: issuers.publicKey, name }, issuer),
  };
}

function createKeys(): { publicKey: KeyObject; privateKey: KeyObject; pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { publicKey, privateKey, pem: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function commonName(name: string): Buffer {
  return sequence(element(0x31, sequence(objectId("550403"), element(0x0c, Buffer.from(name)))));
}

interface Certified {
  subject: Buffer;
  publicKey: KeyObject;
  /** The DNS name. */
  name: string;
  /** Default true. */
  isAuthority?: boolean;
}

/** The PEM of a certificate, signed by its issuer. */
function certify(
  { subject, publicKey, name, isAuthority = true }: Certified,
  issuer: { subject: Buffer; key: KeyObject },
): string {
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const extension = (id: string, value: Buffer): Buffer => sequence(objectId(id), element(0x04, value));
  const alternativeName = extension("551d11", sequence(element(0x82, Buffer.from(name))));
  const constraints = extension("551d13", sequence(...(isAuthority ? [element(0x01, Buffer.from([0xff]))] : [])));
  const day = 86_400_000;
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    issuer.subject,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(constraints, alternativeName)),
  );
  const signature = createSign("sha256").update(body).sign(issuer.key);
  const certificate = sequence(body, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
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
