import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { errorText, StartError } from "../start-error.ts";

/** A certificate with its key, as PEM. */
interface Certificate {
  cert: string;
  key: string;
  /** The first name that it is for, as an address can be written; null when it names only patterns. */
  name: string | null;
  /** Whether it is for this name or address. */
  certifies(name: string): boolean;
}

/** Reads a certificate (with its chain) and its key. Throws StartError when one cannot be read or they do not fit. */
export async function loadCertificate(files: { certificate: string; key: string }): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(files.certificate, "--tls-cert"), read(files.key, "--tls-key")]);
  try {
    createSecureContext({ cert, key });
    const parsed = new X509Certificate(cert);
    const names = [...(parsed.subjectAltName ?? "").matchAll(/DNS:([^,"]+)/g)].map(([, name]) => name ?? "");
    return {
      cert,
      key,
      name: names.find((name) => !name.includes("*")) ?? null,
      certifies: (name) => {
        const address = name.replace(/^\[|\]$/g, "");
        return (isIP(address) === 0 ? parsed.checkHost(name) : parsed.checkIP(address)) !== undefined;
      },
    };
  } catch (error) {
    throw new StartError(
      `${files.certificate} and ${files.key} are no certificate with its key: ${errorText(error)}.`,
      "Give --tls-cert a certificate and --tls-key its private key, both in PEM and without a passphrase.",
      error,
    );
  }
}

async function read(path: string, option: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new StartError(
      `The file of ${option} cannot be read: ${errorText(error)}.`,
      "Check its path and rights.",
      error,
    );
  }
}
